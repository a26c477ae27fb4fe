import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { POLICY, startResourceScene } from '../support/resource-scene.ts'
import { type Scene, type SceneOptions, TOOLS } from '../support/scene.ts'
import { EARLIER, openSession } from '../support/session.ts'
import { endSession, hear } from '../support/session-events.ts'

const OPEN_A = 'acme+file:///open/a'

let scene: Scene
const open = async (options: SceneOptions = {}): Promise<Scene> => {
  scene = await startResourceScene(options)
  return scene
}
afterEach(() => scene.close())

const updated = (uri: string): void => scene.upstream.notify({ method: 'notifications/resources/updated', params: { uri } })

/** What the gateway wants to hear of, by the last of its requests. */
const wantedUris = () =>
  scene.upstream.listens
    .slice(-1)
    .map(({ message }) => [...((message.params.notifications as { resourceSubscriptions?: string[] }).resourceSubscriptions ?? [])].sort())

/** `send` changes: it is withdrawn until somebody has looked. */
async function changeTool(): Promise<void> {
  const looks = scene.upstream.lists.length
  scene.upstream.tools = TOOLS.map(tool => (tool.name === 'send' ? { ...tool, description: `Changed ${looks}.` } : tool))
  scene.gateway.gateway.rooms().catalog.suspect('acme', 'shared')
  await eventually(() => scene.upstream.lists.length > looks)
}

describe('the stream of a session', () => {
  it.each(EARLIER)(
    'of %s begins with an event id where the revision has that, and with nothing where it has not',
    async protocolVersion => {
      await open()
      const session = await openSession(scene.gateway, { protocolVersion })
      const stream = await hear(scene.gateway, session)
      expect(stream.status).toBe(200)
      expect(stream.headers['content-type']).toBe('text/event-stream')
      expect(stream.headers['mcp-session-id']).toBeUndefined()
      await changeTool()
      const first = await stream.next()
      if (protocolVersion === '2025-11-25') expect(first).toMatchObject({ id: expect.any(String), retry: '1000', data: '' })
      const told = protocolVersion === '2025-11-25' ? await stream.next() : first
      expect(told).toEqual({
        id: expect.stringMatching(/^[A-Za-z0-9_-]+$/),
        retry: undefined,
        data: '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}',
        message: expect.anything(),
      })
      expect(told.id).not.toBe(first === told ? undefined : first.id)
      stream.cut()
    },
  )

  it('tells of what its own client sees, and of nothing else that changes', async () => {
    await open()
    const reader = await openSession(scene.gateway, { token: scene.gateway.token('tools:read') })
    const writer = await openSession(scene.gateway)
    const [readers, writers] = [
      await hear(scene.gateway, reader, { token: scene.gateway.token('tools:read') }),
      await hear(scene.gateway, writer),
    ]
    await changeTool()
    expect(await writers.message()).toMatchObject({ method: 'notifications/tools/list_changed' })
    expect(readers.seen).not.toContain('list_changed')
    readers.cut()
    writers.cut()
  })

  it('tells of a resource from when it is subscribed to until it is not, and only of one that may be read', async () => {
    await open()
    const session = await openSession(scene.gateway)
    const stream = await hear(scene.gateway, session)
    await stream.next()
    expect((await session.send('resources/subscribe', { uri: OPEN_A })).json).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
    // It may have changed before anybody listened.
    expect(await stream.message()).toEqual({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: OPEN_A } })
    updated('file:///open/a')
    expect(await stream.message()).toMatchObject({ params: { uri: OPEN_A } })
    const listens = scene.upstream.listens.length
    await session.send('resources/subscribe', { uri: 'acme+file:///open/b' })
    // Of the one that was heard without a gap nothing is said again.
    expect(await stream.message()).toMatchObject({ params: { uri: 'acme+file:///open/b' } })
    expect(wantedUris()).toEqual([['file:///open/a', 'file:///open/b']])
    await session.send('resources/unsubscribe', { uri: OPEN_A })
    await eventually(() => scene.upstream.listens.length === listens + 2)
    expect(wantedUris()).toEqual([['file:///open/b']])
    await session.send('resources/unsubscribe', { uri: 'acme+file:///open/b' })
    await session.send('resources/unsubscribe', { uri: 'acme+file:///open/b' })
    expect((await session.send('resources/subscribe', { uri: 'acme+file:///closed/c' })).json.error).toBeDefined()
    stream.cut()
  })

  it('a second one takes the place of the first, and the session lives on', async () => {
    await open({ limits: 'listsPerMinute: 10000, subscriptions: 1' })
    const session = await openSession(scene.gateway)
    const first = await hear(scene.gateway, session)
    const second = await hear(scene.gateway, session)
    expect(second.status).toBe(200)
    expect(await first.ended()).toBe('whole')
    await changeTool()
    expect(await second.message()).toMatchObject({ method: 'notifications/tools/list_changed' })
    expect(first.seen).not.toContain('list_changed')
    expect((await session.send('ping')).json.result).toEqual({})
    // Another session of the same person is another stream.
    const other = await openSession(scene.gateway)
    const refused = await hear(scene.gateway, other)
    expect(refused.status).toBe(429)
    expect(scene.gateway.trail.requests().at(-1)).toMatchObject({ outcome: 'LIMITS_STREAMS', httpMethod: 'GET' })
    second.cut()
  })

  it('ends when the session does, and what is named by it is not there any more', async () => {
    await open()
    const session = await openSession(scene.gateway)
    const stream = await hear(scene.gateway, session)
    expect(await endSession(scene.gateway, session)).toEqual({ status: 204, text: '' })
    expect(await stream.ended()).toBe('whole')
    expect((await hear(scene.gateway, session)).status).toBe(404)
    expect((await session.send('ping')).status).toBe(404)
    expect((await endSession(scene.gateway, session)).status).toBe(404)
  })

  it('ends with the token it was opened with, and says when to come back', async () => {
    await open()
    const token = scene.gateway.token(undefined, { exp: Math.floor(Date.now() / 1000) - 25 })
    const session = await openSession(scene.gateway, { token })
    const stream = await hear(scene.gateway, session, { token })
    const events = await stream.rest()
    expect(events.map(({ retry }) => retry)).toEqual(['1000', '1000'])
    expect(await stream.ended()).toBe('whole')
    expect((await hear(scene.gateway, session, { token })).status).toBe(401)
    // The session is bound to who opened it, not to the token.
    const again = await hear(scene.gateway, session)
    expect(again.status).toBe(200)
    again.cut()
  })

  it('ends when the process drains', async () => {
    await open()
    const session = await openSession(scene.gateway)
    const stream = await hear(scene.gateway, session)
    const closing = scene.gateway.gateway.close(2_000)
    expect(await stream.ended()).toBe('whole')
    expect(stream.seen.endsWith('retry: 1000\n\n')).toBe(true)
    await closing
  })

  it('goes on under a new policy revision, and keeps none of the old one', async () => {
    await open()
    const session = await openSession(scene.gateway)
    const stream = await hear(scene.gateway, session)
    await stream.next()
    await session.send('resources/subscribe', { uri: OPEN_A })
    await stream.message()
    const { upstream } = scene.gateway.gateway.rooms()
    const { close } = upstream
    let isClosed = false
    Object.assign(upstream, {
      close: () => {
        isClosed = true
        return close()
      },
    })
    const file = join(scene.gateway.folder, 'tools', 'acme.yaml')
    await writeFile(file, `version: 1\nupstream: acme\ntools:\n  read: { effect: read, allow: [{ scopes: [tools:read] }] }\n`)
    await scene.gateway.gateway.reload()
    const first = [await stream.message(), await stream.message()].map(({ method }) => method)
    expect(first.sort()).toEqual(['notifications/resources/list_changed', 'notifications/tools/list_changed'])
    // The resource is closed to everybody now.
    updated('file:///open/a')
    await writeFile(file, `version: 1\nupstream: acme\ntools:\n${POLICY}\n`)
    await scene.gateway.gateway.reload()
    const then = [await stream.message(), await stream.message(), await stream.message()].map(({ method }) => method)
    expect(then.sort()).toEqual([...first, 'notifications/resources/updated'].sort())
    // What it began under is closed meanwhile: nobody holds it open.
    await eventually(() => isClosed)
    stream.cut()
  })

  it('ends under a revision that serves no sessions any more', async () => {
    await open()
    const session = await openSession(scene.gateway)
    const stream = await hear(scene.gateway, session)
    await stream.next()
    const file = join(scene.gateway.folder, 'gateway.yaml')
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replace('  - path: /mcp\n', "  - path: /mcp\n    minProtocolVersion: '2026-07-28'\n"))
    await scene.gateway.gateway.reload()
    expect(await stream.ended()).toBe('whole')
    expect((await hear(scene.gateway, session)).status).toBe(405)
  })

  it('B103 is silent while nothing changes, and says once what changes often', async () => {
    await open()
    const session = await openSession(scene.gateway)
    const stream = await hear(scene.gateway, session)
    await stream.next()
    const { catalog } = scene.gateway.gateway.rooms()
    for (let time = 0; time < 4; time += 1) {
      const looks = scene.upstream.lists.length
      if (time === 2) scene.upstream.tools = [...TOOLS].reverse()
      catalog.suspect('acme', 'shared')
      await eventually(() => scene.upstream.lists.length > looks)
    }
    await changeTool()
    await stream.message()
    await new Promise(resolve => setTimeout(resolve, 300))
    expect(stream.seen.match(/list_changed/g)).toHaveLength(1)
    stream.cut()
  })
})

describe('a client that comes back to it', () => {
  it('with the id of an event is told of what has changed since, on the same process or another, and of nothing else', async () => {
    await open()
    const session = await openSession(scene.gateway)
    const first = await hear(scene.gateway, session)
    await first.next()
    first.cut()
    const unchanged = await hear(scene.gateway, session, { lastEventId: first.lastId })
    expect(await unchanged.next()).toMatchObject({ data: '' })
    unchanged.cut()
    await changeTool()
    const second = await hear(scene.gateway, session, { lastEventId: unchanged.lastId })
    expect(await second.message()).toMatchObject({ method: 'notifications/tools/list_changed' })
    second.cut()
    const third = await hear(scene.gateway, session, { lastEventId: second.lastId })
    await third.next()
    await new Promise(resolve => setTimeout(resolve, 200))
    expect(third.seen).not.toContain('list_changed')
    third.cut()
  })

  it.each(['x', '', '7', 'a.b', 'a.0', 'a'.repeat(4_000), '0'.repeat(100)])(
    'with an id that is none (%#) is told so',
    async lastEventId => {
      await open()
      const session = await openSession(scene.gateway)
      const answer = await hear(scene.gateway, session, { lastEventId })
      expect(answer.status).toBe(400)
      await answer.ended()
      expect(JSON.parse(answer.seen)).toMatchObject({
        error: { code: -32600, data: { code: 'SESSION_EVENT_UNKNOWN' } },
      })
      await eventually(() => scene.gateway.trail.requests().at(-1)?.outcome === 'SESSION_EVENT_UNKNOWN')
    },
  )

  it('with the id of another session is told so', async () => {
    await open()
    const [one, other] = [await openSession(scene.gateway), await openSession(scene.gateway)]
    const stream = await hear(scene.gateway, one)
    await stream.next()
    expect((await hear(scene.gateway, other, { lastEventId: stream.lastId })).status).toBe(400)
    stream.cut()
  })
})

describe('GET and DELETE', () => {
  it('of another person know no such session', async () => {
    await open()
    const session = await openSession(scene.gateway)
    const token = scene.gateway.token(undefined, { sub: 'somebody-else' })
    expect((await hear(scene.gateway, session, { token })).status).toBe(404)
    expect((await endSession(scene.gateway, session, { token })).status).toBe(404)
    expect((await session.send('ping')).json.result).toEqual({})
  })

  it('of a client that takes no event stream are refused, and ended', async () => {
    await open()
    const session = await openSession(scene.gateway)
    const answer = await hear(scene.gateway, session, { headers: { accept: 'application/json' } })
    expect(answer.status).toBe(406)
    expect((await endSession(scene.gateway, session, { headers: { accept: 'application/json' } })).status).toBe(204)
  })

  it('leave a record each, with the session and without its id', async () => {
    await open()
    const session = await openSession(scene.gateway)
    const stream = await hear(scene.gateway, session)
    await stream.next()
    stream.cut()
    await eventually(() => scene.gateway.trail.requests().some(({ httpMethod }) => httpMethod === 'GET'))
    await endSession(scene.gateway, session)
    const records = scene.gateway.trail.requests().filter(({ httpMethod }) => httpMethod !== 'POST')
    expect(records).toMatchObject([
      { httpMethod: 'GET', outcome: 'OK', status: 200, cancelled: false, protocolVersion: '2025-11-25', session: expect.any(String) },
      { httpMethod: 'DELETE', outcome: 'OK', status: 204, protocolVersion: '2025-11-25', session: records[0]?.session },
    ])
    expect(scene.gateway.trail.sink.lines.join()).not.toContain(session.id)
    expect(scene.gateway.trail.sink.lines.join()).not.toContain(String(stream.lastId))
  })
})
