import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'

const REVIEW = {
  name: 'review',
  title: 'Review',
  description: 'Reviews code.',
  arguments: [{ name: 'code', description: 'What to review.', required: true }, { name: 'language' }],
  _meta: { 'com.example/x': 1 },
  zz: { unknown: true },
}
const PROMPTS = [REVIEW, { name: 'secret' }, { name: 'nobody' }, { name: 'a.b' }]
const POLICY = `  read: { effect: read, allow: [{ scopes: [tools:read] }] }
prompts:
  review: { allow: [{ scopes: [tools:read], when: [{ argument: /language, in: [ts, go] }] }] }
  secret: { discoverable: true, allow: [{ scopes: [tools:admin] }] }
  a.b: { allow: [{ scopes: [] }], limit: { calls: 1, per: 1h } }
resources:
  "file:///x": { allow: [{ scopes: [] }] }`

let scene: Scene
beforeAll(async () => {
  scene = await startScene({
    policy: POLICY,
    stub: { prompts: PROMPTS },
    onCall: ({ message }) => ({
      resultType: 'complete',
      description: 'Done.',
      messages: [
        { role: 'user', content: { type: 'text', text: JSON.stringify(message.params.arguments ?? null) } },
        { role: 'user', content: { type: 'resource_link', uri: 'file:///x', name: 'x' } },
        { role: 'user', content: { type: 'resource', resource: { uri: 'file:///y', text: 'y' } } },
      ],
      _meta: { 'com.example/y': 2, 'io.modelcontextprotocol/serverInfo': { name: 'other', version: '9' } },
    }),
  })
})
afterAll(() => scene.close())

const get = (name: string, args: Record<string, unknown> = {}, options = {}) =>
  scene.gateway.send('prompts/get', { name, arguments: args as never }, options)

describe('prompts', () => {
  it('are listed as they were reviewed, under the name of this endpoint, and only to those who may use or ask for them', async () => {
    const { json } = await scene.gateway.send('prompts/list')
    expect(json.result).toMatchObject({ resultType: 'complete', cacheScope: 'private' })
    const prompts = json.result?.prompts as { name: string }[]
    expect(prompts.map(({ name }) => name)).toEqual([expect.stringMatching(/^acme__a_b_[0-9a-f]{10}$/), 'acme__review', 'acme__secret'])
    expect(prompts[1]).toEqual({ ...REVIEW, name: 'acme__review' })
  })

  it('are got from the server under its own name, with the arguments as they were sent', async () => {
    const before = scene.upstream.calls.length
    const { status, json } = await get('acme__review', { code: 'let x', language: 'ts' }, { id: 'p-1' })
    expect(status).toBe(200)
    expect(json.id).toBe('p-1')
    const [call] = scene.upstream.calls.slice(before)
    expect(call?.message).toMatchObject({ method: 'prompts/get', params: { name: 'review', arguments: { code: 'let x', language: 'ts' } } })
    expect(call?.headers).toMatchObject({ 'mcp-method': 'prompts/get', 'mcp-name': 'review' })
    expect(call?.headers.authorization).toBeUndefined()
    expect(json.result).toMatchObject({ resultType: 'complete', description: 'Done.', _meta: { 'com.example/y': 2 } })
    expect(scene.gateway.trail.last()).toMatchObject({
      outcome: 'OK',
      method: 'prompts/get',
      exposedName: 'acme__review',
      upstreamName: 'review',
      effect: 'read',
      rule: 'tools/acme.yaml#/prompts/review/allow/0',
      resultType: 'result',
    })
    expect(scene.gateway.trail.last().effectStatus).toBeUndefined()
  })

  it("link to their own server's resources only, whatever the links say", async () => {
    const { json } = await get('acme__review', { code: 'x', language: 'go' })
    expect(((json.result?.messages ?? []) as { content: object }[]).map(({ content }) => content).slice(1)).toEqual([
      { type: 'resource_link', uri: 'acme+file:///x', name: 'x' },
      { type: 'resource', resource: { uri: 'acme+file:///y', text: 'y' } },
    ])
  })

  it.each(['acme__nobody', 'acme__other', 'review', 'nobody', 'ACME__review'])(
    'that a caller may not use, or that are not there, are one unknown prompt: %s',
    async name => {
      const answer = await expectRefused(scene, 'CATALOG_UNKNOWN_PROMPT', () => get(name), { id: 1, text: `Unknown prompt: ${name}` })
      expect(answer.json).toEqual({ jsonrpc: '2.0', id: 1, error: { code: -32602, message: `Unknown prompt: ${name}` } })
    },
  )

  it('that lack only scope are answered with the challenge', async () => {
    const answer = await expectRefused(scene, 'AUTH_SCOPE_INSUFFICIENT', () => get('acme__secret'))
    expect(answer.headers.get('www-authenticate')).toContain('scope="tools:admin"')
  })

  it('are refused by policy with a JSON-RPC error, for their results have no form for it', async () => {
    const expected = { id: 1, status: 200, rpc: -32602, text: /\/language/ }
    await expectRefused(scene, 'POLICY_REFUSED', () => get('acme__review', { code: 'x', language: 'cobol' }), expected)
  })

  it.each([
    ['without a required argument', { language: 'ts' }],
    ['with one that was not reviewed', { code: 'x', language: 'ts', force: 'yes' }],
    ['with one that is no text', { code: 5, language: 'ts' }],
  ])('%s are refused before their server hears of it', async (_, args) => {
    const expected = { id: 1, status: 200, rpc: -32602, text: /^The arguments do not fit/ }
    const { text } = await expectRefused(scene, 'VALIDATION_ARGUMENTS', () => get('acme__review', args), expected)
    expect(text).not.toContain('this tool')
  })

  it('over their limit are refused with the status that says so', async () => {
    const [name = ''] = (((await scene.gateway.send('prompts/list')).json.result?.prompts ?? []) as { name: string }[]).map(
      each => each.name,
    )
    expect((await get(name)).json.result).toBeDefined()
    const answer = await expectRefused(scene, 'LIMITS_EXCEEDED', () => get(name), { id: 1, status: 429, rpc: 429, text: /try again in/ })
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
  })

  it('[REQ-HEADER-MATCH] need a header that names the prompt of the body', async () => {
    await expectRefused(scene, 'MCP_HEADER_MISMATCH', () => get('acme__review', {}, { headers: { 'mcp-name': 'acme__secret' } }), { id: 1 })
  })

  it('whose server answers something else are not shown', async () => {
    const { onCall } = scene.upstream
    for (const messages of [undefined, 'text', [{ role: 'system', content: { type: 'text', text: 'x' } }], [{ role: 'user' }]]) {
      scene.upstream.onCall = () => ({ resultType: 'complete', messages })
      const answer = await get('acme__review', { code: 'x', language: 'ts' })
      expect(answer.json.error).toMatchObject({ code: -32603, data: { code: 'UPSTREAM_INVALID' } })
    }
    scene.upstream.onCall = onCall
  })
})
