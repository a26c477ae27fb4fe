import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import { createGate, eventuallyHolds } from '../support/eventually.ts'
import type { Answer, SendOptions, TestGateway } from '../support/gateway.ts'
import {
  beginStream,
  type LegacySeen,
  type LegacyStub,
  legacyText,
  sendLegacyStatus,
  startLegacyStub,
  writeLegacyEvent,
} from '../support/legacy-stub.ts'
import { openSession } from '../support/session.ts'
import { listenTo } from '../support/session-stream.ts'
import { streamRequest } from '../support/stream-call.ts'
import { startTwoGateways, type TwoGateways } from '../support/two-gateways.ts'

/** A server with sessions that asks in the middle of a call, and callers of today on two gateways that share a store. */

const POLICY = `  send: { effect: write, idempotency: { key: header, required: false }, allow: [{ scopes: [tools:write] }] }
  read: { effect: read, allow: [{ scopes: [tools:read] }] }`
const TOOLS = [
  { name: 'send', description: 'Sends.', inputSchema: { type: 'object', properties: { to: { type: 'string' } } } },
  { name: 'read', description: 'Reads.', inputSchema: { type: 'object' } },
]
const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const ASK = { method: 'elicitation/create', params: { message: 'Which city?', requestedSchema: SCHEMA } }
const ACCEPT = { action: 'accept', content: { city: 'Bern' } }
const ABLE = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} } }

let gateways: TwoGateways
let server: LegacyStub
let a: TestGateway
let b: TestGateway
beforeAll(async () => {
  server = Object.assign(await startLegacyStub(), { tools: TOOLS })
  gateways = await startTwoGateways({ policy: POLICY, upstreamUrl: server.url })
  ;({ a, b } = gateways)
})
afterAll(async () => {
  await gateways.close()
  await server.close()
})

/** The calls under way at the server, each until it says the last word. */
interface AtServer {
  readonly seen: LegacySeen
  readonly response: ServerResponse
  ask(question?: JsonObject): string
  say(message: JsonObject): void
  finish(text?: string): void
}
let atServer: AtServer[] = []
/** What the server was answered, by the id of its question. */
const answered = (id: string) => server.of('response').find(({ message }) => message.id === id)?.message
let serial = 0

beforeEach(() => {
  server.seen.length = 0
  atServer = []
  server.onCall = (seen, response) => {
    beginStream(response)
    const say = (message: JsonObject): void => writeLegacyEvent(response, { jsonrpc: '2.0', ...message })
    atServer.push({
      seen,
      response,
      say,
      ask(question = ASK) {
        const id = `q${++serial}`
        say({ id, ...question })
        return id
      },
      finish(text = 'done') {
        say({ id: seen.message.id ?? null, result: legacyText(text) as JsonObject })
        response.end()
      },
    })
  }
})

async function underWay(index = 0): Promise<AtServer> {
  await eventuallyHolds(() => expect(atServer.length).toBeGreaterThan(index))
  return atServer[index] as AtServer
}

const call = (gateway: TestGateway, name = 'acme__send', options: SendOptions = {}) =>
  gateway.call(name, name === 'acme__send' ? { to: 'a' } : {}, { ...options, meta: { ...ABLE, ...options.meta } })
const stateOf = ({ json }: Answer) => String(json.result?.requestState)
const answerTo = (first: Answer, response: JsonObject = ACCEPT, name = 'acme__send') => ({
  name,
  arguments: name === 'acme__send' ? { to: 'a' } : {},
  inputResponses: { question: response },
  requestState: stateOf(first),
})
const answer = (gateway: TestGateway, first: Answer, response: JsonObject = ACCEPT, name = 'acme__send', options: SendOptions = {}) =>
  gateway.send('tools/call', answerTo(first, response, name), { id: 2, ...options, meta: { ...ABLE, ...options.meta } })
const refusalIn = ({ json }: Answer) => (json.result?._meta as JsonObject | undefined)?.['dev.wicketgate/refusal']
const lastOf = (gateway: TestGateway) => gateway.trail.requests().findLast(({ method }) => method === 'tools/call')
const eventsOf = (gateway: TestGateway) =>
  gateway.trail
    .records()
    .filter(({ event }) => event === 'upstream.held_call')
    .map(({ detail }) => detail as JsonObject)

/** A call that was asked one question. */
async function asked(name = 'acme__send', options: SendOptions = {}) {
  const before = atServer.length
  const pending = call(a, name, options)
  const at = await underWay(before)
  const id = at.ask()
  const first = await pending
  expect(first.json.result).toMatchObject({ resultType: 'input_required' })
  return { at, id, first }
}

describe('a question of a server with sessions, in the middle of a call', () => {
  it.each([
    ['accepts', ACCEPT],
    ['declines', { action: 'decline' }],
    ['cancels', { action: 'cancel' }],
  ])('reaches the caller as a question of today; it %s, on either gateway, and the call goes on that was begun', async (_, response) => {
    for (const gateway of [a, b]) {
      const { at, id, first } = await asked()
      expect(first.json.result).toMatchObject({
        inputRequests: { question: { method: 'elicitation/create', params: { message: '[acme] Which city?', requestedSchema: SCHEMA } } },
        requestState: expect.stringMatching(/^w1\./),
      })
      expect(lastOf(a)).toMatchObject({ outcome: 'OK', resultType: 'input_required', effectStatus: 'in_progress' })
      const pending = answer(gateway, first, response)
      await eventuallyHolds(() => expect(answered(id)).toMatchObject({ jsonrpc: '2.0', id, result: response }))
      at.finish('Bern')
      const last = await pending
      expect(last.json).toMatchObject({ id: 2, result: { resultType: 'complete', content: [{ text: 'Bern' }] } })
      expect(lastOf(gateway)).toMatchObject({ outcome: 'OK', leg: 1, effectStatus: 'committed', resultType: 'result' })
    }
    expect(server.of('tools/call')).toHaveLength(2)
  })

  it.each(['a', 'b'])('that its server did not wait for has come too late, and brings what the server did: on %s', async where => {
    const { at, first } = await asked()
    at.finish('went on')
    await eventuallyHolds(() => expect(at.response.writableFinished).toBe(true))
    // With the call its session has ended: the server takes nothing more.
    onTestFinished(() => void server.on.delete('response'))
    server.on.set('response', (_seen, response) => sendLegacyStatus(response, 404, -32_001, 'Session not found'))
    const gateway = where === 'a' ? a : b
    expect((await answer(gateway, first)).json.result).toMatchObject({ content: [{ text: 'went on' }] })
    expect(lastOf(gateway)).toMatchObject({ outcome: 'OK', effectStatus: 'committed' })
    expect(server.of('tools/call')).toHaveLength(1)
  })

  it('may be followed by others, each answered by another gateway', async () => {
    const { at, first } = await asked()
    let leg = first
    for (const [index, gateway] of [b, a, b].entries()) {
      const pending = answer(gateway, leg)
      await eventuallyHolds(() => expect(server.of('response')).toHaveLength(index + 1))
      at.ask()
      leg = await pending
      expect(leg.json.result).toMatchObject({ resultType: 'input_required' })
    }
    const pending = answer(a, leg)
    await eventuallyHolds(() => expect(server.of('response')).toHaveLength(4))
    at.finish('all')
    expect((await pending).json.result).toMatchObject({ content: [{ text: 'all' }] })
    expect(server.of('tools/call')).toHaveLength(1)
  })

  it.each(['a', 'b'])('goes on with its progress, as whoever waits now wants it: on %s', async where => {
    const gateway = where === 'a' ? a : b
    const pending = call(a, 'acme__send', { meta: { progressToken: 'first' } })
    const at = await underWay()
    const id = at.ask()
    const opening = streamRequest(gateway.url, 'tools/call', answerTo(await pending), {
      token: gateway.token(),
      headers: { 'mcp-name': 'acme__send' },
      meta: { ...ABLE, progressToken: 'second' },
      id: 2,
    })
    await eventuallyHolds(() => expect(answered(id)).toBeDefined())
    const token = at.seen.message.params?._meta?.progressToken
    at.say({ method: 'notifications/progress', params: { progressToken: token, progress: 1 } } as JsonObject)
    // Progress and the end are two messages, and the first may be overtaken on its way between processes.
    const second = await opening
    expect(await second.next()).toMatchObject({ params: { progressToken: 'second', progress: 1 } })
    at.finish()
    expect(await second.next()).toMatchObject({ id: 2, result: { content: [{ text: 'done' }] } })
  })

  it('is asked of a client with a session too, on the stream of its request', async () => {
    const session = await openSession(b, { capabilities: { elicitation: {} } })
    const stream = await (async () => {
      const opened = listenTo(b, session.id, { id: 7, method: 'tools/call', params: { name: 'acme__send', arguments: { to: 'a' } } })
      ;(await underWay()).ask()
      return opened
    })()
    const question = (await stream.next()) as { id: string }
    expect(question).toMatchObject({ method: 'elicitation/create', params: { message: '[acme] Which city?' } })
    await session.post({ jsonrpc: '2.0', id: question.id, result: ACCEPT })
    await eventuallyHolds(() => expect(server.of('response').at(-1)?.message.result).toEqual(ACCEPT))
    atServer[0]?.finish('both')
    expect(await stream.next()).toMatchObject({ id: 7, result: legacyText('both') })
    expect(lastOf(b)).toMatchObject({ outcome: 'OK', leg: 1, protocolVersion: '2025-11-25' })
  })
})

describe('a client with a session that a server with sessions asks', () => {
  /** The call, asked. */
  async function open() {
    const session = await openSession(b, { capabilities: { elicitation: {} } })
    const opened = listenTo(b, session.id, { id: 7, method: 'tools/call', params: { name: 'acme__send', arguments: { to: 'a' } } })
    const at = await underWay()
    const id = at.ask()
    const stream = await opened
    const question = (await stream.next()) as { id: string }
    return { session, at, id, stream, question }
  }

  it.each([
    ['answers with what is no answer', { action: 'maybe' }],
    ['answers another form', { action: 'accept', content: { city: 1 } }],
  ])('%s: the server is told no at once, and what it did then is known', async (_, result) => {
    const { session, at, id, stream, question } = await open()
    await session.post({ jsonrpc: '2.0', id: question.id, result })
    await eventuallyHolds(() => expect(answered(id)).toMatchObject({ result: { action: 'cancel' } }))
    at.finish()
    expect(refusalIn({ json: await stream.next() } as unknown as Answer)).toMatchObject({
      code: 'VALIDATION_QUESTION',
      effect: 'committed',
    })
    await eventuallyHolds(() =>
      expect(lastOf(b)).toMatchObject({ outcome: 'VALIDATION_QUESTION', detail: { reason: 'client_answer' }, effectStatus: 'committed' }),
    )
  })

  it('cancels its request: so is the server told', async () => {
    const { session, at, id, stream } = await open()
    await session.notify('notifications/cancelled', { requestId: 7 })
    await eventuallyHolds(() => expect(answered(id)).toMatchObject({ result: { action: 'cancel' } }))
    at.finish()
    expect(await stream.ended).toBe('whole')
    await eventuallyHolds(() => expect(lastOf(b)).toMatchObject({ outcome: 'VALIDATION_QUESTION', effectStatus: 'committed' }))
  })
})

describe('a question that may not be asked', () => {
  const fieldOf = (name: string) => ({
    ...ASK,
    params: { message: 'm', requestedSchema: { type: 'object', properties: { [name]: { type: 'string' } } } },
  })
  const pageAt = (url: string) => ({ method: 'elicitation/create', params: { mode: 'url', message: 'm', url } })

  it.each([
    ['A-111 for a password', fieldOf('password'), 'secret'],
    ['A-111 for an apiKey', fieldOf('apiKey'), 'secret'],
    ['A-111 for an otp', fieldOf('otp'), 'secret'],
    ['A-111 for a page in punycode', pageAt('https://xn--e1awd7f.com/'), 'url_punycode'],
    ['A-111 for a page with a name before it', pageAt('https://bank.com@evil.example/'), 'url_user_info'],
    ['A-111 for a page without TLS', pageAt('http://evil.example/'), 'url_host'],
    ['for a page elsewhere', pageAt('https://evil.example/'), 'url_host'],
    ['in hidden words', { ...ASK, params: { message: 'm\u200bm', requestedSchema: SCHEMA } }, 'hidden_characters'],
  ])('ends the request, and the server is told no: %s', async (_, question, reason) => {
    const pending = call(a)
    const at = await underWay()
    const id = at.ask(question as JsonObject)
    await eventuallyHolds(() => expect(answered(id)).toMatchObject({ result: { action: 'decline' } }))
    at.finish()
    expect(refusalIn(await pending)).toMatchObject({ code: 'VALIDATION_QUESTION', effect: 'committed' })
    expect(lastOf(a)).toMatchObject({ outcome: 'VALIDATION_QUESTION', detail: { reason }, effectStatus: 'committed' })
    expect(eventsOf(a).at(-1)).toMatchObject({ alias: 'acme', reason: 'refused', effect: 'committed' })
  })

  it.each([
    ['sampling, which policy keeps off', { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } }],
    ['roots, likewise', { method: 'roots/list' }],
    ['a tool of ours', { method: 'tools/call', params: { name: 'x' } }],
  ])('since it is nothing that we offered gets an error, and the call goes on: %s', async (_, question) => {
    const pending = call(a)
    const at = await underWay()
    const id = at.ask(question as JsonObject)
    await eventuallyHolds(() => expect(answered(id)).toMatchObject({ error: { code: -32601 } }))
    at.finish()
    expect((await pending).json.result).toMatchObject({ resultType: 'complete' })
  })

  it('since the caller declared nothing is not even offered', async () => {
    const pending = a.call('acme__send', { to: 'a' })
    const at = await underWay()
    const initialize = server.of('initialize').at(-1)?.message.params as JsonObject | undefined
    expect(initialize?.capabilities).toEqual({})
    const id = at.ask()
    await eventuallyHolds(() => expect(answered(id)).toMatchObject({ error: { code: -32601 } }))
    at.finish()
    expect((await pending).json.result).toMatchObject({ resultType: 'complete' })
  })

  it('after the last word is nobody’s', async () => {
    const pending = call(a)
    const at = await underWay()
    at.say({ id: at.seen.message.id ?? null, result: legacyText('done') as JsonObject })
    const id = at.ask()
    at.response.end()
    expect((await pending).json.result).toMatchObject({ resultType: 'complete', content: [{ text: 'done' }] })
    expect(answered(id)?.result).toBeUndefined()
  })

  it('hundreds of times over never reaches the caller more than eight times', async () => {
    const { at, first } = await asked()
    for (let more = 0; more < 300; more += 1) at.ask()
    let leg = first
    let rounds = 1
    while (leg.json.result?.resultType === 'input_required' && rounds < 20) {
      leg = await answer(rounds % 2 === 0 ? a : b, leg)
      rounds += 1
    }
    expect(rounds).toBeLessThanOrEqual(9)
    expect(server.of('tools/call')).toHaveLength(1)
    at.response.destroy()
  })

  it('by a server that answers before anybody else has is passed over with its answer', async () => {
    const { at, first } = await asked()
    at.finish('by itself')
    expect((await answer(b, first)).json.result).toMatchObject({ content: [{ text: 'by itself' }] })
  })
})

describe('whoever answers', () => {
  it('is the caller that was asked, about this call, and nobody else', async () => {
    const { at, id, first } = await asked()
    for (const gateway of [a, b]) {
      const mallory = gateway.token('tools:write', { sub: 'mallory' })
      const state = stateOf(first)
      const attempts: readonly [JsonObject, SendOptions][] = [
        [{ arguments: { to: 'a' }, requestState: state }, { token: mallory }],
        [{ arguments: { to: 'b' }, requestState: state }, {}],
        [{ arguments: { to: 'a' }, requestState: `${state.slice(0, -1)}${state.endsWith('A') ? 'B' : 'A'}` }, {}],
        [{ arguments: { to: 'a' }, requestState: 'w1.AAAAAAAA.AAAA' }, {}],
      ]
      for (const [params, options] of attempts) {
        const forged = await gateway.send(
          'tools/call',
          { name: 'acme__send', inputResponses: { question: ACCEPT }, ...params },
          { ...options, meta: ABLE },
        )
        expect(forged.json.error).toMatchObject({ code: -32602 })
        expect(lastOf(gateway)).toMatchObject({ outcome: 'STATE_INVALID' })
      }
    }
    expect(answered(id)).toBeUndefined()
    const pending = answer(b, first)
    await eventuallyHolds(() => expect(answered(id)).toBeDefined())
    at.finish()
    await pending
  })

  it.each(['acme__send', 'acme__read'])('does it once, and the server hears it once: %s', async name => {
    const { at, first } = await asked(name)
    const attempts = [a, b, a, b].map(gateway => answer(gateway, first, ACCEPT, name))
    await eventuallyHolds(() => expect(server.of('response')).toHaveLength(1))
    at.finish()
    const answers = await Promise.all(attempts)
    expect(
      answers.filter(({ json }) => json.result?.resultType === 'complete' && refusalIn({ json } as Answer) === undefined),
    ).toHaveLength(1)
    expect(server.of('response')).toHaveLength(1)
    expect(server.of('tools/call')).toHaveLength(1)
  })

  it.each([
    ['something of another kind', { roots: [] }],
    ['no action that there is', { action: 'maybe' }],
    ['what is in no form', { action: 'accept', content: { city: { nested: true } } }],
    ['what is not in this form', { action: 'accept', content: { city: 1 } }],
    ['a form that is not filled in', { action: 'accept', content: {} }],
  ])('with %s is refused, and may answer again', async (_, response) => {
    const { at, id, first } = await asked()
    for (const gateway of [a, b]) {
      expect((await answer(gateway, first, response as JsonObject)).json.error).toMatchObject({ code: -32602 })
      expect(lastOf(gateway)).toMatchObject({ outcome: 'MCP_PARAMS_INVALID', detail: { reason: 'inputResponses' } })
    }
    expect(answered(id)).toBeUndefined()
    const pending = answer(b, first)
    await eventuallyHolds(() => expect(answered(id)).toBeDefined())
    at.finish()
    expect((await pending).json.result).toMatchObject({ resultType: 'complete' })
  })
})

describe('the key of a call that is asked', () => {
  const keyed = (key: string): SendOptions => ({ headers: { 'idempotency-key': key } })

  it('is busy until the answer, on every gateway, and then good for the end of it', async () => {
    const key = keyed('held-1')
    const { at, first } = await asked('acme__send', key)
    for (const gateway of [a, b]) {
      expect(await call(gateway, 'acme__send', key)).toMatchObject({ status: 409 })
      expect(lastOf(gateway)).toMatchObject({ outcome: 'IDEMPOTENCY_BUSY' })
    }
    const pending = answer(b, first, ACCEPT, 'acme__send', key)
    await eventuallyHolds(() => expect(server.of('response')).toHaveLength(1))
    at.finish('once')
    await pending
    for (const gateway of [a, b]) {
      expect((await call(gateway, 'acme__send', key)).json.result).toMatchObject({ content: [{ text: 'once' }] })
      expect(lastOf(gateway)).toMatchObject({ idempotency: 'replay' })
      expect((await answer(gateway, first, ACCEPT, 'acme__send', key)).json.result).toMatchObject({ content: [{ text: 'once' }] })
    }
    expect(server.of('tools/call')).toHaveLength(1)
  })

  it('says what became of it when the caller left before it could read the question', async () => {
    const key = keyed('held-2')
    const left = new AbortController()
    const pending = call(a, 'acme__send', { ...key, signal: left.signal }).catch(() => 'left')
    const at = await underWay()
    const gate = createGate()
    server.on.set('response', (_seen, response) => {
      response.statusCode = 202
      response.end()
      gate.open()
    })
    left.abort()
    await pending
    const id = at.ask()
    await gate.opened
    server.on.delete('response')
    expect(answered(id)).toMatchObject({ result: { action: expect.stringMatching(/decline|cancel/) } })
    at.finish('late')
    await eventuallyHolds(async () => {
      const again = await call(b, 'acme__send', key)
      expect(again.json.result).toMatchObject({ resultType: 'complete' })
    })
    expect(server.of('tools/call')).toHaveLength(1)
  })
})
