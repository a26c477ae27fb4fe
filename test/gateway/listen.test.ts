import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { POLICY, startResourceScene } from '../support/resource-scene.ts'
import { type Scene, type SceneOptions, TOOLS } from '../support/scene.ts'
import { type StreamCall, streamRequest } from '../support/stream-call.ts'

const ID = 'io.modelcontextprotocol/subscriptionId'

let scene: Scene
const open = async (options: SceneOptions = {}): Promise<Scene> => {
  scene = await startResourceScene(options)
  return scene
}
afterEach(() => scene.close())

function listen(notifications: object, { id = 7, scope }: { id?: number | string; scope?: string } = {}): Promise<StreamCall> {
  const token = scene.gateway.token(scope)
  return streamRequest(scene.gateway.url, 'subscriptions/listen', { notifications } as never, { token, id })
}

describe('subscriptions/listen', () => {
  it('[REQ-SUBSCRIPTIONS-ACK] acknowledges first, under the id of the request, what will be heard of what was asked', async () => {
    await open()
    const stream = await listen(
      { toolsListChanged: true, resourceSubscriptions: ['acme+file:///open/a', 'acme+file:///closed/c', 'other+file:///open/a'] },
      { id: 'mine' },
    )
    expect(stream.headers['content-type']).toBe('text/event-stream')
    expect(await stream.next()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: {
        notifications: { toolsListChanged: true, resourceSubscriptions: ['acme+file:///open/a'] },
        _meta: { [ID]: 'mine' },
      },
    })
    stream.leave()
    await eventually(() => scene.gateway.trail.requests().some(({ method }) => method === 'subscriptions/listen'))
    const record = scene.gateway.trail.requests().find(({ method }) => method === 'subscriptions/listen')
    expect(record).toMatchObject({ outcome: 'OK', status: 200, cancelled: true })
  })

  it("tells of a resource under the caller's own name for it, and of none that the caller may not read", async () => {
    await open()
    const stream = await listen({ resourceSubscriptions: ['acme+file:///open/a'] })
    await stream.next()
    await eventually(() => scene.upstream.listens.some(({ message }) => JSON.stringify(message).includes('file:///open/a')))
    scene.upstream.notify({ method: 'notifications/resources/updated', params: { uri: 'file:///closed/c' } })
    scene.upstream.notify({ method: 'notifications/resources/updated', params: { uri: 'file:///open/a' } })
    expect(await stream.next()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/resources/updated',
      params: { uri: 'acme+file:///open/a', _meta: { [ID]: 7 } },
    })
    stream.leave()
  })

  it('does not pass on that an upstream says its tools have changed, but says so when what this caller sees has', async () => {
    await open()
    const [reader, writer] = [await listen({ toolsListChanged: true }, { scope: 'tools:read' }), await listen({ toolsListChanged: true })]
    await reader.next()
    await writer.next()
    const looks = scene.upstream.lists.length
    // `send` changes: it is withdrawn until somebody has looked, which only the writer can see.
    scene.upstream.tools = TOOLS.map(tool => (tool.name === 'send' ? { ...tool, description: 'Changed.' } : tool))
    scene.gateway.gateway.rooms().catalog.suspect('acme', 'shared')
    await eventually(() => scene.upstream.lists.length > looks)
    expect(await writer.next()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/tools/list_changed',
      params: { _meta: { [ID]: 7 } },
    })
    expect(reader.seen).not.toContain('list_changed')
    reader.leave()
    writer.leave()
  })

  it('goes on under a new policy revision, which may show its caller something else', async () => {
    await open()
    const stream = await listen({ toolsListChanged: true, resourceSubscriptions: ['acme+file:///open/a'] })
    await stream.next()
    const file = join(scene.gateway.folder, 'tools', 'acme.yaml')
    await writeFile(file, `version: 1\nupstream: acme\ntools:\n  read: { effect: read, allow: [{ scopes: [tools:read] }] }\n`)
    await scene.gateway.gateway.reload()
    expect(await stream.next()).toMatchObject({ method: 'notifications/tools/list_changed' })
    expect(stream.seen).not.toContain('resources/updated')
    // The resource is closed to everybody now: nothing is said of it any more.
    scene.upstream.notify({ method: 'notifications/resources/updated', params: { uri: 'file:///open/a' } })
    await writeFile(file, `version: 1\nupstream: acme\ntools:\n${POLICY}\n`)
    await scene.gateway.gateway.reload()
    // What happened to it meanwhile nobody heard: it counts as changed.
    const said = [await stream.next(), await stream.next()].map(({ method }) => method)
    expect(said.sort()).toEqual(['notifications/resources/updated', 'notifications/tools/list_changed'])
    const heard = stream.seen.length
    await eventually(() => {
      scene.upstream.notify({ method: 'notifications/resources/updated', params: { uri: 'file:///open/a' } })
      return stream.seen.indexOf('resources/updated', heard) !== -1
    }, 50)
    stream.leave()
  })

  it('says after its upstream was gone and came back that what was subscribed to may have changed', async () => {
    await open()
    const stream = await listen({ resourceSubscriptions: ['acme+file:///open/a'] })
    await stream.next()
    const before = scene.upstream.listens.length
    await eventually(() => scene.upstream.listens.length > 0)
    scene.upstream.drop()
    await eventually(() => scene.upstream.listens.length > before)
    expect(await stream.next()).toMatchObject({ method: 'notifications/resources/updated', params: { uri: 'acme+file:///open/a' } })
    stream.leave()
  })

  it('[REQ-SUBSCRIPTIONS-GRACEFUL] ends with its final result when the gateway shuts down', async () => {
    await open()
    const stream = await listen({ promptsListChanged: true }, { id: 'last' })
    await stream.next()
    const closing = scene.gateway.gateway.close(2_000)
    expect(await stream.next()).toMatchObject({ id: 'last', result: { resultType: 'complete', _meta: { [ID]: 'last' } } })
    expect(await stream.rest()).toEqual([])
    await closing
  })

  it('ends with its final result when the token it was opened with does', async () => {
    await open()
    const exp = Math.floor(Date.now() / 1000) - 25
    const token = scene.gateway.token(undefined, { exp })
    const stream = await streamRequest(scene.gateway.url, 'subscriptions/listen', { notifications: {} }, { token })
    await stream.next()
    expect(await stream.next()).toMatchObject({ id: 1, result: { resultType: 'complete' } })
  })

  it('is refused beyond the number one principal may hold, whatever tokens it has, and only then', async () => {
    await open({ limits: 'listsPerMinute: 10000, subscriptions: 2' })
    const streams = [await listen({}), await listen({}, { scope: 'tools:read' })]
    const refused = await listen({})
    expect(refused.status).toBe(429)
    expect(JSON.parse(await refused.text())).toMatchObject({
      id: 7,
      error: { code: 429, data: { code: 'LIMITS_STREAMS', notProcessed: true } },
    })
    expect(scene.gateway.trail.requests().at(-1)).toMatchObject({ outcome: 'LIMITS_STREAMS' })
    streams[0]?.leave()
    await eventually(async () => (await listen({})).status === 200, 50)
  })

  it('is refused to a caller that accepts no event stream', async () => {
    await open()
    const token = scene.gateway.token()
    const headers = { accept: 'application/json' }
    const refused = await streamRequest(scene.gateway.url, 'subscriptions/listen', { notifications: {} }, { token, headers })
    expect(refused.status).toBe(406)
    expect(JSON.parse(await refused.text())).toMatchObject({ error: { code: 'HTTP_NOT_ACCEPTABLE' } })
    expect(scene.gateway.trail.requests().at(-1)).toMatchObject({ outcome: 'HTTP_NOT_ACCEPTABLE' })
  })

  it('holds up no revision: its connections close while the subscription goes on', async () => {
    await open()
    const stream = await listen({ toolsListChanged: true })
    await stream.next()
    const before = scene.gateway.gateway.rooms()
    await scene.gateway.gateway.reload()
    expect(scene.gateway.gateway.rooms()).not.toBe(before)
    expect(scene.gateway.trail.records().some(({ event }) => event === 'revision.not_closed')).toBe(false)
    stream.leave()
    // A house with a guest would keep `close` waiting for its drain time.
    await scene.gateway.gateway.close(60_000)
  })
})
