import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { createTestClock } from '../support/clock.ts'
import type { Answer } from '../support/gateway.ts'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'
import { EARLIER, inSession, openSession } from '../support/session.ts'
import { text } from '../support/upstream-stub.ts'

let scene: Scene
afterEach(() => scene.close())

const shape = ({ status, text: body }: Answer): unknown => [status, body.replace(/"errorId":"[^"]+"/, '')]

describe('a session id', () => {
  it('B47 that is expired, of another life, made up, or another’s, is one 404 that tells nothing', async () => {
    const clock = createTestClock()
    scene = await startScene({ serve: { clock } })
    const { gateway } = scene
    const bob = gateway.token('tools:read tools:write', { sub: 'bob' })
    const session = await openSession(gateway)
    const before = await startScene()
    const { id: foreign } = await openSession(before.gateway)
    await before.close()

    const answers: unknown[] = []
    const refused = async (id: string, token: string | undefined, reason: string): Promise<void> => {
      const send = () => inSession(gateway, id, token === undefined ? {} : { token }).send('tools/list')
      const answer = await expectRefused(scene, 'SESSION_UNKNOWN', send, { id: 1, detail: { reason } })
      expect(answer.headers.get('www-authenticate')).toBeNull()
      answers.push(shape(answer))
    }
    await refused(foreign, undefined, 'seal')
    await refused('5f0c8c1e-3c1b-4d6e-9a5a-1f4f0e5b3b1a', undefined, 'seal')
    await refused(session.id, bob, 'principal')
    expect((await session.send('tools/list')).status).toBe(200)
    clock.advance(86_400_000)
    await refused(session.id, gateway.token('tools:read', { exp: clock.now() / 1000 + 60 }), 'expired')
    for (const answer of answers) expect(answer).toEqual(answers[0])
  })

  it('B47 means nothing to a modern request, and is not echoed', async () => {
    scene = await startScene()
    const { id } = await openSession(scene.gateway)
    for (const given of [id, 'none']) {
      const answer = await scene.gateway.send('tools/list', {}, { headers: { 'mcp-session-id': given } })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('mcp-session-id')).toBeNull()
      expect(answer.json.result).toMatchObject({ resultType: 'complete' })
      expect(scene.gateway.trail.last()).not.toHaveProperty('session')
    }
  })

  it('that is none leaves a record of what was asked with it', async () => {
    scene = await startScene()
    const none = inSession(scene.gateway, 'none')
    await expectRefused(scene, 'SESSION_UNKNOWN', () => none.notify('notifications/initialized'))
    expect(scene.gateway.trail.last()).toMatchObject({ method: 'notifications/initialized' })
    await expectRefused(scene, 'SESSION_UNKNOWN', () => none.call('acme__read'), { id: 1 })
    expect(scene.gateway.trail.last()).toMatchObject({ method: 'tools/call', exposedName: 'acme__read', effectStatus: 'not_started' })
    await expectRefused(scene, 'SESSION_UNKNOWN', () => none.post({ jsonrpc: '2.0', id: 1, result: {} }))
  })

  it('opens nothing: each request is judged by its own token', async () => {
    scene = await startScene()
    const session = await openSession(scene.gateway)
    const reader = scene.gateway.token('tools:read')
    await expectRefused(scene, 'AUTH_TOKEN_INVALID', () => session.send('tools/list', {}, { token: 'bad' }))
    await expectRefused(scene, 'AUTH_SCOPE_INSUFFICIENT', () => session.call('acme__send', { to: 'a' }, { token: reader }))
    expect((await session.call('acme__read', {}, { token: reader })).status).toBe(200)
  })

  it('has to be there, once', async () => {
    scene = await startScene()
    const session = await openSession(scene.gateway)
    await expectRefused(scene, 'SESSION_REQUIRED', () => session.send('tools/list', {}, { headers: { 'mcp-session-id': undefined } }), {
      id: 1,
    })
    const headers = {
      'Mcp-Method': undefined,
      'Mcp-Name': undefined,
      'MCP-Protocol-Version': '2025-11-25',
      'Mcp-Session-Id': [session.id, session.id],
    }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    await expectRefused(scene, 'MCP_HEADER_MISMATCH', () => scene.raw({ headers, body }), { id: 1, detail: { reason: 'duplicate' } })
  })

  it.each([undefined, ...EARLIER])('may come with version header %s, whatever was agreed on', async version => {
    scene = await startScene()
    const session = await openSession(scene.gateway, { protocolVersion: '2025-06-18' })
    expect((await session.send('tools/list', {}, { headers: { 'mcp-protocol-version': version } })).status).toBe(200)
    expect(scene.gateway.trail.last()).toMatchObject({ protocolVersion: '2025-06-18' })
  })

  it.each(['2024-11-05', '2025-11-26', 'x'])('is refused under version header %s', async version => {
    scene = await startScene()
    const session = await openSession(scene.gateway)
    const send = () => session.send('tools/list', {}, { headers: { 'mcp-protocol-version': version } })
    const { json } = await expectRefused(scene, 'MCP_VERSION_UNSUPPORTED', send, { id: 1 })
    expect(json.error?.data).toEqual({ supported: ['2026-07-28', ...EARLIER], requested: version })
  })

  it('under a modern version header is no session, and the request no modern one', async () => {
    scene = await startScene()
    const session = await openSession(scene.gateway)
    const send = () => session.send('tools/list', {}, { headers: { 'mcp-protocol-version': '2026-07-28' } })
    await expectRefused(scene, 'MCP_PARAMS_INVALID', send, { id: 1 })
  })

  it('B99 is written nowhere, nor any part of it; records and spans know the session by another name', async () => {
    scene = await startScene()
    const session = await openSession(scene.gateway)
    await session.send('tools/list')
    await session.call('acme__none')
    await session.call('acme__send', {})
    await session.notify('notifications/cancelled', { requestId: 1 })
    const answers = [await inSession(scene.gateway, `${session.id}A`).send('tools/list'), await session.send('x'), await session.post('{')]
    const written = scene.gateway.trail.sink.lines.join('\n') + answers.map(({ text: body }) => body).join('\n')
    for (let at = 0; at + 12 <= session.id.length; at += 6) expect(written).not.toContain(session.id.slice(at, at + 12))
    const names = new Set(scene.gateway.trail.requests().flatMap(({ session: name }) => (typeof name === 'string' ? [name] : [])))
    expect(names.size).toBe(1)
    expect(scene.gateway.trail.requests().find(({ method }) => method === 'initialize')).toMatchObject({ session: [...names][0] })
  })
})

describe('one session', () => {
  it('B75 of a client that sends every request with id 1 gives each its own answer', async () => {
    scene = await startScene({
      policy: '  send: { effect: write, allow: [{ scopes: [tools:write] }] }\n  read: { effect: read, allow: [{ scopes: [tools:read] }] }',
      onCall: async ({ message }) => {
        const { to } = message.params.arguments as { to: string }
        await sleep((Number(to.split('-')[1]) * 7) % 50)
        return text(`for ${to}`)
      },
    })
    const bob = scene.gateway.token('tools:read tools:write', { sub: 'bob' })
    const sessions = [await openSession(scene.gateway), await openSession(scene.gateway, { token: bob })]
    const calls = sessions.flatMap((session, who) =>
      Array.from({ length: 50 }, async (_, index) => {
        const to = `${who}-${index}`
        const { status, json } = await session.call('acme__send', { to, region: 'eu' }, { id: 1 })
        expect([status, json.id, json.result?.content?.[0]?.text]).toEqual([200, 1, `for ${to}`])
      }),
    )
    await Promise.all(calls)
    expect(new Set(scene.upstream.calls.map(({ message }) => message.id)).size).toBe(100)
  })
})

describe('minProtocolVersion', () => {
  it('is the oldest revision that is spoken at an endpoint', async () => {
    scene = await startScene({ endpointYaml: '    minProtocolVersion: 2025-11-25' })
    const session = await openSession(scene.gateway, { protocolVersion: '2025-03-26' })
    expect(session.hello.json.result?.protocolVersion).toBe('2025-11-25')
    const discovered = await scene.gateway.send('server/discover')
    expect(discovered.json.result?.supportedVersions).toEqual(['2026-07-28', '2025-11-25'])
  })

  it('ends the sessions that are older, when it is raised', async () => {
    scene = await startScene()
    const [older, newer] = [await openSession(scene.gateway, { protocolVersion: '2025-06-18' }), await openSession(scene.gateway)]
    const file = `${scene.gateway.folder}/gateway.yaml`
    const yaml = await readFile(file, 'utf8')
    await writeFile(file, yaml.replace('  - path: /mcp\n', '  - path: /mcp\n    minProtocolVersion: 2025-11-25\n'))
    await scene.gateway.gateway.reload()
    await expectRefused(scene, 'SESSION_UNKNOWN', () => older.send('ping'), { id: 1, detail: { reason: 'revision' } })
    // Who still speaks what is seen by it.
    expect(scene.gateway.trail.last()).toMatchObject({ protocolVersion: '2025-06-18' })
    expect((await newer.send('ping')).status).toBe(200)
  })
})

describe('what costs little is not free', () => {
  it.each([
    ['ping', undefined],
    ['logging/setLevel', { level: 'info' }],
    ['resources/subscribe', { uri: 'acme+doc://one' }],
    ['resources/unsubscribe', { uri: 'acme+doc://one' }],
  ])('%s is limited with all small requests', async (method, params) => {
    scene = await startScene({ limits: 'requestsPerMinute: 3', serve: { clock: createTestClock() } })
    const session = await openSession(scene.gateway)
    await session.send(method, params)
    await session.send(method, params)
    const answer = await expectRefused(scene, 'LIMITS_LIST_EXCEEDED', () => session.send(method, params), { id: 1, status: 200 })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    // What has no answer to read says it with its status.
    const notify = () => session.notify('notifications/cancelled', { requestId: 1 })
    await expectRefused(scene, 'LIMITS_LIST_EXCEEDED', notify, { status: 429 })
    await expectRefused(scene, 'LIMITS_LIST_EXCEEDED', () => session.post({ jsonrpc: '2.0', id: 1, result: {} }), { status: 429 })
  })

  it('initialize is limited with lists', async () => {
    scene = await startScene({ limits: 'listsPerMinute: 2', serve: { clock: createTestClock() } })
    const session = await openSession(scene.gateway)
    await openSession(scene.gateway)
    await expectRefused(scene, 'LIMITS_LIST_EXCEEDED', () => session.send('tools/list'), { id: 1, status: 200 })
    await expect(openSession(scene.gateway)).rejects.toThrow('no session: 200')
    expect(scene.gateway.trail.last()).toMatchObject({ method: 'initialize', outcome: 'LIMITS_LIST_EXCEEDED' })
  })
})
