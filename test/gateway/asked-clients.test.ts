import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { startGateway, type TestGateway } from '../support/gateway.ts'
import { inSession, openSession } from '../support/session.ts'
import { type Listening, listenTo } from '../support/session-stream.ts'
import { startTwoGateways, type TwoGateways } from '../support/two-gateways.ts'
import { type OnCall, type SeenRequest, text, type UpstreamStub } from '../support/upstream-stub.ts'

/** A server of 2026-07-28 that asks, and clients with sessions on two gateways that share a store. */

const POLICY = `  send: { effect: write, allow: [{ scopes: [tools:write] }] }
  read: { effect: read, allow: [{ scopes: [tools:read] }] }
prompts:
  review: { allow: [{ scopes: [tools:read] }] }`
const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const form = (message = 'Which city?', more: object = {}): JsonObject => ({
  method: 'elicitation/create',
  params: { mode: 'form', message, requestedSchema: SCHEMA, ...more } as JsonObject,
})
const ACCEPT = { action: 'accept', content: { city: 'Bern' } }
const ABLE: JsonObject = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} }

let gateways: TwoGateways
let upstream: UpstreamStub
let a: TestGateway
let b: TestGateway
beforeAll(async () => {
  const upstreamYaml = '    questions: { sampling: true, roots: true }'
  gateways = await startTwoGateways({ policy: POLICY, stub: { prompts: [{ name: 'review' }] }, upstreamYaml })
  ;({ a, b, upstream } = gateways)
})
afterAll(() => gateways.close())
beforeEach(() => {
  upstream.calls.length = 0
  upstream.onCall = askFirst()
})

/** Asks one question, then says what it was answered. */
function askFirst(inputRequests: object = { q: form() }, requestState: string | undefined = 'inner'): OnCall {
  return ({ message }: SeenRequest) =>
    message.params.inputResponses === undefined
      ? { resultType: 'input_required', inputRequests, requestState }
      : text(JSON.stringify([message.params.inputResponses, message.params.requestState]))
}

const open = (capabilities: JsonObject = ABLE, protocolVersion = '2025-11-25') => openSession(a, { capabilities, protocolVersion })
const call = (session: { id: string }, name = 'acme__read', args: JsonObject = { id: 1 }, gateway = a) =>
  listenTo(gateway, session.id, { id: 7, method: 'tools/call', params: { name, arguments: args } })
const answerOf = (session: { id: string }, id: unknown, response: object, gateway = a) =>
  inSession(gateway, session.id).post({ jsonrpc: '2.0', id, ...response })
const lastCall = (gateway = a) => gateway.trail.requests().findLast(({ method }) => method === 'tools/call')
const recorded = async (expected: JsonObject, gateway = a): Promise<void> => {
  await eventuallyHolds(() => expect(lastCall(gateway)).toMatchObject(expected))
}

const says = (said: string) => ({ content: [{ type: 'text', text: said }] })

/** What a server was told that its caller can do. */
function declaredTo(seen: SeenRequest | undefined): JsonObject {
  const meta = (seen?.message.params._meta ?? {}) as JsonObject
  return (meta['io.modelcontextprotocol/clientCapabilities'] ?? {}) as JsonObject
}

/** The question on the stream of a call. */
async function asked(stream: Listening): Promise<JsonObject & { readonly id: string; readonly params: JsonObject }> {
  const message = await stream.next()
  expect(message).toMatchObject({ jsonrpc: '2.0', id: expect.stringMatching(/^[\w-]{24}$/), method: expect.any(String) })
  return message as Awaited<ReturnType<typeof asked>>
}

describe('a client with a session', () => {
  it.each([
    ['accepts', ACCEPT],
    ['declines', { action: 'decline' }],
    ['cancels', { action: 'cancel' }],
  ])('is asked on the stream of its request, and %s, here or on the other gateway; that is one request', async (_, result) => {
    const session = await open()
    for (const where of [a, b]) {
      upstream.calls.length = 0
      const stream = await call(session, 'acme__send', { to: 'a' })
      expect(stream.headers['content-type']).toContain('text/event-stream')
      const question = await asked(stream)
      expect(question).toMatchObject({
        method: 'elicitation/create',
        params: { mode: 'form', message: '[acme] Which city?', requestedSchema: SCHEMA },
      })
      expect(await answerOf(session, question.id, { result }, where)).toMatchObject({ status: 202, text: '' })
      const final = await stream.next()
      expect(final).toMatchObject({ id: 7, result: says(JSON.stringify([{ q: result }, 'inner'])) })
      expect(JSON.stringify(final)).not.toMatch(/resultType|inputRequests|requestState/)
      expect(await stream.ended).toBe('whole')
      expect(upstream.calls).toHaveLength(2)
      await recorded({ outcome: 'OK', leg: 1, effectStatus: 'committed', resultType: 'result' })
      const { id } = lastCall() ?? {}
      const intents = a.trail.intents().filter(({ request }) => request === id)
      expect(intents.map(({ leg }) => leg)).toEqual([undefined, 1])
    }
  })

  it('is asked what it declared, in the form of its revision, and its server is told nothing else', async () => {
    const old = await open({ elicitation: {} }, '2025-06-18')
    const titled = { type: 'string', oneOf: [{ const: 'be', title: 'Bern' }] }
    const question = form('x', { requestedSchema: { type: 'object', properties: { city: titled } } })
    upstream.onCall = askFirst({ q: question })
    const stream = await call(old)
    const said = await asked(stream)
    expect(said.params).toEqual({
      message: '[acme] x',
      requestedSchema: { type: 'object', properties: { city: { type: 'string', enum: ['be'], enumNames: ['Bern'] } } },
    })
    await answerOf(old, said.id, { result: ACCEPT })
    await stream.next()
    const declared = declaredTo(upstream.calls[0])
    expect(declared.elicitation).toEqual({ form: {} })
    expect(declared).not.toHaveProperty('sampling')
  })

  it.each([
    ['a page', { method: 'elicitation/create', params: { mode: 'url', message: 'm', url: 'http://127.0.0.1:1/x' } }, 'not_declared'],
    [
      'a choice of more than one',
      form('m', { requestedSchema: { type: 'object', properties: { x: { type: 'array', items: { type: 'string', enum: ['a'] } } } } }),
      'revision',
    ],
  ])('of a revision without a form for %s is not asked it', async (_, question, reason) => {
    const old = await open(ABLE, '2025-06-18')
    upstream.onCall = askFirst({ q: question })
    const answer = await old.call('acme__read', { id: 1 })
    expect(refusalIn(answer)).toMatchObject({ code: 'VALIDATION_QUESTION' })
    expect(upstream.calls).toHaveLength(1)
    await recorded({ outcome: 'VALIDATION_QUESTION', detail: { reason, question: 'elicitation/create' } })
  })

  it('is shown a page with the id that its revision wants', async () => {
    const session = await open()
    const url = `${new URL(upstream.url).origin}/login`
    upstream.onCall = askFirst({ q: { method: 'elicitation/create', params: { mode: 'url', message: 'Log in', url } } })
    const stream = await call(session)
    const said = await asked(stream)
    expect(said.params).toEqual({ mode: 'url', message: '[acme] Log in', url, elicitationId: expect.any(String) })
    await answerOf(session, said.id, { result: { action: 'accept' } })
    expect(await stream.next()).toMatchObject({ id: 7 })
  })

  it.each([
    [
      'sampling/createMessage',
      { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }], maxTokens: 5 },
      { role: 'assistant', content: { type: 'text', text: 'yo' }, model: 'm' },
    ],
    ['roots/list', undefined, { roots: [{ uri: 'file:///home' }] }],
  ])('is asked by %s where policy lets that', async (method, params, result) => {
    const session = await open()
    upstream.onCall = askFirst({ q: { method, ...(params && { params }) } })
    const stream = await call(session)
    const said = await asked(stream)
    expect(said.method).toBe(method)
    await answerOf(session, said.id, { result: { ...result, _meta: { 'x/y': 1 } } })
    expect(await stream.next()).toMatchObject({ result: says(JSON.stringify([{ q: result }, 'inner'])) })
  })

  it('may be asked several things at once, and again and again', async () => {
    const session = await open()
    upstream.onCall = ({ message: { params } }) => {
      const state = String(params.requestState ?? '')
      return state === 'xxx'
        ? text(JSON.stringify(params.inputResponses))
        : { resultType: 'input_required', inputRequests: { one: form('1'), two: form('2') }, requestState: `${state}x` }
    }
    const stream = await call(session, 'acme__send', { to: 'a' })
    for (let leg = 1; leg <= 3; leg += 1) {
      const questions = [await asked(stream), await asked(stream)]
      expect(new Set(questions.map(({ id }) => id)).size).toBe(2)
      for (const [index, { id }] of questions.entries()) {
        await answerOf(session, id, { result: { action: 'accept', content: { city: `${index}` } } }, index === 0 ? b : a)
      }
    }
    const expected = { one: { action: 'accept', content: { city: '0' } }, two: { action: 'accept', content: { city: '1' } } }
    expect(await stream.next()).toMatchObject({ result: says(JSON.stringify(expected)) })
    await recorded({ outcome: 'OK', leg: 3 })
  })

  it('is not asked for ever: it ends after eight rounds', async () => {
    const session = await open()
    upstream.onCall = () => ({ resultType: 'input_required', inputRequests: { q: form() }, requestState: 's' })
    const stream = await call(session)
    for (let leg = 1; leg <= 8; leg += 1) await answerOf(session, (await asked(stream)).id, { result: ACCEPT })
    expect(await stream.next()).toMatchObject({
      id: 7,
      result: { isError: true, _meta: { 'dev.wicketgate/refusal': { code: 'VALIDATION_QUESTION' } } },
    })
    expect(upstream.calls).toHaveLength(9)
    await recorded({ outcome: 'VALIDATION_QUESTION', detail: { reason: 'legs' } })
  })

  it('is not asked where its server only wants the call again', async () => {
    const session = await open()
    upstream.onCall = ({ message: { params } }) =>
      params.requestState === undefined ? { resultType: 'input_required', requestState: 'later' } : text(String(params.requestState))
    expect((await session.call('acme__read', { id: 1 })).json.result).toMatchObject(says('later'))
    expect(upstream.calls[1]?.message.params).not.toHaveProperty('inputResponses')
  })

  it('is asked about a prompt too', async () => {
    const session = await open()
    upstream.onCall = ({ message: { params } }) =>
      params.inputResponses === undefined
        ? { resultType: 'input_required', inputRequests: { q: form() } }
        : { resultType: 'complete', messages: [{ role: 'user', content: { type: 'text', text: 'go' } }] }
    const stream = await listenTo(a, session.id, { id: 7, method: 'prompts/get', params: { name: 'acme__review' } })
    await answerOf(session, (await asked(stream)).id, { result: ACCEPT })
    expect(await stream.next()).toMatchObject({ id: 7, result: { messages: [{ content: { text: 'go' } }] } })
  })

  it('that repeats its request under its key is told how it ended, and is not asked again', async () => {
    const session = await open()
    const key = 'asked-once'
    const send = (id: number) =>
      listenTo(a, session.id, {
        id,
        method: 'tools/call',
        params: { name: 'acme__send', arguments: { to: 'a' }, _meta: { 'dev.wicketgate/idempotencyKey': key } },
      })
    const stream = await send(7)
    await answerOf(session, (await asked(stream)).id, { result: ACCEPT })
    const { result } = await stream.next()
    const again = await session.post({
      jsonrpc: '2.0',
      id: 8,
      method: 'tools/call',
      params: { name: 'acme__send', arguments: { to: 'a' }, _meta: { 'dev.wicketgate/idempotencyKey': key } },
    })
    expect(again.json.result?.content).toEqual((result as JsonObject).content)
    expect(upstream.calls).toHaveLength(2)
    await recorded({ outcome: 'OK', idempotency: 'replay' })
  })
})

const refusalIn = ({ json }: { json: { result?: JsonObject | Record<string, unknown> } }) =>
  (json.result?._meta as JsonObject | undefined)?.['dev.wicketgate/refusal']

describe('a client that cannot be asked', () => {
  it.each([
    ['since it declared nothing', {}, {}],
    ['since it takes no event stream', ABLE, { accept: 'application/json' }],
  ])('%s, is no client that a server may ask', async (_, capabilities, headers) => {
    const session = await open(capabilities)
    const answer = await session.send('tools/call', { name: 'acme__send', arguments: { to: 'a' } }, { headers })
    expect(refusalIn(answer)).toMatchObject({ code: 'VALIDATION_QUESTION' })
    expect(upstream.calls).toHaveLength(1)
    expect(declaredTo(upstream.calls[0])).toEqual({})
    await recorded({ outcome: 'VALIDATION_QUESTION', detail: { reason: 'not_declared' }, effectStatus: 'in_progress' })
  })

  it('is told so in words where a server says what it lacks, with the code that a client of today gets', async () => {
    upstream.onCall = ({ message }, response) => {
      response.writeHead(400, { 'content-type': 'application/json' })
      const data = { requiredCapabilities: { elicitation: { form: {} } } }
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, error: { code: -32021, message: 'm', data } }))
    }
    const session = await open({})
    const answer = await session.call('acme__send', { to: 'a' })
    expect(refusalIn(answer)).toMatchObject({ code: 'MCP_CAPABILITY_MISSING', notProcessed: true })
    expect(answer.json.result?.content?.[0]?.text).toMatch(/cannot be asked here/)
    await recorded({ outcome: 'MCP_CAPABILITY_MISSING', effectStatus: 'not_started' })
    expect((await a.call('acme__send', { to: 'a' })).json.error).toMatchObject({ code: -32021 })
  })
})

describe('an answer', () => {
  it.each([
    ['of another person', 'foreign'],
    ['of another session of the same person', 'other'],
    ['under an id that was never asked', 'forged'],
    ['under a number', 'number'],
  ])('%s is none: it is taken, and passed over', async (_, kind) => {
    const session = await open()
    const stream = await call(session)
    const { id } = await asked(stream)
    const other = kind === 'foreign' ? await openSession(a, { token: a.token('tools:read', { sub: 'mallory' }) }) : await open()
    const decline = { result: { action: 'decline' } }
    for (const gateway of [a, b]) {
      const sent =
        kind === 'forged' || kind === 'number'
          ? await answerOf(session, kind === 'number' ? 1 : 'x'.repeat(24), decline, gateway)
          : await inSession(gateway, other.id, kind === 'foreign' ? { token: a.token('tools:read', { sub: 'mallory' }) } : {}).post({
              jsonrpc: '2.0',
              id,
              ...decline,
            })
      expect(sent.status).toBe(202)
    }
    expect(upstream.calls).toHaveLength(1)
    await answerOf(session, id, { result: ACCEPT })
    expect(await stream.next()).toMatchObject({ result: says(JSON.stringify([{ q: ACCEPT }, 'inner'])) })
  })

  it('counts once', async () => {
    const session = await open()
    const stream = await call(session)
    const { id } = await asked(stream)
    const sent = await Promise.all([a, b, a, b].map(gateway => answerOf(session, id, { result: ACCEPT }, gateway)))
    expect(sent.map(({ status }) => status)).toEqual([202, 202, 202, 202])
    expect(await stream.next()).toMatchObject({ id: 7 })
    expect(await stream.ended).toBe('whole')
    expect(upstream.calls).toHaveLength(2)
  })

  it.each([
    ['that is no answer to any question', { result: { action: 'perhaps' } }],
    ['with more than a form can hold', { result: { action: 'accept', content: { city: { name: 'Bern' } } } }],
    ['of two spellings', { result: { action: 'accept', Action: 'decline' } }],
    ['without anything', { result: {} }],
    ['with what does not fit the form', { result: { action: 'accept', content: { city: 1 } } }],
    ['of a form that is not filled in', { result: { action: 'accept' } }],
  ])('%s ends the request, and never comes to the server', async (_, response) => {
    const session = await open()
    const stream = await call(session, 'acme__send', { to: 'a' })
    await answerOf(session, (await asked(stream)).id, response)
    expect(refusalIn({ json: (await stream.next()) as { result: JsonObject } })).toMatchObject({
      code: 'VALIDATION_QUESTION',
      effect: 'in_progress',
    })
    expect(upstream.calls).toHaveLength(1)
    await recorded({ outcome: 'VALIDATION_QUESTION', detail: { reason: 'client_answer' }, effectStatus: 'in_progress' })
  })

  it('that is an error stands for a person who said nothing, or ends the request', async () => {
    const session = await open()
    const stream = await call(session)
    await answerOf(session, (await asked(stream)).id, { error: { code: -32603, message: 'broken' } }, b)
    expect(await stream.next()).toMatchObject({ result: says(JSON.stringify([{ q: { action: 'cancel' } }, 'inner'])) })
    upstream.onCall = askFirst({ q: { method: 'roots/list' } })
    const roots = await call(session)
    await answerOf(session, (await asked(roots)).id, { error: { code: -32601, message: 'none' } })
    expect(refusalIn({ json: (await roots.next()) as { result: JsonObject } })).toMatchObject({ code: 'VALIDATION_QUESTION' })
    await recorded({ outcome: 'VALIDATION_QUESTION', detail: { reason: 'client_error', question: 'roots/list', rpc: -32601 } })
  })
})

describe('a client that goes while it is asked', () => {
  it.each(['a', 'b'] as const)('and cancels its request on gateway %s is asked nothing more', async where => {
    const session = await open()
    const stream = await call(session, 'acme__send', { to: 'a' })
    const { id } = await asked(stream)
    await inSession(where === 'a' ? a : b, session.id).notify('notifications/cancelled', { requestId: 7 })
    expect(await stream.ended).toBe('whole')
    await recorded({ outcome: 'VALIDATION_QUESTION', detail: { reason: 'cancelled' }, effectStatus: 'in_progress' })
    await answerOf(session, id, { result: ACCEPT })
    expect(upstream.calls).toHaveLength(1)
  })

  it('and ends its session is asked nothing more', async () => {
    const session = await open()
    const stream = await call(session, 'acme__send', { to: 'a' })
    const { id } = await asked(stream)
    const token = a.token()
    await fetch(b.url, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}`, 'mcp-session-id': session.id, 'mcp-protocol-version': '2025-11-25' },
    })
    await recorded({ outcome: 'VALIDATION_QUESTION', detail: { reason: 'session_ended' } })
    expect(await answerOf(session, id, { result: ACCEPT })).toMatchObject({ status: 404 })
    expect(upstream.calls).toHaveLength(1)
  })

  it('since the gateway shuts down is told so, when others have had their time to end', async () => {
    const leaving = await startGateway({ upstreams: { acme: upstream.url }, tools: { acme: POLICY }, mint: a.mint })
    const session = await openSession(leaving, { capabilities: ABLE })
    const stream = await call(session, 'acme__send', { to: 'a' }, leaving)
    const { id } = await asked(stream)
    const closed = leaving.close()
    expect(await stream.next()).toMatchObject({ method: 'notifications/cancelled', params: { requestId: id } })
    expect(refusalIn({ json: (await stream.next()) as { result: JsonObject } })).toMatchObject({
      code: 'VALIDATION_QUESTION',
      effect: 'in_progress',
    })
    await closed
    expect(lastCall(leaving)).toMatchObject({ outcome: 'VALIDATION_QUESTION', detail: { reason: 'drain' } })
    expect(upstream.calls).toHaveLength(1)
  })

  it('and only loses its connection may come back, hear the question again and answer it', async () => {
    const session = await open()
    const stream = await call(session)
    const { id } = await asked(stream)
    stream.leave()
    await answerOf(session, id, { result: ACCEPT }, b)
    const rest = await listenTo(b, session.id, undefined, { lastEventId: stream.lastEventId ?? '' })
    expect(await rest.next()).toMatchObject({ id: 7, result: says(JSON.stringify([{ q: ACCEPT }, 'inner'])) })
  })
})
