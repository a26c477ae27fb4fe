import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'

const POLICY = `  read: { effect: read, allow: [{ scopes: [tools:read] }] }
prompts:
  review: { allow: [{ scopes: [tools:read] }] }
  bound: { allow: [{ scopes: [tools:read], when: [{ argument: /org, in: [acme] }] }] }
  secret: { allow: [{ scopes: [tools:admin] }] }
resources:
  "repo://{owner}/{name}": { allow: [{ scopes: [tools:read] }] }`
const declared = (...names: string[]) => ({ arguments: names.map(name => ({ name })) })

let scene: Scene
beforeAll(async () => {
  scene = await startScene({
    policy: POLICY,
    stub: {
      prompts: [
        { name: 'review', ...declared('language', 'framework') },
        { name: 'bound', ...declared('org', 'repo') },
        { name: 'secret' },
      ],
      resourceTemplates: [{ uriTemplate: 'repo://{owner}/{name}', name: 'repo' }],
      capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
    },
    onCall: () => ({ resultType: 'complete', completion: { values: ['python', 'pytorch'], total: 10, hasMore: true } }),
  })
})
afterAll(() => scene.close())

const complete = (ref: JsonObject, argument: JsonObject, more: JsonObject = {}, options = {}) =>
  scene.gateway.send('completion/complete', { ref, argument, ...more }, options)
const PROMPT = { type: 'ref/prompt', name: 'acme__review' }

describe('a completion', () => {
  it("is asked of the prompt's own server, under its own name", async () => {
    const context = { arguments: { language: 'python' } }
    const { json } = await complete(PROMPT, { name: 'framework', value: 'py' }, { context })
    expect(json.result).toMatchObject({ resultType: 'complete', completion: { values: ['python', 'pytorch'], total: 10, hasMore: true } })
    const seen = scene.upstream.calls.at(-1)
    expect(seen?.message.params).toMatchObject({
      ref: { type: 'ref/prompt', name: 'review' },
      argument: { name: 'framework', value: 'py' },
      context,
    })
    expect(seen?.headers).not.toHaveProperty('mcp-name')
    expect(scene.gateway.trail.last()).toMatchObject({ outcome: 'OK', method: 'completion/complete', exposedName: 'acme__review' })
  })

  it("is asked of the template's own server, under its own text", async () => {
    await complete({ type: 'ref/resource', uri: 'acme+repo://{owner}/{name}' }, { name: 'owner', value: 'a' })
    expect(scene.upstream.calls.at(-1)?.message.params.ref).toEqual({ type: 'ref/resource', uri: 'repo://{owner}/{name}' })
  })

  it.each([
    ['CATALOG_UNKNOWN_PROMPT', { type: 'ref/prompt', name: 'acme__nobody' }],
    ['AUTH_SCOPE_INSUFFICIENT', { type: 'ref/prompt', name: 'acme__secret' }],
    ['CATALOG_UNKNOWN_PROMPT', { type: 'ref/prompt', name: 'review' }],
    ['CATALOG_UNKNOWN_RESOURCE', { type: 'ref/resource', uri: 'repo://{owner}/{name}' }],
    ['CATALOG_UNKNOWN_RESOURCE', { type: 'ref/resource', uri: 'other+repo://{owner}/{name}' }],
    ['MCP_PARAMS_INVALID', { type: 'ref/tool', name: 'acme__read' }],
  ] as const)('of what the caller may not use is %s', async (code, ref) => {
    await expectRefused(
      scene,
      code,
      () => complete(ref, { name: 'x', value: '' }),
      code === 'AUTH_SCOPE_INSUFFICIENT' ? {} : { id: 1, text: /./ },
    )
  })

  it('is judged on what is known so far: a rule on an argument needs it to be there', async () => {
    const bound = { type: 'ref/prompt', name: 'acme__bound' }
    const ok = await complete(bound, { name: 'repo', value: 'w' }, { context: { arguments: { org: 'acme' } } })
    expect(ok.json.result).toBeDefined()
    const refused = { id: 1, status: 200, rpc: -32602, text: /./ }
    await expectRefused(
      scene,
      'POLICY_REFUSED',
      () => complete(bound, { name: 'repo', value: 'w' }, { context: { arguments: { org: 'globex' } } }),
      refused,
    )
    await expectRefused(scene, 'POLICY_REFUSED', () => complete(bound, { name: 'org', value: 'g' }), refused)
  })

  it('of an argument that was not reviewed is refused', async () => {
    await expectRefused(scene, 'VALIDATION_ARGUMENTS', () => complete(PROMPT, { name: 'other', value: '' }), {
      id: 1,
      status: 200,
      rpc: -32602,
      text: /./,
    })
  })

  it.each([{ values: 'x' }, { values: [1] }, { values: Array.from({ length: 101 }, String) }, {}])(
    'is not shown when it is none: %o',
    async completion => {
      const { onCall } = scene.upstream
      scene.upstream.onCall = () => ({ resultType: 'complete', completion })
      expect((await complete(PROMPT, { name: 'language', value: 'p' })).json.error).toMatchObject({ data: { code: 'UPSTREAM_INVALID' } })
      scene.upstream.onCall = onCall
    },
  )
})
