import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Refusal } from '../../../src/core/errors.ts'
import type { Answer } from '../../../src/core/model.ts'
import type { Upstream } from '../../../src/upstream/index.ts'
import { eventually } from '../../support/eventually.ts'
import {
  beginStream,
  type LegacyStub,
  type LegacyStubOptions,
  legacyText,
  type OnLegacy,
  sendLegacyError,
  sendLegacyEvents,
  sendLegacyJson,
  startLegacyStub,
  writeLegacyEvent,
} from '../../support/legacy-stub.ts'
import { configOf, createCaller, createRoom, HEARING, type IntentShape, intentOf, NO_META, PROMPT, RESOURCE } from '../room.ts'

let stub: LegacyStub
let room: Upstream
let suspected: string[]

async function start(options: LegacyStubOptions = {}, config: Parameters<typeof configOf>[1] = {}): Promise<void> {
  stub = await startLegacyStub(options)
  room = createRoom(
    configOf(stub.url, { era: 'legacy', credentialHeaders: [['authorization', 'Bearer ours']], forwardHeaders: ['x-tenant'], ...config }),
    { suspect: alias => suspected.push(alias) },
  )
}
beforeEach(() => {
  suspected = []
})
afterEach(async () => {
  await room.abort()
  await stub.close()
})

const send = (shape: IntentShape = {}, caller = createCaller()): Promise<Answer> => room.send(intentOf(shape), caller)
const fault = (shape?: IntentShape, caller = createCaller()): Promise<Refusal> =>
  send(shape, caller).then(
    answer => expect.fail(`answered ${JSON.stringify(answer.answer)}`),
    (error: Refusal) => {
      expect(error).toBeInstanceOf(Refusal)
      return error
    },
  )
const notice = (method: string, params: object): object => ({ jsonrpc: '2.0', method, params })

describe('a call at a legacy server', () => {
  it('comes after one handshake, in the session that it gave and on the revision agreed', async () => {
    await start({ protocolVersion: '2025-06-18' })
    const { answer } = await send({ call: { headers: new Map([['x-tenant', ['t1']]]), meta: NO_META } })
    expect(answer).toMatchObject({ kind: 'result', result: { content: [{ type: 'text', text: 'done' }] } })
    expect(stub.seen.map(({ message }) => message.method)).toEqual(['initialize', 'notifications/initialized', 'tools/call'])
    const [hello, ready, call] = stub.seen
    expect(hello?.message.params).toEqual({
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'wicketgate', version: expect.any(String) },
    })
    expect(hello?.headers).toMatchObject({ accept: 'application/json, text/event-stream', authorization: 'Bearer ours' })
    expect(hello?.headers).not.toHaveProperty('mcp-protocol-version')
    expect(hello?.headers).not.toHaveProperty('mcp-session-id')
    const [session] = stub.sessions
    for (const later of [ready, call]) {
      expect(later?.headers).toMatchObject({
        'mcp-session-id': session,
        'mcp-protocol-version': '2025-06-18',
        authorization: 'Bearer ours',
      })
    }
    expect(call?.headers).toMatchObject({ 'x-tenant': 't1' })
    expect(call?.headers).not.toHaveProperty('mcp-method')
  })

  it('says nothing that only a modern server understands, and what the caller said as it said it', async () => {
    await start()
    await send({
      call: { argumentsText: '{"big":12345678901234567890, "a" : 1.0}', meta: { ...NO_META, carried: { 'com.example/x': 1 } } },
    })
    const [call] = stub.of('tools/call')
    expect(call?.body).toBe(
      `{"jsonrpc":"2.0","id":${call?.message.id},"method":"tools/call","params":{"name":"create","arguments":{"big":12345678901234567890, "a" : 1.0},"_meta":{"com.example/x":1}}}`,
    )
  })

  it.each(['stream', 'json'] as const)('is answered as a modern caller reads it, by a server that answers with %s', async answers => {
    await start({ answers })
    stub.on.set('resources/read', () => ({
      contents: [{ uri: 'file:///a', text: 'x' }],
      ttlMs: 9,
      cacheScope: 'public',
      resultType: 'task',
    }))
    const { answer, bytes } = await send(RESOURCE)
    expect(answer).toMatchObject({
      kind: 'result',
      text: { members: '"ttlMs":0,"cacheScope":"private","contents":[{"uri":"file:///a","text":"x"}]', meta: '' },
    })
    expect(bytes).toBeGreaterThan(50)
  })

  it.each([
    ['input_required', { resultType: 'input_required', inputRequests: { a: { method: 'x' } }, requestState: 's', content: [] }],
    ['task', { resultType: 'task', taskId: 't', content: [] }],
    ['nonsense', { resultType: 7, content: [] }],
  ])('is complete, whatever type its result claims: %s', async (_name, result) => {
    await start()
    stub.onCall = () => result
    const { answer } = await send()
    expect(answer).toMatchObject({ kind: 'result' })
    expect((answer as { text: { members: string } }).text.members).toMatch(/^("taskId":"t",)?"content":\[\]$/)
  })

  it('has its errors passed on; an unknown resource is one of invalid parameters', async () => {
    await start()
    stub.on.set('resources/read', ({ message }, response) => sendLegacyError(response, message.id, -32002, 'Resource not found'))
    expect((await send(RESOURCE)).answer).toMatchObject({ kind: 'error', code: -32602, message: 'Resource not found', ran: true })
    stub.onCall = ({ message }, response) => sendLegacyError(response, message.id, -32601, 'Method not found')
    expect((await send()).answer).toMatchObject({ kind: 'error', code: -32601, ran: true })
    expect(suspected).toEqual(['tickets', 'tickets'])
  })

  it('is not made for a task, which no legacy server has', async () => {
    await start()
    const dispatched: string[] = []
    const refused = await fault({
      method: 'tasks/get',
      effect: 'read',
      call: { name: 's', task: { sealedId: 's', upstreamId: 't' } },
      dispatch: async () => void dispatched.push('dispatched'),
    })
    expect(refused).toMatchObject({ code: 'UPSTREAM_INVALID', open: { notProcessed: true }, detail: { reason: 'era' } })
    expect(stub.of('tasks/get')).toEqual([])
    expect(dispatched).toEqual([])
  })

  it('is marked as dispatched before its first byte leaves, and after the handshake', async () => {
    await start()
    const order: unknown[] = []
    await send({ dispatch: async () => void order.push(...stub.seen.map(({ message }) => message.method)) })
    expect(order).toEqual(['initialize', 'notifications/initialized'])
  })

  it('completes a prompt’s argument', async () => {
    await start()
    stub.on.set('completion/complete', () => ({ completion: { values: ['p'] } }))
    const argumentsText = '"argument":{"name":"to","value":"p"}'
    const { answer } = await send({ ...PROMPT, method: 'completion/complete', call: { name: 'tickets__brief', argumentsText } })
    expect(answer).toMatchObject({ kind: 'result', result: { completion: { values: ['p'] } } })
    expect(stub.of('completion/complete')[0]?.message.params).toEqual({
      ref: { type: 'ref/prompt', name: 'brief' },
      argument: { name: 'to', value: 'p' },
    })
  })
})

describe('what a server says on the way', () => {
  const speak =
    (...messages: readonly unknown[]): OnLegacy =>
    ({ message }, response) =>
      sendLegacyEvents(response, [...messages, { jsonrpc: '2.0', id: message.id, result: legacyText('done') }])

  it('reaches the caller under its own token, as far as it asked for it', async () => {
    await start()
    stub.onCall = (seen, response) => {
      const progressToken = seen.message.params?._meta?.progressToken
      expect(progressToken).toBe(seen.message.id)
      return speak(
        notice('notifications/progress', { progressToken: 'somebody’s', progress: 1 }),
        notice('notifications/progress', { progressToken, progress: 1, total: 2, message: 'half' }),
        notice('notifications/message', { level: 'debug', data: 'no' }),
        notice('notifications/message', { level: 'error', data: { a: 1 } }),
      )(seen, response)
    }
    const caller = createCaller()
    await send(HEARING, caller)
    expect(caller.heard.map(text => JSON.parse(text))).toEqual([
      { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 'theirs', progress: 1, total: 2, message: 'half' } },
      { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'error', data: { a: 1 } } },
    ])
    expect(stub.of('logging/setLevel').map(({ message }) => message.params)).toEqual([{ level: 'info' }])
  })

  it('ends no call where it belongs to nothing that was asked', async () => {
    await start()
    stub.onCall = speak(
      notice('notifications/progress', { progressToken: 'foreign', progress: 1 }),
      notice('notifications/message', { level: 'error', data: 'unasked' }),
      notice('notifications/cancelled', { requestId: 9 }),
      notice('notifications/made/up', {}),
    )
    const caller = createCaller()
    expect((await send({}, caller)).answer.kind).toBe('result')
    expect(caller.heard).toEqual([])
  })

  it('of its lists makes us look at them', async () => {
    await start()
    stub.onCall = speak(notice('notifications/tools/list_changed', {}))
    await send()
    expect(suspected).toEqual(['tickets'])
  })

  it('about a level is asked for once, and again only for more', async () => {
    await start()
    const at = (logLevel: 'debug' | 'info' | 'error'): IntentShape => ({ call: { meta: { ...NO_META, logLevel } } })
    for (const level of ['info', 'error', 'info', 'debug', 'error'] as const) await send(at(level))
    expect(stub.of('logging/setLevel').map(({ message }) => message.params?.level)).toEqual(['info', 'debug'])
  })

  it('about a level is not asked for where a server logs nothing, and costs no call where it refuses', async () => {
    await start()
    stub.on.set('logging/setLevel', ({ message }, response) => sendLegacyError(response, message.id, -32603, 'no'))
    expect((await send(HEARING)).answer.kind).toBe('result')
    await room.abort()
    await stub.close()
    await start()
    stub.capabilities = { tools: {} }
    await send(HEARING)
    expect(stub.of('logging/setLevel')).toEqual([])
  })

  it('holds the server back while the caller is slow', async () => {
    await start()
    let release = (): void => {}
    const heard: string[] = []
    const caller = {
      ...createCaller(),
      notify: (message: string) => {
        heard.push(message)
        return heard.length === 1 ? new Promise<void>(resolve => (release = resolve)) : undefined
      },
    }
    stub.onCall = (seen, response) => {
      const progressToken = seen.message.params?._meta?.progressToken
      const step = (progress: number) => notice('notifications/progress', { progressToken, progress })
      return speak(step(1), step(2))(seen, response)
    }
    const answered = send(HEARING, caller)
    await eventually(() => heard.length === 1)
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(heard).toHaveLength(1)
    release()
    await answered
    expect(heard).toHaveLength(2)
  })
})

describe('a request of the server’s', () => {
  const ask =
    (...requests: readonly object[]): OnLegacy =>
    async ({ message }, response) => {
      beginStream(response)
      for (const [index, request] of requests.entries()) {
        writeLegacyEvent(response, { jsonrpc: '2.0', id: `q${index}`, ...request })
        await eventually(() => stub.of('response').length > index)
      }
      writeLegacyEvent(response, { jsonrpc: '2.0', id: message.id, result: legacyText('done') })
      response.end()
    }

  it('is answered where it is a ping, and refused where nothing was offered', async () => {
    await start()
    stub.onCall = ask({ method: 'ping' }, { method: 'elicitation/create', params: {} }, { method: 'roots/list' }, { method: 'made/up' })
    expect((await send()).answer.kind).toBe('result')
    expect(stub.of('response').map(({ message }) => message)).toEqual([
      { jsonrpc: '2.0', id: 'q0', result: {} },
      ...['q1', 'q2', 'q3'].map(id => ({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } })),
    ])
    for (const { session } of stub.of('response')) expect(stub.sessions).toContain(session)
  })

  it('without end ends the call', async () => {
    await start({}, { questions: { form: true, url: false, sampling: false, roots: false, urlHosts: [] } })
    stub.onCall = (_seen, response) => {
      beginStream(response)
      for (let id = 0; id < 500; id += 1) writeLegacyEvent(response, { jsonrpc: '2.0', id, method: 'ping' })
      response.end()
    }
    expect(await fault()).toMatchObject({ code: 'UPSTREAM_INVALID', detail: { reason: 'no_final_response' } })
  })
})

describe('a hostile server', () => {
  const said =
    (write: (id: unknown) => readonly unknown[]): OnLegacy =>
    ({ message }, response) =>
      sendLegacyEvents(response, write(message.id))
  const final = (id: unknown): object => ({ jsonrpc: '2.0', id, result: legacyText('done') })

  it.each<[string, OnLegacy, string]>([
    ['answers what was never asked', said(() => [final(987_654)]), 'id'],
    ['answers twice', said(id => [final(id), final(id)]), 'after_final'],
    ['answers with an error and a result', said(id => [{ ...final(id), error: { code: 1, message: '' } }]), 'neither_result_nor_error'],
    ['answers in a batch', said(id => [[final(id)]]), 'batch'],
    ['spells a key twice', said(id => [{ ...final(id), Result: {} }]), 'lookalike_key'],
    ['does not answer', said(() => []), 'no_final_response'],
    ['says no JSON', (_seen, response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: {\n\n'), 'json'],
    ['says an event too large', said(id => [{ ...final(id), result: { content: [], x: 'x'.repeat(1_100_000) } }]), 'event_too_large'],
    [
      'says a body too large',
      (seen, response) => sendLegacyJson(response, 200, { ...final(seen.message.id), x: 'x'.repeat(1_100_000) }),
      'too_large',
    ],
    ['says it is HTML', (_seen, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'), 'media_type'],
    ['accepts and says nothing', (_seen, response) => void response.writeHead(202).end(), 'no_final_response'],
    ['gives a result with a status that has none', (seen, response) => sendLegacyJson(response, 500, final(seen.message.id)), 'status'],
    ['asks under an id that is none', said(id => [{ jsonrpc: '2.0', id: null, method: 'ping' }, final(id)]), 'id'],
  ])('that %s gives no answer, and the effect is unknown', async (_name, onCall, reason) => {
    await start()
    stub.onCall = onCall
    expect(await fault()).toMatchObject({ code: 'UPSTREAM_INVALID', open: { effect: 'unknown' }, detail: { reason } })
    expect(stub.of('tools/call')).toHaveLength(1)
    // The next call is none the worse for it.
    stub.onCall = () => legacyText('again')
    expect((await send()).answer.kind).toBe('result')
  })

  it('that floods a call with notifications does not grow on us', async () => {
    await start({}, { maxResponseBytes: 10_000 })
    stub.onCall = (_seen, response) => {
      beginStream(response)
      const more = (): void => {
        while (
          !response.closed &&
          response.write(`data: ${JSON.stringify(notice('notifications/message', { level: 'info', data: 'x' }))}\n\n`)
        ) {
          // As long as it is taken.
        }
      }
      response.on('drain', more)
      more()
    }
    expect(await fault()).toMatchObject({ code: 'UPSTREAM_INVALID', detail: { reason: 'too_large' } })
  })

  it.each([
    ['\r\n', 'CRLF'],
    ['\r', 'CR'],
    ['\n', 'LF'],
  ])('or an old one may end its lines with %j (B39)', async end => {
    await start()
    stub.onCall = async ({ message }, response) => {
      beginStream(response)
      const text = JSON.stringify({ jsonrpc: '2.0', id: message.id, result: legacyText('ü') })
      const event = Buffer.from(`: hello${end}event: message${end}data:${text.slice(0, 17)}${end}data:${text.slice(17)}${end}${end}`)
      for (const byte of event) response.write(Buffer.of(byte))
      await new Promise(resolve => setTimeout(resolve, 5))
      response.end()
    }
    expect((await send()).answer).toMatchObject({ kind: 'result', result: legacyText('ü') })
  })

  it('that ends before its last event does is one that did not answer', async () => {
    await start()
    stub.onCall = ({ message }, response) => {
      beginStream(response)
      response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: legacyText('cut') })}\n`)
    }
    expect(await fault()).toMatchObject({ code: 'UPSTREAM_INVALID', detail: { reason: 'no_final_response' } })
  })

  it('may send a large answer in one line (B45)', async () => {
    await start({}, { maxResponseBytes: 9_000_000 })
    stub.onCall = () => legacyText('x'.repeat(8 * 1024 * 1024))
    expect((await send()).bytes).toBeGreaterThan(8 * 1024 * 1024)
  })
})
