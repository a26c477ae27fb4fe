import { afterEach, describe, expect, it } from 'vitest'
import { createGate, eventually, eventuallyHolds, type Gate } from '../support/eventually.ts'
import { GOOD_ARGUMENTS } from '../support/scene.ts'
import { EARLIER, openSession } from '../support/session.ts'
import { askTool, endSession, hear } from '../support/session-events.ts'
import { startTwoGateways, type TwoGateways, type TwoGatewaysOptions } from '../support/two-gateways.ts'
import type { OnCall } from '../support/upstream-stub.ts'

let gateways: TwoGateways
const open = async (options: TwoGatewaysOptions = {}): Promise<TwoGateways> => {
  gateways = await startTwoGateways(options)
  return gateways
}
afterEach(() => gateways.close())

/** Long enough to come back in, however busy the machine is. */
const LINGER_MS = 4_000

const META = { progressToken: 'p' }

/** Tells of progress, one gate after the other, and then answers. */
function slowly(gates: readonly Gate[], answer: unknown = { content: [{ type: 'text', text: 'done' }] }): OnCall {
  return async ({ message: { id, params } }, response) => {
    const token = (params._meta as { progressToken?: unknown }).progressToken
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const say = (text: unknown): void => void response.write(`data: ${JSON.stringify(text)}\n\n`)
    for (const [index, gate] of gates.entries()) {
      say({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: token, progress: index } })
      await gate.opened
    }
    say({ jsonrpc: '2.0', id, result: { resultType: 'complete', ...(answer as object) } })
    response.end()
  }
}

const DONE = { id: 1, result: { content: [{ type: 'text', text: 'done' }] } }

/** A session, and the stream of a call in it of which this much has been heard: first an id, then progress. */
async function begun(at: TwoGateways['a'], heard: number) {
  const session = await openSession(at)
  const stream = await askTool(at, session, 'acme__read', { id: 1 }, { meta: META })
  for (let count = 0; count < heard; count++) await stream.next()
  return { session, stream }
}

/** What was written down of the one call that there was. */
async function written({ trail }: TwoGateways['a']) {
  const call = () => trail.requests().find(({ method }) => method === 'tools/call')
  await eventually(() => call() !== undefined)
  return call()
}

/** How much is written down in the one log that there is: its head, and what was said. */
async function entriesIn({ client }: TwoGateways['redis']): Promise<number> {
  const [log] = await client.keys('*:log:*')
  // The first is none.
  return log === undefined ? 0 : (await client.llen(log)) - 1
}

describe('the stream of a request', () => {
  it.each(EARLIER)(
    'of %s can be heard to its end over another connection, on another replica, while the call goes on',
    async protocolVersion => {
      const gates = [createGate(), createGate(), createGate()]
      const { a, b, upstream } = await open({ onCall: slowly(gates) })
      const session = await openSession(a, { protocolVersion })
      const stream = await askTool(a, session, 'acme__read', { id: 1 }, { meta: META })
      if (protocolVersion === '2025-11-25')
        expect(await stream.next()).toEqual({ id: expect.stringMatching(/\.0$/), retry: '1000', data: '', message: undefined })
      expect(await stream.next()).toMatchObject({
        id: expect.stringMatching(/\.1$/),
        message: { params: { progressToken: 'p', progress: 0 } },
      })
      stream.cut()
      gates[0]?.open()
      const rest = await hear(b, session, { lastEventId: stream.lastId })
      expect(rest.headers['content-type']).toBe('text/event-stream')
      expect(await rest.next()).toMatchObject({ id: expect.stringMatching(/\.2$/), message: { params: { progress: 1 } } })
      // What happens from now on, too; and over a third connection, where it began.
      gates[1]?.open()
      expect(await rest.message()).toMatchObject({ params: { progress: 2 } })
      rest.cut()
      gates[2]?.open()
      const last = await hear(a, session, { lastEventId: rest.lastId })
      expect((await last.rest()).flatMap(({ message }) => message ?? [])).toMatchObject([DONE])
      expect(upstream.calls).toHaveLength(1)
      expect(await written(a)).toMatchObject({ outcome: 'OK', cancelled: false })
    },
  )

  it('that was said to its end while its client was away is said again from where it was, and then there is nothing more', async () => {
    const gates = [createGate(), createGate()]
    const { a, b } = await open({ onCall: slowly(gates) })
    const session = await openSession(a)
    const stream = await askTool(a, session, 'acme__read', { id: 1 }, { meta: META })
    const primer = (await stream.next()).id
    await stream.next()
    stream.cut()
    for (const gate of gates) gate.open()
    await written(a)
    for (const at of [a, b]) {
      const all = await hear(at, session, { lastEventId: primer })
      expect((await all.rest()).flatMap(({ message }) => message ?? [])).toMatchObject([
        { params: { progress: 0 } },
        { params: { progress: 1 } },
        DONE,
      ])
      expect(all.seen).not.toContain('retry')
      // Whoever has it all is told that there is nothing to come back for.
      const nothing = await hear(at, session, { lastEventId: all.lastId })
      expect(nothing.status).toBe(204)
      expect(nothing.headers['content-type']).toBe('text/event-stream')
    }
  })

  it('goes to one connection: whoever reads on elsewhere ends the one before', async () => {
    const gates = [createGate(), createGate()]
    const { a, b } = await open({ onCall: slowly(gates) })
    const { session, stream } = await begun(a, 2)
    const second = await hear(b, session, { lastEventId: stream.lastId })
    expect(await stream.ended()).toBe('whole')
    const third = await hear(a, session, { lastEventId: stream.lastId })
    expect(await second.ended()).toBe('whole')
    for (const gate of gates) gate.open()
    expect((await third.rest()).flatMap(({ message }) => message ?? [])).toMatchObject([{ params: { progress: 1 } }, DONE])
    expect(stream.seen).not.toContain('"progress":1')
    expect(second.seen).not.toContain('"progress":1')
  })

  it('with an error at its end is resumed with that', async () => {
    const gate = createGate()
    const { a, b } = await open({
      onCall: async ({ message: { params } }, response) => {
        const token = (params._meta as { progressToken?: unknown }).progressToken
        const text = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: token, progress: 0 } }
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(`data: ${JSON.stringify(text)}\n\n`)
        await gate.opened
        response.destroy()
      },
    })
    const { session, stream } = await begun(a, 1)
    stream.cut()
    const rest = await hear(b, session, { lastEventId: stream.lastId })
    await rest.message()
    gate.open()
    expect(await rest.message()).toMatchObject({ id: 1, error: { data: { code: 'UPSTREAM_INVALID' } } })
    expect(await rest.ended()).toBe('whole')
  })

  it('is heard of its own session and person alone', async () => {
    const gate = createGate()
    const { a, b } = await open({ onCall: slowly([gate]) })
    const { session, stream } = await begun(a, 2)
    const lastEventId = stream.lastId
    const other = await openSession(b)
    expect((await hear(b, other, { lastEventId })).status).toBe(400)
    const somebody = a.token(undefined, { sub: 'somebody-else' })
    const theirs = await openSession(a, { token: somebody })
    expect((await hear(a, theirs, { lastEventId, token: somebody })).status).toBe(400)
    expect((await hear(a, session, { lastEventId, token: somebody })).status).toBe(404)
    expect((await hear(a, session, { lastEventId: `${lastEventId}0` })).status).toBe(200)
    expect((await hear(a, session, { lastEventId: lastEventId?.replace(/^./, character => (character === 'A' ? 'B' : 'A')) })).status).toBe(
      400,
    )
    gate.open()
  })

  it('needs the scopes that the request was made with', async () => {
    const gate = createGate()
    const { a, b } = await open({ onCall: slowly([gate]) })
    const { session, stream } = await begun(a, 2)
    stream.cut()
    const fewer = await hear(b, session, { lastEventId: stream.lastId, token: b.token('tools:read') })
    expect(fewer.status).toBe(403)
    expect(fewer.headers['www-authenticate']).toContain('scope="tools:read tools:write"')
    const more = await hear(b, session, { lastEventId: stream.lastId, token: b.token('tools:admin tools:write tools:read') })
    gate.open()
    expect(await more.message()).toMatchObject(DONE)
  })

  it('ends with its session, on any replica', async () => {
    const gate = createGate()
    const { a, b } = await open({ onCall: slowly([gate]) })
    const { session, stream } = await begun(a, 1)
    stream.cut()
    const rest = await hear(b, session, { lastEventId: stream.lastId })
    await rest.next()
    expect((await endSession(a, session)).status).toBe(204)
    expect(await rest.ended()).toBe('whole')
    expect((await hear(b, session, { lastEventId: stream.lastId })).status).toBe(404)
    gate.open()
  })

  it('is counted with the other streams of its person, and not read before that', async () => {
    const gate = createGate()
    const { a, redis } = await open({ onCall: slowly([gate]), limits: 'listsPerMinute: 10000, subscriptions: 1' })
    const session = await openSession(a)
    const news = await hear(a, session)
    await news.next()
    const stream = await askTool(a, session, 'acme__read', { id: 1 }, { meta: META })
    await stream.next()
    stream.cut()
    expect((await hear(a, session, { lastEventId: stream.lastId })).status).toBe(429)
    expect(a.trail.last()).toMatchObject({ outcome: 'LIMITS_STREAMS' })
    // It may have megabytes, and the connection they would come on is everybody's.
    expect(await redis.client.info('commandstats')).not.toContain('cmdstat_lrange')
    news.cut()
    await eventually(async () => {
      const rest = await hear(a, session, { lastEventId: stream.lastId })
      rest.cut()
      return rest.status === 200
    }, 20)
    gate.open()
  })
})

describe('a client that leaves', () => {
  it('has not cancelled: a read goes on without anybody there, and is written down as what it was', async () => {
    const gate = createGate()
    const { a, upstream } = await open({ onCall: slowly([gate]) })
    const { stream } = await begun(a, 1)
    stream.cut()
    await eventually(() => upstream.calls.length === 1)
    await new Promise(resolve => setTimeout(resolve, 100))
    expect(a.trail.requests().some(({ method }) => method === 'tools/call')).toBe(false)
    gate.open()
    expect(await written(a)).toMatchObject({ outcome: 'OK', cancelled: false })
  })

  it('for longer than anybody waits ends it', async () => {
    let isClosed = false
    const { a } = await open({
      onCall: ({ message }, response) => {
        response.once('close', () => {
          isClosed = true
        })
        return slowly([createGate()])({ message } as never, response)
      },
      serve: { streamLingerMs: 200 },
    })
    const { session, stream } = await begun(a, 1)
    stream.cut()
    await eventually(() => isClosed)
    expect(await written(a)).toMatchObject({ outcome: 'CALLER_GONE', cancelled: true })
    // Whoever comes back then is told how it ended.
    const rest = await hear(a, session, { lastEventId: stream.lastId })
    const said = (await rest.rest()).flatMap(({ message }) => message ?? [])
    expect(said.at(-1)).toMatchObject({ id: 1, error: { data: { code: 'CALLER_GONE' } } })
  })

  it('and is heard of in time keeps it going', async () => {
    const gate = createGate()
    const { a, b } = await open({ onCall: slowly([gate]), serve: { streamLingerMs: LINGER_MS } })
    const { session, stream } = await begun(a, 1)
    stream.cut()
    await new Promise(resolve => setTimeout(resolve, LINGER_MS / 2))
    const rest = await hear(b, session, { lastEventId: stream.lastId })
    await new Promise(resolve => setTimeout(resolve, 0.6 * LINGER_MS))
    gate.open()
    await rest.message()
    expect(await rest.message()).toMatchObject(DONE)
  })

  it('before there was anything to hear has its effect run to its end', async () => {
    const gate = createGate()
    const { a, upstream } = await open({
      onCall: async () => {
        await gate.opened
        return { resultType: 'complete', content: [] }
      },
    })
    const session = await openSession(a)
    const cut = new Promise<void>(resolve => {
      void askTool(a, session, 'acme__send', GOOD_ARGUMENTS, {
        onSent: leave => {
          void eventually(() => upstream.calls.length === 1).then(() => {
            leave()
            resolve()
          })
        },
      }).catch(() => {})
    })
    await cut
    gate.open()
    expect(await written(a)).toMatchObject({ outcome: 'OK', effectStatus: 'committed' })
  })
})

describe('an answer that takes long', () => {
  it('is a stream for a client in a session, whatever it is for the gateway, and so can be had by who comes back', async () => {
    const gate = createGate()
    const { a, b } = await open({
      onCall: async () => {
        await gate.opened
        return { resultType: 'complete', content: [{ type: 'text', text: 'done' }] }
      },
      serve: { streamOpenAfterMs: 1_500 },
    })
    const session = await openSession(a)
    const stream = await askTool(a, session, 'acme__read', { id: 1 })
    await stream.next()
    stream.cut()
    const rest = await hear(b, session, { lastEventId: stream.lastId })
    gate.open()
    expect(await rest.message()).toMatchObject(DONE)
    // One that is not is not.
    expect((await session.call('acme__read', { id: 1 })).headers.get('content-type')).toMatch(/^application\/json/)
  })
})

describe('a plain answer', () => {
  it('is not kept: nothing of it lies in the store', async () => {
    const { a, redis } = await open()
    const session = await openSession(a)
    const answer = await session.call('acme__read', { id: 1 })
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect((await redis.client.keys('*:log:*')).length).toBe(0)
  })

  it('nor is anything readable of what is', async () => {
    const gate = createGate()
    const { a, redis } = await open({ onCall: slowly([gate], { content: [{ type: 'text', text: 'SENTINEL-ANSWER' }] }) })
    const { stream } = await begun(a, 1)
    gate.open()
    await stream.rest()
    await eventually(async () => (await redis.client.keys('*:log:*')).length === 1)
    const [key = ''] = await redis.client.keys('*:log:*')
    const kept = Buffer.concat(await redis.client.lrangeBuffer(key, 0, -1)).toString('latin1')
    expect(kept.length).toBeGreaterThan(100)
    expect(kept).not.toContain('SENTINEL')
    expect(kept).not.toContain('progress')
    expect(await redis.client.pttl(key)).toBeGreaterThan(200_000)
  })
})

describe('without a store', () => {
  it('a stream goes on, and cannot be resumed; that is said, and when to try again', async () => {
    const gate = createGate()
    const { a, b, redis } = await open({ onCall: slowly([gate]) })
    const { session, stream } = await begun(a, 2)
    await redis.kill()
    const refused = await hear(b, session, { lastEventId: stream.lastId })
    expect(refused.status).toBe(503)
    expect(refused.headers['retry-after']).toBe('1')
    expect((await endSession(b, session)).status).toBe(503)
    gate.open()
    expect(await stream.message()).toMatchObject(DONE)
    // The session's own stream needs none.
    const news = await hear(b, session)
    expect(news.status).toBe(200)
    news.cut()
  })

  it('for a moment, nothing is lost', async () => {
    const gates = [createGate(), createGate()]
    const { a, b, redis } = await open({ onCall: slowly(gates), serve: { storeTimeoutMs: 200 } })
    const { session, stream } = await begun(a, 2)
    redis.pause()
    stream.cut()
    for (const gate of gates) gate.open()
    await written(a)
    redis.resume()
    await eventually(async () => (await hear(b, session)).status === 200)
    await eventuallyHolds(async () => {
      const rest = await hear(b, session, { lastEventId: stream.lastId })
      expect(rest.status).toBe(200)
      const said = (await rest.rest()).flatMap(({ message }) => message ?? [])
      expect(said).toMatchObject([{ params: { progress: 1 } }, DONE])
    })
  })

  it('that forgot everything, a client that comes back is told that the outcome is not known', async () => {
    const gate = createGate()
    const { a, b, redis } = await open({ onCall: slowly([gate]) })
    const { session, stream } = await begun(a, 2)
    stream.cut()
    // Otherwise it would be said to the server that comes after.
    await eventually(async () => (await entriesIn(redis)) === 2)
    await redis.kill()
    await redis.restart()
    await eventually(async () => (await hear(b, session, { lastEventId: stream.lastId })).status === 200, 50)
    const rest = await hear(b, session, { lastEventId: stream.lastId })
    expect(await rest.message()).toMatchObject({ id: 1, error: { code: -32603, data: { code: 'SESSION_STREAM_LOST', effect: 'unknown' } } })
    expect(await rest.rest()).toEqual([])
    gate.open()
  })
})
