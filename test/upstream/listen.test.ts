import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ListenFilter, UpstreamNews } from '../../src/mcp/index.ts'
import { ListenStream } from '../../src/upstream/listen-stream.ts'
import { LISTEN_TIMINGS, Listening, type ListenTimings } from '../../src/upstream/listening.ts'
import { createPeer } from '../../src/upstream/peer.ts'
import { ReadingPace } from '../../src/upstream/reading-pace.ts'
import { eventually } from '../support/eventually.ts'
import { type OnCall, startUpstreamStub, text, type UpstreamStub } from '../support/upstream-stub.ts'
import { configOf, createCaller, createRoom, eventHead, intentOf, pour, writeEvent } from './room.ts'

let stub: UpstreamStub
const rooms: { abort(): Promise<void> }[] = []
let news: UpstreamNews[] = []
let begun = 0
beforeAll(async () => {
  stub = await startUpstreamStub([])
})
afterAll(() => stub.close())
beforeEach(() => {
  news = []
  begun = 0
  stub.listens.length = 0
  stub.onListen = undefined
})
afterEach(() => Promise.all(rooms.splice(0).map(room => room.abort())))

const FAST: Partial<ListenTimings> = { firstRetryMs: 5, maxRetryMs: 20, refusedRetryMs: 60_000 }
const LISTS: ListenFilter = { tools: true, prompts: false, resources: true, uris: [], taskIds: [] }
const TASK = { taskId: 't1', status: 'working', createdAt: 'x', lastUpdatedAt: 'x', ttlMs: null }

function openRoom(changes: Parameters<typeof configOf>[1] = {}, timings: Partial<ListenTimings> = {}) {
  const config = configOf(stub.url, { credentialHeaders: [['authorization', 'Bearer ours']], ...changes })
  const room = createRoom(config, { listenTimings: { ...FAST, ...timings }, random: () => 1 })
  rooms.push(room)
  return room
}

/** Listens, and waits for the subscription to stand. */
async function listen(filter: ListenFilter, timings?: Partial<ListenTimings>): Promise<{ close(): void }> {
  const listening = openRoom({ streamIdleMs: 3_600_000 }, timings).listen('tickets', filter, hear, 'shared')
  await eventually(() => stub.listens.length > 0)
  return listening
}

/** That a first stream stands is for who waits for it; one test does. */
const hear = (item: UpstreamNews): void => {
  if (item.kind === 'begun') begun += 1
  else news.push(item)
}

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId'
const notice = (method: string, id: unknown, params: object = {}): object => ({
  jsonrpc: '2.0',
  method,
  params: { ...params, _meta: { [SUBSCRIPTION]: id } },
})
const acknowledged = (id: unknown): object => notice('notifications/subscriptions/acknowledged', id, { notifications: {} })
const changed = (id: unknown, list = 'tools'): object => notice(`notifications/${list}/list_changed`, id)
const resumed = (): number => news.filter(({ kind }) => kind === 'resumed').length

/** Acknowledges, then says these. */
const saying =
  (messages: (id: number) => readonly object[], before: (response: ServerResponse) => void = () => {}): OnCall =>
  ({ message: { id } }, response) => {
    eventHead(response)
    before(response)
    for (const message of messages(id)) writeEvent(response, message)
  }

describe('a subscription', () => {
  it('is asked for under our own name and credential, with what is wanted', async () => {
    await listen({ tools: true, prompts: false, resources: false, uris: ['file:///a'], taskIds: ['t1'] })
    const [{ headers, message }] = stub.listens as [(typeof stub.listens)[0]]
    expect(headers).toMatchObject({ authorization: 'Bearer ours', 'mcp-method': 'subscriptions/listen' })
    expect(message.params).toMatchObject({
      notifications: { toolsListChanged: true, resourceSubscriptions: ['file:///a'], taskIds: ['t1'] },
    })
  })

  it('says when it stands, once, and not before the server has acknowledged it', async () => {
    let acknowledge = (): void => {}
    stub.onListen = ({ message: { id } }, response) => {
      eventHead(response)
      acknowledge = () => writeEvent(response, acknowledged(id))
    }
    await listen(LISTS)
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(begun).toBe(0)
    acknowledge()
    await eventually(() => begun === 1)
    stub.onListen = undefined
  })

  it('brings what was asked for, as it is said, and nothing else', async () => {
    await listen({ ...LISTS, uris: ['file:///a'], taskIds: ['t1'] })
    stub.notify({ method: 'notifications/tools/list_changed' })
    stub.notify({ method: 'notifications/prompts/list_changed' })
    stub.notify({ method: 'notifications/resources/list_changed' })
    stub.notify({ method: 'notifications/resources/updated', params: { uri: 'file:///a/part' } })
    stub.notify({ method: 'notifications/tasks', params: { ...TASK, taskId: 'another' } })
    stub.notify({ method: 'notifications/whatever' })
    stub.notify({ method: 'notifications/tasks', params: TASK })
    await eventually(() => news.length >= 4)
    expect(news).toEqual([
      { kind: 'list_changed', list: 'tools' },
      { kind: 'list_changed', list: 'resources' },
      { kind: 'resource_updated', uri: 'file:///a/part' },
      expect.objectContaining({ kind: 'task', taskId: 't1' }),
    ])
    expect(stub.listens).toHaveLength(1)
  })

  it('that was cut is asked for again, and says that it is there again', async () => {
    await listen(LISTS)
    stub.notify({ method: 'notifications/tools/list_changed' })
    await eventually(() => news.length === 1)
    stub.drop()
    await eventually(() => resumed() === 1)
    expect(stub.listens).toHaveLength(2)
    expect(new Set(stub.listens.map(({ message }) => message.id)).size).toBe(2)
    stub.notify({ method: 'notifications/resources/list_changed' })
    await eventually(() => news.length === 3)
    expect(news.at(-1)).toEqual({ kind: 'list_changed', list: 'resources' })
  })

  it('that the server ends in good order is asked for again too, whether or not it closes the connection', async () => {
    const theirs: ServerResponse[] = []
    stub.onListen = ({ message: { id } }, response) => {
      theirs.push(response)
      eventHead(response)
      writeEvent(response, acknowledged(id))
      if (theirs.length > 2) return
      writeEvent(response, { jsonrpc: '2.0', id, result: { resultType: 'complete', _meta: { [SUBSCRIPTION]: id } } })
      if (theirs.length === 1) response.end()
    }
    await listen(LISTS)
    await eventually(() => resumed() === 2)
    expect(stub.listens).toHaveLength(3)
    expect(theirs.map(response => response.closed)).toEqual([true, true, false])
  })

  it('that could not be opened at first says that it is there now', async () => {
    let isDown = true
    stub.onListen = (request, response) => {
      if (isDown) return void response.writeHead(503).end()
      return saying(id => [acknowledged(id)])(request, response)
    }
    await listen(LISTS)
    await eventually(() => stub.listens.length > 2)
    expect(news).toEqual([])
    isDown = false
    await eventually(() => resumed() === 1)
  })
})

describe('a stream that breaks the protocol is given up, and nothing of it counts', () => {
  const sins: Readonly<Record<string, (id: number) => object[]>> = {
    'news before the acknowledgment': id => [changed(id), acknowledged(id)],
    'news of another subscription': id => [acknowledged(id), changed(id + 1)],
    'news of no subscription': id => [acknowledged(id), { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }],
    'an acknowledgment of another subscription': id => [acknowledged(id + 1), changed(id)],
    'two acknowledgments': id => [acknowledged(id), acknowledged(id), changed(id)],
    'a request of its own': id => [acknowledged(id), { jsonrpc: '2.0', id: 1, method: 'roots/list' }, changed(id)],
    'an end that is not its own': id => [acknowledged(id), { jsonrpc: '2.0', id: id + 1, result: {} }, changed(id)],
    'something that is no message': id => [acknowledged(id), [changed(id)]],
    'an event that is too large': id => [acknowledged(id), changed(id, `tools${'s'.repeat(1_000_000)}`), changed(id)],
  }
  it.each(Object.keys(sins))('%s', async name => {
    stub.onListen = saying(id => sins[name]?.(id) ?? [])
    await listen(LISTS)
    await eventually(() => stub.listens.length > 2)
    expect(news.filter(({ kind }) => kind !== 'resumed')).toEqual([])
  })
})

describe('a server that', () => {
  it('never acknowledges is asked again', async () => {
    stub.onListen = saying(
      () => [],
      response => response.write(': here\n\n'),
    )
    await listen(LISTS, { ackMs: 50 })
    await eventually(() => stub.listens.length > 2)
  })

  it('never answers is asked again', async () => {
    stub.onListen = () => undefined
    await listen(LISTS, { ackMs: 50 })
    await eventually(() => stub.listens.length > 2)
  })

  it('falls silent is asked again, and its comments are no silence', async () => {
    const lively: NodeJS.Timeout[] = []
    stub.onListen = (request, response) => {
      saying(id => [acknowledged(id)])(request, response)
      if (stub.listens.length === 1) lively.push(setInterval(() => response.write(': alive\n\n'), 20))
    }
    await listen(LISTS, { idleMs: 1_500 })
    await new Promise(resolve => setTimeout(resolve, 2_500))
    expect(stub.listens).toHaveLength(1)
    clearInterval(lively[0])
    await eventually(() => resumed() === 1)
  })

  it.each([
    ['404 and the code', 404, true],
    ['200 and the code', 200, true],
    ['404 and a page', 404, false],
  ] as const)('has no such method is left alone for long: %s', async (_name, status, hasCode) => {
    let others = 0
    stub.onListen = ({ message: { id, params } }, response) => {
      const isOther = 'promptsListChanged' in (params.notifications as object)
      if (isOther) others += 1
      const body = hasCode && !isOther ? JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }) : '<html>'
      response.writeHead(isOther ? 500 : status, { 'content-type': 'application/json' }).end(body)
    }
    const room = openRoom()
    room.listen('tickets', LISTS, () => {}, 'shared')
    room.listen('tickets', { ...LISTS, prompts: true }, () => {}, 'shared')
    await eventually(() => others > 3)
    expect(stub.listens.length - others).toBe(1)
  })

  it('has no such method is asked again some time: it may have been upgraded', async () => {
    stub.onListen = (_request, response) => void response.writeHead(404).end()
    await listen(LISTS, { refusedRetryMs: 50 })
    await eventually(() => stub.listens.length > 1)
  })

  it('fails again and again is asked ever more seldom', async () => {
    stub.onListen = (_request, response) => void response.destroy()
    await listen(LISTS, { firstRetryMs: 10, maxRetryMs: 60_000 })
    await new Promise(resolve => setTimeout(resolve, 1_500))
    // 10, 20, 40 … ms: in 1.5 s no more than eight times. Every 10 ms it would have been a hundred and fifty.
    expect(stub.listens.length).toBeLessThan(12)
  })

  it('acknowledges and ends at once is not asked any faster for that', async () => {
    stub.onListen = (request, response) => {
      saying(id => [acknowledged(id)])(request, response)
      response.end()
    }
    await listen(LISTS, { firstRetryMs: 10, maxRetryMs: 60_000 })
    await new Promise(resolve => setTimeout(resolve, 1_500))
    expect(stub.listens.length).toBeLessThan(12)
  })

  it('held for a good while is asked again soon, however often it was lost before', async () => {
    let isDown = true
    const open: ServerResponse[] = []
    stub.onListen = (request, response) => {
      if (isDown) return void response.destroy()
      open.push(response)
      return saying(id => [acknowledged(id)])(request, response)
    }
    await listen(LISTS, { firstRetryMs: 10, maxRetryMs: 60_000, steadyMs: 50 })
    await eventually(() => stub.listens.length >= 8)
    isDown = false
    // Without that, these five alone would take half a minute.
    for (let round = 1; round <= 5; round++) {
      await eventually(() => resumed() === round)
      await new Promise(resolve => setTimeout(resolve, 100))
      for (const response of open) response.destroy()
    }
  })

  it('redirects within its origin is followed', async () => {
    stub.onListen = (request, response) => {
      if (response.req.url === '/mcp') return void response.writeHead(307, { location: '/mcp/' }).end()
      return saying(id => [acknowledged(id), changed(id)])(request, response)
    }
    await listen(LISTS)
    await eventually(() => news.length === 1)
  })
})

describe('who no longer listens', () => {
  it('hears nothing more, and the connection is closed', async () => {
    let theirs: ServerResponse | undefined
    stub.onListen = (request, response) => {
      theirs = response
      return saying(id => [acknowledged(id), changed(id), changed(id)])(request, response)
    }
    const listening = await listen(LISTS)
    await eventually(() => news.length === 1)
    listening.close()
    await eventually(() => theirs?.closed === true)
    // Long enough for what was said twice to be told again.
    await new Promise(resolve => setTimeout(resolve, 500))
    expect(news).toHaveLength(1)
    expect(stub.listens).toHaveLength(1)
  })

  it('is not asked for again, from whatever it was waiting for', async () => {
    stub.onListen = (_request, response) => void response.destroy()
    const waiting = await listen(LISTS, { firstRetryMs: 50 })
    waiting.close()
    await new Promise(resolve => setTimeout(resolve, 200))
    expect(stub.listens).toHaveLength(1)
  })

  it.each(['close', 'abort'] as const)('because everything ends: %s waits for no subscription', async how => {
    const room = openRoom()
    room.listen('tickets', LISTS, hear, 'shared')
    await eventually(() => stub.listens.length === 1)
    await room[how]()
    stub.notify({ method: 'notifications/tools/list_changed' })
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(stub.listens).toHaveLength(1)
    expect(news).toEqual([])
  })
})

it('what came before the end of a stream and was not read by then is not heard after it', async () => {
  const pace = new ReadingPace(10)
  pace.read(0, () => 5_000)
  let heard = 0
  const hear = (): void => {
    heard += 1
  }
  const stream = new ListenStream({ id: 1, filter: LISTS, maxBytes: 1_000, pace, onAcknowledged: hear, onNews: hear })
  const waiting = stream.onChunk(Buffer.from(`data: ${JSON.stringify(acknowledged(1))}\n\ndata: ${JSON.stringify(changed(1))}\n\n`))
  expect(waiting).toBeInstanceOf(Promise)
  stream.stop()
  await waiting
  expect(heard).toBe(0)
})

describe('many subscriptions', () => {
  it('leave calls their connections', async () => {
    const room = openRoom({ maxConnections: 1 })
    stub.onCall = () => text('done')
    for (let count = 0; count < 20; count++) room.listen('tickets', LISTS, () => {}, 'shared')
    await eventually(() => stub.listens.length === 20)
    expect(await room.send(intentOf(), createCaller())).toMatchObject({ answer: { kind: 'result' } })
  })
})

describe('news without end', () => {
  const pouring =
    (line: (id: number, count: number) => string): OnCall =>
    (request, response) => {
      saying(id => [acknowledged(id)])(request, response)
      pour(response, count => line(request.message.id, count))
    }
  const event = (message: object): string => `data: ${JSON.stringify(message)}\n\n`
  const seconds = async (run: () => Promise<unknown>): Promise<number> => {
    const start = performance.now()
    await run()
    return (performance.now() - start) / 1_000
  }

  it('of one kind are few when they reach us', async () => {
    stub.onListen = pouring(id => event(changed(id)))
    const took = await seconds(async () => {
      await listen(LISTS)
      await new Promise(resolve => setTimeout(resolve, 1_000))
    })
    expect(news.length).toBeGreaterThan(1)
    expect(news.length).toBeLessThan(took * 4 + 3)
  })

  it('each of another thing are read at a walk, over all subscriptions of the upstream together', async () => {
    let written = 0
    stub.onListen = pouring((id, count) => {
      written += 1
      return event(notice('notifications/resources/updated', id, { uri: `file:///${count}` }))
    })
    const peer = createPeer(configOf(stub.url), () => {})
    // A turn that does not end: what is read now is what is read in one.
    const slow = { ...peer, pace: new ReadingPace(3_600_000) }
    const filter = { ...LISTS, uris: ['file:///'] }
    const listenings = Array.from({ length: 10 }, () => new Listening(slow, filter, hear, LISTEN_TIMINGS, () => 1))
    await eventually(() => news.length > 500)
    // All ten write until nobody takes it any more.
    let before = -1
    await eventually(() => {
      const isStill = written === before
      before = written
      return isStill
    }, 100)
    expect(stub.listens).toHaveLength(10)
    expect(written).toBeGreaterThan(20_000)
    expect(news.length).toBeLessThan(512 + 1_000)
    for (const listening of listenings) listening.close()
    await peer.listenPool.destroy()
  })
})
