/*
 * A request of less than a megabyte had ninety thousand members, each with a name of its own. The engine keeps every name once and for all;
 * then they were compared with each other, held against the schema, sorted, and written again for the digest: a tenth of a second in which
 * nobody else was served. So had thirty thousand numbers that no double holds.
 * So: what a text costs is counted while it is read, and refused before any of that is done. Nothing is measured by a clock.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene({
    tools: [{ name: 'send', inputSchema: { type: 'object' } }],
    policy: '  send: { effect: write, allow: [{ scopes: [tools:write] }] }',
  })
})
afterAll(() => scene.close())

const many = (count: number, each: (index: number) => string) => Array.from({ length: count }, (_, index) => each(index)).join()
const send = (args: string) =>
  scene.raw({
    headers: { 'Mcp-Param-Region': undefined },
    body: scene.body().replace(/"arguments":\{[^}]*\}/, () => `"arguments":${args}`),
  })

it.each([
  ['ninety thousand names', `{${many(70_000, index => `"k${index}":0`)}}`],
  ['names of accents', `{${many(40_000, index => `"${'e\u0301'}${index}":0`)}}`],
  ['objects with a name each', `{"a":[${many(40_000, index => `{"k${index}":0}`)}]}`],
  ['numbers that no double holds', `{"a":[${many(40_000, () => '9007199254740993')}]}`],
])('refuses %s', async (_what, args) => {
  expect(args.length).toBeLessThan(1_048_576)
  await expectRefused(scene, 'MCP_PARSE', () => send(args), { detail: { reason: 'too many values and names' } })
})

it.each([
  ['3,600 rows of sixteen columns', `{"rows":[${many(3_600, row => `{${many(16, column => `"column${column}":${row}`)}}`)}]}`],
  ['ten thousand names', `{${many(10_000, index => `"key${index}":"v"`)}}`],
  ['a vector', `{"a":[${many(50_000, index => String(Math.sin(index)))}]}`],
  ['eighteen thousand ids of 64 bits', `{"a":[${many(18_000, index => `9007199254${740_993 + index}`)}]}`],
])('takes %s', async (_what, args) => {
  const { json } = await send(args)
  expect(json.result?.content).toMatchObject([{ text: 'done' }])
  expect(scene.upstream.calls.at(-1)?.body).toContain(args)
})
