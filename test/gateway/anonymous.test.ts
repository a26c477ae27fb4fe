import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'
import { initializeBody, openSession } from '../support/session.ts'

const OPEN = '    anonymous: { scopes: [tools:read] }\n  - { path: /closed, upstreams: [acme] }\n'

let scene: Scene
beforeAll(async () => {
  scene = await startScene({ endpointYaml: OPEN })
})
afterAll(() => scene.close())

const readBody = () => scene.body({}, { name: 'acme__read', arguments: {} })
const read = (authorization: string | undefined, path = '/mcp') =>
  scene.raw({
    line: `POST ${path} HTTP/1.1`,
    headers: { Authorization: authorization, 'Mcp-Name': 'acme__read', 'Mcp-Param-Region': undefined },
    body: readBody(),
  })

describe('an endpoint with an anonymous principal', () => {
  it('serves a caller without a token under that name, and says so in every record', async () => {
    expect((await read(undefined)).status).toBe(200)
    expect(scene.gateway.trail.last()).toMatchObject({
      outcome: 'OK',
      anonymous: true,
      issuer: 'anonymous',
      subject: '/mcp',
      scopes: 'tools:read',
    })
  })

  it('gives that caller no more than its scopes', async () => {
    const answer = await expectRefused(scene, 'AUTH_SCOPE_INSUFFICIENT', () => scene.raw({ headers: { Authorization: undefined } }))
    expect(answer.headers.get('www-authenticate')).toContain('scope="tools:write"')
  })

  it('has sessions, and they are nobody’s but its own', async () => {
    const { gateway } = scene
    const hello = await gateway.post(initializeBody('2025-11-25'))
    expect(hello.status).toBe(200)
    const id = hello.headers.get('mcp-session-id') ?? ''
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'acme__read', arguments: {} } })
    expect((await gateway.post(body, { 'mcp-session-id': id })).json.result).toMatchObject({ content: [{ text: 'done' }] })
    expect(gateway.trail.last()).toMatchObject({ outcome: 'OK', anonymous: true, session: expect.any(String) })
    const asAnn = () => gateway.post(body, { 'mcp-session-id': id, authorization: `Bearer ${gateway.token()}` })
    await expectRefused(scene, 'SESSION_UNKNOWN', asAnn, { id: 1, detail: { reason: 'principal' } })
    const own = await openSession(gateway)
    await expectRefused(scene, 'SESSION_UNKNOWN', () => gateway.post(body, { 'mcp-session-id': own.id }), { id: 1 })
  })

  it('never serves a bad token as if there were none', async () => {
    for (const bad of ['Bearer x', 'Basic x', '', `Bearer ${scene.gateway.token('tools:read', { exp: 1 })}`]) {
      await expectRefused(scene, 'AUTH_TOKEN_INVALID', () => read(bad))
    }
  })

  it('knows a caller with a token by it', async () => {
    expect((await scene.raw()).status).toBe(200)
    expect(scene.gateway.trail.last()).toMatchObject({ anonymous: false, subject: 'ann' })
  })

  it('opens no other endpoint', async () => {
    await expectRefused(scene, 'AUTH_TOKEN_MISSING', () => read(undefined, '/closed'))
  })

  it('is announced when the process starts', () => {
    expect(scene.gateway.trail.records()).toContainEqual(
      expect.objectContaining({ event: 'endpoint.anonymous', detail: { path: '/mcp', scopes: 'tools:read' } }),
    )
  })
})

describe('on a listener that others can reach', () => {
  it('it does not start, unless that is said out loud', async () => {
    await expect(startScene({ endpointYaml: OPEN, settings: { host: '0.0.0.0' } })).rejects.toMatchObject({
      faults: [expect.objectContaining({ code: 'anonymous' })],
    })
    const allowed = await startScene({ endpointYaml: OPEN, settings: { host: '0.0.0.0', 'allow-anonymous': 'true' } })
    await allowed.close()
  })
})
