import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'

const POLICY = `  send:
    effect: write
    allow:
      - { scopes: [tools:write, mail:send] }
      - { scopes: [tools:admin, mail:admin, mail:root] }
      - { scopes: [mail:org], claims: { org: { equals: acme } } }
  read: { effect: read, allow: [{ scopes: [tools:read] }] }
  wipe:
    effect: destructive
    allow: [{ scopes: [tools:write], claims: { org: { equals: acme } }, when: [{ argument: /sure, equals: true }] }]`

let scene: Scene
beforeAll(async () => {
  scene = await startScene({ policy: POLICY })
})
afterAll(() => scene.close())

const sendAs = (scope: string, claims: Record<string, unknown> = {}) =>
  scene.raw({ headers: { Authorization: `Bearer ${scene.gateway.token(scope, claims)}` } })
const wipeAs = (scope: string, claims: Record<string, unknown>, args: object) =>
  scene.gateway.call('acme__wipe', args as never, { token: scene.gateway.token(scope, claims) })
const challenge = (scopes: string): string =>
  `Bearer error="insufficient_scope", scope="${scopes}", resource_metadata="${scene.gateway.origin}/.well-known/oauth-protected-resource/mcp"`

describe('a caller who lacks only scope', () => {
  it.each([
    'tools:read',
    '',
    'tools:write-not',
    'xtools:write',
    'tools:write\u00a0',
    'TOOLS:WRITE MAIL:SEND',
    'tools:write,mail:send',
    'tools:*',
    '*',
  ])('A-76 with %j is told all scopes of the smallest sufficient set, at once [REQ-SCOPE-CHALLENGE] [REQ-SCOPE-403]', async scope => {
    const answer = await expectRefused(scene, 'AUTH_SCOPE_INSUFFICIENT', () => sendAs(scope))
    expect(answer.headers.get('www-authenticate')).toBe(challenge('mail:send tools:write'))
  })

  it('is not asked for what another claim would open', async () => {
    const answer = await sendAs('tools:read', { org: 'acme' })
    expect(answer.headers.get('www-authenticate')).toBe(challenge('mail:org'))
  })

  it('reaches it with exactly these scopes', async () => {
    expect((await sendAs('mail:send tools:write')).status).toBe(200)
    expect((await sendAs('tools:write')).status).toBe(403)
  })
})

describe('a caller whom more scope would not help', () => {
  it('A-76 is not challenged when policy refuses the arguments', async () => {
    const answer = await expectRefused(scene, 'POLICY_REFUSED', () => wipeAs('tools:write', { org: 'acme' }, { sure: false }), {
      text: /^Refused by policy: .*sure/,
    })
    expect(answer.headers.get('www-authenticate')).toBeNull()
  })

  it('A-76 is not challenged when a claim is missing: the tool does not exist for them', async () => {
    const answer = await expectRefused(scene, 'CATALOG_UNKNOWN_TOOL', () => wipeAs('tools:write', { org: 'initech' }, { sure: true }), {
      id: 1,
    })
    expect(answer.headers.get('www-authenticate')).toBeNull()
  })

  it('learns nothing from the difference: unknown, hidden and unlisted are one answer, byte for byte', async () => {
    const ask = async (name: string, claims: Record<string, unknown>) =>
      (await scene.gateway.call(name, {}, { token: scene.gateway.token('tools:write', claims) })).text
    const hidden = await ask('acme__wipe', { org: 'initech' })
    const unknown = await ask('acme__wipf', {})
    expect(hidden.replace('acme__wipe', 'X')).toBe(unknown.replace('acme__wipf', 'X'))
    expect(hidden).toBe('{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown tool: acme__wipe"}}')
  })
})

describe('lists and calls', () => {
  it('show and take the same tools [REQ-TOOLS-ACCESS]', async () => {
    for (const [scope, org, expected] of [
      ['tools:read', 'initech', ['acme__read']],
      ['mail:send tools:write', 'initech', ['acme__send']],
      ['tools:read tools:write', 'acme', ['acme__read', 'acme__wipe']],
      ['', 'acme', []],
    ] as const) {
      const answer = await scene.gateway.send('tools/list', {}, { token: scene.gateway.token(scope, { org }) })
      const tools = (answer.json.result?.tools ?? []) as { readonly name: string }[]
      expect(tools.map(({ name }) => name)).toEqual(expected)
      expect(answer.json.result?.cacheScope).toBe('private')
      expect(answer.headers.get('cache-control')).toBe('private, no-store')
    }
  })
})
