import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ListenFilter, UpstreamNews } from '../../../src/mcp/index.ts'
import type { Upstream } from '../../../src/upstream/index.ts'
import { createGate, eventually } from '../../support/eventually.ts'
import { type LegacyStub, type LegacyStubOptions, sendLegacyError, startLegacyStub } from '../../support/legacy-stub.ts'
import type { Item } from '../../support/upstream-stub.ts'
import { configOf, createRoom } from '../room.ts'

let stub: LegacyStub
let room: Upstream

async function start(options: LegacyStubOptions = {}, refusedRetryMs = 100): Promise<void> {
  stub = await startLegacyStub(options)
  stub.capabilities = { tools: { listChanged: true }, resources: { subscribe: true, listChanged: true } }
  room = createRoom(configOf(stub.url, { era: 'legacy' }), { listenTimings: { firstRetryMs: 20, maxRetryMs: 200, refusedRetryMs } })
}
beforeEach(() => start())
afterEach(async () => {
  await room.abort()
  await stub.close()
})

function listen(filter: Partial<ListenFilter>): { readonly news: UpstreamNews[]; close(): void } {
  const news: UpstreamNews[] = []
  const whole = { tools: false, prompts: false, resources: false, uris: [], taskIds: [], ...filter }
  return { news, ...room.listen('tickets', whole, item => news.push(item), 'shared') }
}
const changed = (list: string): Item => ({ method: `notifications/${list}/list_changed` })
const updated = (uri: string): Item => ({ method: 'notifications/resources/updated', params: { uri } })
const begun = { kind: 'begun' }
const resumed = { kind: 'resumed' }

describe('news of a legacy server', () => {
  it('begin when its GET stream stands, and are those that were asked for', async () => {
    const { news } = listen({ tools: true })
    await eventually(() => news.length === 1)
    stub.notify(changed('prompts'))
    stub.notify(updated('file:///a'))
    stub.notify(changed('tools'))
    await eventually(() => news.length === 2)
    expect(news).toEqual([begun, { kind: 'list_changed', list: 'tools' }])
    expect(stub.of('GET').map(({ headers }) => headers)).toMatchObject([
      { accept: 'text/event-stream', 'mcp-session-id': [...stub.sessions][0] },
    ])
  })

  it('of resources are subscribed to before they begin, each once, and unsubscribed when the last has left', async () => {
    const one = listen({ uris: ['file:///a', 'file:///b'] })
    await eventually(() => one.news.length === 1)
    expect(stub.of('resources/subscribe').map(({ message }) => message.params?.uri)).toEqual(['file:///a', 'file:///b'])
    const two = listen({ uris: ['file:///b'] })
    await eventually(() => two.news.length === 1)
    stub.notify(updated('file:///a'))
    stub.notify(updated('file:///b/part'))
    stub.notify(updated('file:///bc'))
    await eventually(() => one.news.length === 3 && two.news.length === 2)
    expect(two.news).toEqual([begun, { kind: 'resource_updated', uri: 'file:///b/part' }])
    expect(one.news[1]).toEqual({ kind: 'resource_updated', uri: 'file:///a' })
    one.close()
    await eventually(() => stub.of('resources/unsubscribe').length === 1)
    expect(stub.of('resources/unsubscribe')[0]?.message.params).toEqual({ uri: 'file:///a' })
    two.close()
    await eventually(() => stub.of('resources/unsubscribe').length === 2)
    expect(stub.of('resources/subscribe')).toHaveLength(2)
    expect(stub.of('initialize')).toHaveLength(1)
  })

  it('of resources are not subscribed to where the server does not offer it', async () => {
    stub.capabilities = { resources: {} }
    const { news } = listen({ uris: ['file:///a'] })
    await eventually(() => news.length === 1)
    expect(stub.of('resources/subscribe')).toEqual([])
  })

  it('of others do not wait for a server that is slow to take what somebody wants, and who comes and goes meanwhile leaves nothing behind', async () => {
    const gate = createGate()
    stub.on.set('resources/subscribe', async () => {
      await gate.opened
      return {}
    })
    const first = listen({ uris: ['file:///a'] })
    await eventually(() => stub.of('resources/subscribe').length === 1)
    for (let times = 0; times < 50; times += 1) listen({ uris: [`file:///${times}`, 'file:///b'] }).close()
    const tools = listen({ tools: true })
    await eventually(() => tools.news.length === 1)
    const last = listen({ uris: ['file:///c'] })
    expect([first.news, last.news]).toEqual([[], []])
    gate.open()
    await eventually(() => first.news.length === 1 && last.news.length === 1)
    // Nobody wants the others any more, so nobody asked for them.
    expect(stub.of('resources/subscribe').map(({ message }) => message.params?.uri)).toEqual(['file:///a', 'file:///c'])
    expect(stub.of('resources/unsubscribe')).toEqual([])
  })

  it('are subscribed to anew only when the last word about them before is taken, though nobody listened in between', async () => {
    const gate = createGate()
    stub.on.set('resources/unsubscribe', async () => {
      await gate.opened
      return {}
    })
    const first = listen({ uris: ['file:///a'] })
    await eventually(() => first.news.length === 1)
    first.close()
    await eventually(() => stub.of('resources/unsubscribe').length === 1)
    const second = listen({ uris: ['file:///a'] })
    const tools = listen({ tools: true })
    await eventually(() => tools.news.length === 1)
    expect(stub.of('resources/subscribe')).toHaveLength(1)
    gate.open()
    await eventually(() => second.news.length === 1)
    expect(stub.of('resources/subscribe')).toHaveLength(2)
    expect(stub.of('initialize')).toHaveLength(1)
  })

  it('begin when whoever listens has got hold of it, and not before, also where nothing is to be waited for', async () => {
    const first = listen({ uris: ['file:///a'] })
    await eventually(() => first.news.length === 1)
    const second = listen({ uris: ['file:///a'] })
    expect(second.news).toEqual([])
    await eventually(() => second.news.length === 1)
  })

  it('begin all the same where one subscription is refused', async () => {
    stub.on.set('resources/subscribe', ({ message }, response) => sendLegacyError(response, message.id, -32002, 'no'))
    const { news } = listen({ uris: ['file:///a'] })
    await eventually(() => news.length === 1)
  })

  it('resume in the same session when the stream was lost', async () => {
    const { news } = listen({ tools: true })
    await eventually(() => news.length === 1)
    stub.drop()
    await eventually(() => news.length === 2)
    expect(news).toEqual([begun, resumed])
    expect(stub.of('initialize')).toHaveLength(1)
  })

  it('resume in a new one, subscribed anew, when the server has forgotten the session', async () => {
    const { news } = listen({ uris: ['file:///a'] })
    await eventually(() => news.length === 1)
    stub.sessions.clear()
    stub.drop()
    await eventually(() => news.length === 2)
    expect(news).toEqual([begun, resumed])
    expect(stub.of('resources/subscribe').at(-1)?.session).toBe([...stub.sessions].at(-1))
  })

  it('that could not begin at once resume when they can', async () => {
    stub.on.set('initialize', (_seen, response) => void response.writeHead(503).end())
    const { news } = listen({ tools: true })
    await eventually(() => stub.of('initialize').length > 1)
    stub.on.delete('initialize')
    await eventually(() => news.length === 1)
    expect(news).toEqual([resumed])
  })

  it('never begin where there is no GET stream, which is asked for seldom (405)', async () => {
    await room.abort()
    await stub.close()
    await start({ channel: false }, 60_000)
    const { news } = listen({ tools: true })
    await eventually(() => stub.of('GET').length > 0)
    await new Promise(resolve => setTimeout(resolve, 80))
    expect(stub.of('GET')).toHaveLength(1)
    expect(news).toEqual([])
    // Lists are none the worse for it (B107).
    expect((await room.fetchList('tickets', 'tool', undefined, 'shared')).value).toMatchObject({ result: { tools: [] } })
  })

  it('without end are few when they reach us, and requests among them are refused', async () => {
    const { news } = listen({ tools: true })
    await eventually(() => news.length === 1)
    for (let count = 0; count < 500; count += 1) stub.notify(changed('tools'))
    stub.notify({ id: 'q', method: 'elicitation/create', params: {} })
    stub.notify({ id: 'p', method: 'ping' })
    await eventually(() => stub.of('response').length === 2)
    expect(stub.of('response').map(({ message }) => message)).toMatchObject([
      { id: 'q', error: { code: -32603 } },
      { id: 'p', result: {} },
    ])
    expect(news.length).toBeLessThan(10)
  })

  it('an answer on the GET stream is nobody’s', async () => {
    const { news } = listen({ tools: true })
    await eventually(() => news.length === 1)
    stub.on.set('tools/list', async ({ message }, response) => {
      stub.notify({ id: message.id, result: { tools: [{ name: 'forged' }] } })
      await new Promise(resolve => setTimeout(resolve, 50))
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { tools: [] } }))
    })
    expect((await room.fetchList('tickets', 'tool', undefined, 'shared')).value).toMatchObject({ result: { tools: [] } })
  })

  it('are not heard by who has left', async () => {
    const one = listen({ tools: true })
    await eventually(() => one.news.length === 1)
    one.close()
    stub.notify(changed('tools'))
    const two = listen({ tools: true })
    await eventually(() => two.news.length === 1)
    expect(two.news).toEqual([begun])
    expect(one.news).toEqual([begun])
  })
})
