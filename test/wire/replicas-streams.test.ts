import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import { createGate, eventually, type Gate } from '../support/eventually.ts'
import { beginStream, type LegacyStub, legacyText, startLegacyStub, writeLegacyEvent } from '../support/legacy-stub.ts'
import { type RedisServer, startRedis } from '../support/redis.ts'
import { type Replica, type Replicas, startReplicas } from '../support/replicas.ts'
import { inSession, openSession, type TestSession } from '../support/session.ts'
import { type Listening, type ListenOptions, listenTo } from '../support/session-stream.ts'
import { startTokenMint, type TokenMint } from '../support/tokens.ts'
import { startUpstreamStub, text, type UpstreamStub } from '../support/upstream-stub.ts'

/** What goes on at one replica while its client speaks to another. */

const object = { type: 'object' }
const READ = 'allow: [{ scopes: [tools:read] }]'
const POLICY = `  stream: { effect: read, ${READ} }
  ask: { effect: read, ${READ} }
resources:
  "file:///*": { ${READ} }`
const QUESTION = {
  resultType: 'input_required',
  inputRequests: {
    colour: {
      method: 'elicitation/create',
      params: { mode: 'form', message: 'Which?', requestedSchema: { type: 'object', properties: { colour: { type: 'string' } } } },
    },
  },
  requestState: 's',
}
const progressOf = (progress: number): object =>
  expect.objectContaining({ method: 'notifications/progress', params: { progressToken: 'p', progress } })

let mint: TokenMint
let redis: RedisServer
let upstream: UpstreamStub
let old: LegacyStub
let replicas: Replicas
let a: Replica
let b: Replica
/** One for each step of what the upstream says. */
let steps: readonly [Gate, Gate]
/** Connections over which the upstream answers, that are open. */
let answering = 0
const streams: Listening[] = []
beforeAll(async () => {
  mint = await startTokenMint()
  redis = await startRedis()
  upstream = await startUpstreamStub(
    ['stream', 'ask'].map(name => ({ name, inputSchema: object })),
    async ({ message }, response) => {
      const { name, inputResponses, _meta } = message.params
      if (name === 'ask') return inputResponses === undefined ? QUESTION : text(JSON.stringify(inputResponses))
      answering += 1
      response.once('close', () => {
        answering -= 1
      })
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const say = (said: object): void => void response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...said })}\n\n`)
      const { progressToken } = _meta as { readonly progressToken: unknown }
      for (const [index, step] of steps.entries()) {
        say({ method: 'notifications/progress', params: { progressToken, progress: index + 1 } })
        await step.opened
      }
      say({ id: message.id, result: text('done') })
      response.end()
      return undefined
    },
  )
  upstream.resources = [{ uri: 'file:///a', name: 'a' }]
  upstream.capabilities = { tools: {}, resources: { subscribe: true } }
  old = await startOld()
  replicas = await startReplicas({
    mint,
    count: 2,
    store: redis.url,
    upstreams: { acme: upstream.url, old: old.url },
    tools: { acme: POLICY, old: `  ask: { effect: write, ${READ} }` },
  })
  a = replicas.replica(0)
  b = replicas.replica(1)
})
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.leave()
  for (const step of steps ?? []) step.open()
})
afterAll(async () => {
  await replicas.stop()
  await Promise.all([mint.close(), redis.stop(), upstream.close(), old.close()])
})

/** A server of 2025 that asks in the middle of a call, and says then what it was told. */
async function startOld(): Promise<LegacyStub> {
  const stub = await startLegacyStub()
  stub.tools = [{ name: 'ask', inputSchema: object }]
  stub.onCall = async ({ message }, response) => {
    beginStream(response)
    writeLegacyEvent(response, { jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params: QUESTION.inputRequests.colour.params })
    const before = stub.of('response').length
    await eventually(() => stub.of('response').length > before)
    const result = legacyText(JSON.stringify(stub.of('response').at(-1)?.message.result))
    writeLegacyEvent(response, { jsonrpc: '2.0', id: message.id, result })
    response.end()
    return undefined
  }
  return stub
}

const listen = async (at: Replica, session: string, message?: JsonObject, options?: ListenOptions): Promise<Listening> => {
  const stream = await listenTo(at, session, message, options)
  streams.push(stream)
  return stream
}

/** A session of A, and a call under way there that has said one thing. */
async function begin(): Promise<{ id: string; atB: Omit<TestSession, 'hello'>; call: Listening }> {
  steps = [createGate(), createGate()]
  const { id } = await openSession(a, { capabilities: { elicitation: {} } })
  const params = { name: 'acme__stream', arguments: {}, _meta: { progressToken: 'p' } }
  const call = await listen(a, id, { id: 'call', method: 'tools/call', params })
  expect(await call.next()).toEqual(progressOf(1))
  return { id, atB: inSession(b, id), call }
}

describe('an answer that streams at one replica', () => {
  it('goes on at another, from the event its client knows, to its end', async () => {
    const { id, call } = await begin()
    call.leave()
    steps[0].open()
    const more = await listen(b, id, undefined, { lastEventId: call.lastEventId ?? '' })
    expect(more.status).toBe(200)
    expect(await more.next()).toEqual(progressOf(2))
    steps[1].open()
    expect(await more.next()).toMatchObject({ id: 'call', result: { content: [{ text: 'done' }] } })
    expect(await more.ended).toBe('whole')
    const over = await listen(a, id, undefined, { lastEventId: more.lastEventId ?? '' })
    expect(await over.ended).toBe('whole')
  })

  it('is known to be lost when its replica is killed', async () => {
    const { id, call } = await begin()
    const { lastEventId = '' } = call
    await a.kill()
    expect(await call.ended).toBe('cut')
    const more = await listen(b, id, undefined, { lastEventId })
    expect(await more.next()).toMatchObject({
      id: 'call',
      error: { code: -32603, data: { code: 'SESSION_STREAM_LOST', effect: 'unknown' } },
    })
    expect(await more.ended).toBe('whole')
    await a.restart()
    const again = await listen(a, id, undefined, { lastEventId })
    expect(await again.next()).toMatchObject({ id: 'call', error: { data: { code: 'SESSION_STREAM_LOST' } } })
  }, 180_000)

  it('is cancelled from another', async () => {
    const { atB, call } = await begin()
    await eventually(() => answering > 0)
    expect((await atB.notify('notifications/cancelled', { requestId: 'call' })).status).toBe(202)
    await eventually(() => answering === 0)
    expect(await call.ended).toBe('whole')
    steps[0].open()
  })

  it('is nobody else’s to take up', async () => {
    const { call } = await begin()
    const other = await openSession(b)
    const stream = await listen(b, other.id, undefined, { lastEventId: call.lastEventId ?? '' })
    expect(stream.status).toBeGreaterThanOrEqual(400)
  })
})

describe('a question on a stream of one replica', () => {
  it('is answered at another', async () => {
    const { id } = await openSession(a, { capabilities: { elicitation: {} } })
    const call = await listen(a, id, { id: 'asked', method: 'tools/call', params: { name: 'acme__ask', arguments: {} } })
    const { id: question, method } = await call.next()
    expect(method).toBe('elicitation/create')
    const answer = { jsonrpc: '2.0', id: question, result: { action: 'accept', content: { colour: 'green' } } }
    expect((await inSession(b, id).post(answer)).status).toBe(202)
    const { result } = (await call.next()) as { result: { content: [{ text: string }] } }
    expect(JSON.parse(result.content[0].text)).toEqual({ colour: { action: 'accept', content: { colour: 'green' } } })
  })
})

describe('the session’s stream at one replica', () => {
  it('hears of what was subscribed to at another, until the session is ended at another', async () => {
    const { id } = await openSession(a)
    const stream = await listen(a, id)
    await inSession(b, id).send('resources/subscribe', { uri: 'acme+file:///a' })
    await eventually(() => upstream.listens.some(({ message }) => JSON.stringify(message).includes('file:///a')))
    let heard = false
    void stream.next().then(message => {
      heard = JSON.stringify(message).includes('acme+file:///a')
    })
    await eventually(() => {
      upstream.notify({ method: 'notifications/resources/updated', params: { uri: 'file:///a' } })
      return heard
    }, 50)
    const response = await fetch(b.url, { method: 'DELETE', headers: { authorization: `Bearer ${b.token()}`, 'mcp-session-id': id } })
    expect(response.ok).toBe(true)
    expect(await stream.ended).toBe('whole')
    expect((await inSession(a, id).send('ping')).status).toBe(404)
  })

  it('gives way to a later one at another', async () => {
    const { id } = await openSession(a)
    const first = await listen(a, id)
    const second = await listen(b, id)
    expect(await first.ended).toBe('whole')
    expect(second.status).toBe(200)
  })
})

describe('a call that a server of 2025 goes on with while its modern caller is asked', () => {
  const CAN_ANSWER = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } }
  const ask = async () => {
    const { json } = await a.send('tools/call', { name: 'old__ask', arguments: {} }, { meta: CAN_ANSWER })
    expect(json.result).toMatchObject({ resultType: 'input_required' })
    const { inputRequests, requestState } = json.result as { inputRequests: JsonObject; requestState: string }
    const answers = Object.keys(inputRequests).map(key => [key, { action: 'accept', content: { colour: 'green' } }])
    return { name: 'old__ask', arguments: {}, requestState, inputResponses: Object.fromEntries(answers) }
  }

  it('is answered at another replica', async () => {
    const { json } = await b.send('tools/call', await ask(), { meta: CAN_ANSWER })
    const [block] = json.result?.content ?? []
    expect(JSON.parse(block?.text ?? '')).toEqual({ action: 'accept', content: { colour: 'green' } })
  })

  it('has an effect that nobody knows of when its replica is killed', async () => {
    const again = await ask()
    await a.kill()
    const { json } = await b.send('tools/call', again, { meta: CAN_ANSWER })
    const told = json.error?.data ?? (json.result?._meta as JsonObject | undefined)?.['dev.wicketgate/refusal']
    expect(told).toMatchObject({ effect: 'unknown' })
    await a.restart()
  }, 180_000)
})
