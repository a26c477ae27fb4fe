/*
 * Schemas of real servers hold formats like `uint64` or `google-datetime` and keywords like `x-fastmcp-wrap-result`. A strict
 * validator throws on them, so good tools vanished; a lenient one wrote a warning to the log on every call.
 * So: unknown formats and `x-` words are annotations and cost nothing; `x-mcp-header` is understood; a word that looks like a
 * slip (`propertees`) is told to the operator once, when the tool is first seen, and not again.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Scene, startScene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene({
    tools: [
      {
        name: 'words',
        inputSchema: {
          type: 'object',
          'x-fastmcp-wrap-result': true,
          properties: {
            n: { type: 'integer', format: 'uint64' },
            at: { type: 'string', format: 'google-datetime' },
            region: { type: 'string', 'x-mcp-header': 'Region', 'x-internal-hint': { a: 1 } },
          },
        },
      },
      { name: 'slip', inputSchema: { type: 'object', propertees: { a: { type: 'string' } } } },
    ],
    policy: "  '*': { effect: read, allow: [{ scopes: [tools:read] }] }",
  })
})
afterAll(() => scene.close())

it('B37 the tools work, and the mirrored header is the only word with a meaning', async () => {
  const args = { n: 12345, at: 'whenever', region: 'eu' }
  for (let turn = 0; turn < 3; turn++) {
    const answer = await scene.gateway.call('acme__words', args, { headers: { 'mcp-param-region': 'eu' } })
    expect(answer.json.result).not.toHaveProperty('isError')
    await scene.gateway.call('acme__slip', { a: 1 })
  }
  expect(scene.upstream.calls[0]?.headers['mcp-param-region']).toBe('eu')
  expect(await scene.gateway.call('acme__words', args)).toMatchObject({ status: 400, json: { error: { code: -32020 } } })
})

it('B37 the slip is told once', () => {
  const told = scene.gateway.trail.records().filter(({ event }) => event === 'schema.misspelled')
  expect(told).toMatchObject([{ detail: { count: 1, first: expect.stringContaining('propertees') } }])
})
