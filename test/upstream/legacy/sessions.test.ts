import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Refusal } from '../../../src/core/errors.ts'
import type { Answer } from '../../../src/core/model.ts'
import { parseCapabilities } from '../../../src/mcp/index.ts'
import type { Upstream } from '../../../src/upstream/index.ts'
import { Conversations } from '../../../src/upstream/legacy/conversations.ts'
import { eventually } from '../../support/eventually.ts'
import {
  beginStream,
  type LegacyStub,
  type LegacyStubOptions,
  legacyText,
  type OnLegacy,
  sendLegacyError,
  sendLegacyJson,
  sendLegacyStatus,
  startLegacyStub,
} from '../../support/legacy-stub.ts'
import { configOf, createCaller, createRoom, type IntentShape, intentOf } from '../room.ts'

let stub: LegacyStub
let room: Upstream

async function start(options: LegacyStubOptions = {}, config: Parameters<typeof configOf>[1] = {}): Promise<void> {
  stub = await startLegacyStub(options)
  room = createRoom(configOf(stub.url, { era: 'legacy', ...config }))
}
beforeEach(() => start())
afterEach(async () => {
  await room.abort()
  await stub.close()
})
async function restart(options: LegacyStubOptions, config: Parameters<typeof configOf>[1] = {}): Promise<void> {
  await room.abort()
  await stub.close()
  await start(options, config)
}

const send = (shape: IntentShape = {}): Promise<Answer> => room.send(intentOf(shape), createCaller())
const fault = (shape: IntentShape = {}): Promise<unknown> =>
  send(shape).then(
    () => expect.fail('answered'),
    (error: unknown) => error,
  )
const as = (subject: string, tenant = 'acme'): IntentShape => ({ principal: { subject, tenant } })
const sessionsOf = (method = 'tools/call'): readonly unknown[] => stub.of(method).map(({ session }) => session)

describe('a session', () => {
  it('is one for all calls of a person, begun once however many come first', async () => {
    await Promise.all([send(), send(), send()])
    await send()
    expect(stub.of('initialize')).toHaveLength(1)
    expect(new Set(sessionsOf()).size).toBe(1)
  })

  it('is each person’s own, by subject and tenant; the client in use is no person', async () => {
    await send(as('a'))
    await send(as('b'))
    await send(as('a', 'other'))
    await send({ principal: { subject: 'a', clientId: 'another' } })
    expect(new Set(sessionsOf()).size).toBe(3)
  })

  it('is everybody’s where the operator says so', async () => {
    await restart({}, { sessions: 'shared' })
    await send(as('a'))
    await send(as('b'))
    expect(new Set(sessionsOf()).size).toBe(1)
  })

  it('that a server does not keep is not begun for each person', async () => {
    await restart({ sessions: false })
    for (const person of ['a', 'b', 'c']) await send(as(person))
    // The first, and then one for all.
    expect(stub.of('initialize')).toHaveLength(2)
    // By now it keeps them.
    stub.on.set('initialize', (_seen, response) => {
      response.setHeader('mcp-session-id', `s${stub.of('initialize').length}`)
      return { protocolVersion: '2025-11-25', capabilities: {} }
    })
    stub.on.set('tools/call', (seen, response) => (seen.session === undefined ? void response.writeHead(404).end() : legacyText('kept')))
    await fault(as('a'))
    for (const person of ['a', 'b', 'a']) await send(as(person))
    const sessions = sessionsOf().filter(session => session !== undefined)
    expect(sessions).toHaveLength(3)
    expect(sessions[0]).toBe(sessions[2])
    expect(sessions[0]).not.toBe(sessions[1])
  })

  it('of lists is the gateway’s own', async () => {
    await send()
    await room.fetchList('tickets', 'tool', undefined, 'shared')
    await room.fetchList('tickets', 'tool', 'next', 'shared')
    expect(new Set(sessionsOf('tools/list')).size).toBe(1)
    expect(sessionsOf('tools/list')).not.toContain(sessionsOf()[0])
    expect(stub.of('tools/list').map(({ message }) => message.params)).toEqual([undefined, { cursor: 'next' }])
  })

  it('that could not be begun is not kept', async () => {
    stub.on.set('initialize', (_seen, response) => void response.writeHead(503).end())
    expect(await fault()).toMatchObject({ code: 'UPSTREAM_INVALID', open: { notProcessed: true } })
    stub.on.delete('initialize')
    expect((await send()).answer.kind).toBe('result')
  })

  it.each<[string, OnLegacy, string]>([
    ['revision', () => ({ protocolVersion: '1999-01-01', capabilities: {} }), 'version'],
    ['modern revision', () => ({ protocolVersion: '2026-07-28', capabilities: {} }), 'version'],
    ['capabilities', () => ({ protocolVersion: '2025-11-25' }), 'capabilities'],
    ['error', ({ message }, response) => sendLegacyError(response, message.id, -32602, 'Unsupported protocol version'), 'error'],
    [
      'session id',
      ({ message }, response) => {
        response.setHeader('mcp-session-id', 'a b')
        sendLegacyJson(response, 200, { jsonrpc: '2.0', id: message.id, result: { protocolVersion: '2025-11-25', capabilities: {} } })
      },
      'session_id',
    ],
  ])('is not begun with a %s that cannot be', async (_name, initialize, reason) => {
    stub.on.set('initialize', initialize)
    expect(await fault()).toMatchObject({ code: 'UPSTREAM_INVALID', open: { notProcessed: true }, detail: { reason } })
    expect(stub.of('tools/call')).toEqual([])
  })

  it('is not begun where the server does not take it that we are ready', async () => {
    stub.on.set('notifications/initialized', (_seen, response) => void response.writeHead(400).end())
    expect(await fault()).toMatchObject({ code: 'UPSTREAM_INVALID', open: { notProcessed: true }, detail: { reason: 'not_taken' } })
  })

  it('offers nothing while nobody could take a question to the caller', async () => {
    await send({ capabilities: parseCapabilities({ elicitation: {} }) })
    expect(stub.of('initialize')[0]?.message.params?.capabilities).toEqual({})
    // Servers show more to who can answer, so lists are asked for as by somebody who could.
    await room.fetchList('tickets', 'tool', undefined, 'shared')
    expect(stub.of('initialize')[1]?.message.params?.capabilities).toEqual({ elicitation: { form: {} } })
  })

  it('is ended with DELETE when the room closes, after what is under way', async () => {
    let release = (): void => {}
    stub.onCall = () => new Promise(resolve => (release = () => resolve(legacyText('late'))))
    const answered = send()
    await eventually(() => stub.of('tools/call').length === 1)
    const closed = room.close()
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(stub.of('DELETE')).toEqual([])
    release()
    expect((await answered).answer.kind).toBe('result')
    await closed
    expect(stub.sessions.size).toBe(0)
    expect(await fault()).toMatchObject({ code: 'UPSTREAM_UNREACHABLE', open: { notProcessed: true } })
  })
})

describe('a session that the server has forgotten', () => {
  const dispatches = (): { readonly shape: IntentShape; readonly count: () => number } => {
    let count = 0
    return {
      shape: {
        dispatch: async () => {
          count += 1
        },
      },
      count: () => count,
    }
  }

  it('is begun anew, and the call is made in the new one, recorded once', async () => {
    await send()
    stub.sessions.clear()
    const { shape, count } = dispatches()
    expect((await send(shape)).answer.kind).toBe('result')
    expect(stub.of('initialize')).toHaveLength(2)
    expect(count()).toBe(1)
    expect(stub.of('tools/call')).toHaveLength(3)
  })

  it.each<[string, OnLegacy]>([
    ['400 that answers nothing', (_seen, response) => sendLegacyStatus(response, 400, -32000, 'Bad Request: No valid session ID provided')],
    [
      '400 with an id of its own',
      (_seen, response) => sendLegacyJson(response, 400, { jsonrpc: '2.0', id: 'server-error', error: { code: -32600, message: 'x' } }),
    ],
    ['400 in plain text', (_seen, response) => void response.writeHead(400, { 'content-type': 'text/plain' }).end('Invalid session')],
    [
      '404 under its id',
      (seen, response) => sendLegacyJson(response, 404, { jsonrpc: '2.0', id: seen.message.id, error: { code: -32001, message: 'x' } }),
    ],
  ])('may say so with %s (B47)', async (_name, refuse) => {
    await send()
    stub.on.set('tools/call', (seen, response) => (stub.sessions.has(seen.session ?? '') ? legacyText('anew') : refuse(seen, response)))
    stub.sessions.clear()
    expect((await send()).answer).toMatchObject({ kind: 'result', result: legacyText('anew') })
    expect(stub.of('initialize')).toHaveLength(2)
  })

  it.each([401, 500])('or with %i: that call fails, and the next one begins anew (B47)', async status => {
    await send()
    stub.on.set('tools/call', (seen, response) =>
      stub.sessions.has(seen.session ?? '') ? legacyText('anew') : void response.writeHead(status).end(),
    )
    stub.sessions.clear()
    expect(await fault()).toMatchObject({ code: status === 401 ? 'UPSTREAM_AUTH_REQUIRED' : 'UPSTREAM_INVALID' })
    expect((await send()).answer).toMatchObject({ kind: 'result', result: legacyText('anew') })
  })

  it('again and again is begun anew once for each call', async () => {
    stub.on.set('tools/call', (_seen, response) => sendLegacyStatus(response, 404, -32001, 'Session not found'))
    expect(await fault()).toMatchObject({ code: 'UPSTREAM_UNREACHABLE', open: { notProcessed: true }, detail: { reason: 'session' } })
    expect(stub.of('tools/call')).toHaveLength(2)
    expect(stub.of('initialize')).toHaveLength(2)
  })

  it.each([true, false])('is not what a method that is not there means (sessions: %s)', async sessions => {
    await restart({ sessions })
    stub.on.set('resources/templates/list', ({ message }, response) =>
      sendLegacyJson(response, 404, { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'Method not found' } }),
    )
    const listed = room.fetchList('tickets', 'resourceTemplate', undefined, 'shared')
    await expect(listed).rejects.toMatchObject({ code: 'UPSTREAM_INVALID', detail: { reason: 'error', rpc: -32601 } })
    expect(stub.of('initialize')).toHaveLength(1)
  })

  it('costs a list nothing', async () => {
    await room.fetchList('tickets', 'tool', undefined, 'shared')
    stub.sessions.clear()
    const { value } = await room.fetchList('tickets', 'tool', undefined, 'shared')
    expect(value).toMatchObject({ result: { tools: [] } })
  })
})

describe('a call that was sent once is not sent again (B85)', () => {
  it('when it is not answered in time: the server is told, and the effect is unknown', async () => {
    await restart({}, { timeoutMs: 1_500 })
    stub.onCall = () => new Promise(() => {})
    expect(await fault()).toMatchObject({ code: 'UPSTREAM_TIMEOUT', open: { effect: 'unknown' } })
    const [call] = stub.of('tools/call')
    await eventually(() => stub.of('notifications/cancelled').length === 1)
    expect(stub.of('notifications/cancelled')[0]?.message.params).toEqual({ requestId: call?.message.id })
    expect(stub.of('tools/call')).toHaveLength(1)
  })

  it.each<[string, OnLegacy]>([
    ['when the connection is cut', (_seen, response) => void response.destroy()],
    [
      'when its stream is cut',
      (_seen, response) => {
        beginStream(response)
        setTimeout(() => response.destroy(), 20)
      },
    ],
  ])('%s', async (_name, onCall) => {
    stub.onCall = onCall
    expect(await fault()).toMatchObject({ code: 'UPSTREAM_INVALID', open: { effect: 'unknown' }, detail: { reason: 'broken' } })
    expect(stub.of('tools/call')).toHaveLength(1)
  })

  it('but one that certainly was not sent says so', async () => {
    await stub.close()
    expect(await fault()).toMatchObject({ code: 'UPSTREAM_UNREACHABLE', open: { notProcessed: true } })
    stub = await startLegacyStub()
  })
})

describe('a caller that leaves', () => {
  it('cancels a read, and the server is told', async () => {
    const caller = createCaller()
    stub.onCall = () => new Promise(() => {})
    const answered = room.send(intentOf({ effect: 'read' }), caller).catch((error: unknown) => error)
    await eventually(() => stub.of('tools/call').length === 1)
    caller.leave()
    expect(await answered).toMatchObject({ code: 'CALLER_GONE' })
    await eventually(() => stub.of('notifications/cancelled').length === 1)
    expect(stub.of('notifications/cancelled')[0]?.message.params).toEqual({ requestId: stub.of('tools/call')[0]?.message.id })
  })

  it('does not end an effect: its outcome is still heard', async () => {
    const caller = createCaller()
    let release = (): void => {}
    stub.onCall = () => new Promise(resolve => (release = () => resolve(legacyText('late'))))
    const answered = room.send(intentOf(), caller)
    await eventually(() => stub.of('tools/call').length === 1)
    caller.leave()
    release()
    expect((await answered).answer).toMatchObject({ kind: 'result', result: legacyText('late') })
    expect(stub.of('notifications/cancelled')).toEqual([])
  })

  it('before it was sent has nothing sent', async () => {
    const caller = createCaller()
    stub.on.set('initialize', async (_seen, response) => {
      caller.leave()
      response.setHeader('mcp-session-id', 's')
      stub.sessions.add('s')
      return { protocolVersion: '2025-11-25', capabilities: {} }
    })
    await expect(room.send(intentOf(), caller)).rejects.toMatchObject({ code: 'CALLER_GONE', open: { notProcessed: true } })
    expect(stub.of('tools/call')).toEqual([])
  })
})

describe('sessions are few', () => {
  const begun = () => {
    const conversation = {
      isOver: false,
      ended: false,
      retire() {
        conversation.isOver = true
      },
      close: async () => {
        conversation.ended = true
      },
    }
    return conversation
  }
  const pool = (max: number, idleMs: number | undefined = 60_000): Conversations => new Conversations({ idleMs, max, nowMs: () => 0 })
  type Take = Parameters<Conversations['take']>[1]
  const beginning = (conversation: ReturnType<typeof begun>): Take => (async () => ({ conversation, handshake: {} })) as unknown as Take

  it('the one that was idle longest gives way to a new one, and none that is in use', async () => {
    const conversations = pool(2)
    const [a, b, c] = [begun(), begun(), begun()]
    const first = await conversations.take('a', beginning(a))
    ;(await conversations.take('b', beginning(b))).release()
    ;(await conversations.take('c', beginning(c))).release()
    expect([a.ended, b.isOver, c.isOver]).toEqual([false, true, false])
    await eventually(() => b.ended)
    first.release()
    expect(a.isOver).toBe(false)
  })

  it('where all are in use, the next is refused, and was not made', async () => {
    const conversations = pool(1)
    await conversations.take('a', beginning(begun()))
    await expect(conversations.take('b', beginning(begun()))).rejects.toMatchObject({
      code: 'UPSTREAM_UNREACHABLE',
      open: { notProcessed: true },
      detail: { reason: 'sessions' },
    })
  })

  it('one that nobody uses is ended after a while, one in use is not', async () => {
    const conversations = pool(9, 20)
    const [a, b] = [begun(), begun()]
    await conversations.take('a', beginning(a))
    ;(await conversations.take('b', beginning(b))).release()
    await eventually(() => b.ended)
    expect(a.isOver).toBe(false)
  })

  it('one that is used again before that is not ended', async () => {
    const conversations = pool(9, 20)
    const a = begun()
    ;(await conversations.take('a', beginning(a))).release()
    await conversations.take('a', beginning(begun()))
    await new Promise(resolve => setTimeout(resolve, 60))
    expect(a.isOver).toBe(false)
  })

  it('one that is over while it is used ends when the last has released it', async () => {
    const conversations = pool(9)
    const [a, b] = [begun(), begun()]
    const one = await conversations.take('a', beginning(a))
    const two = await conversations.take('a', beginning(begun()))
    a.retire()
    const three = await conversations.take('a', beginning(b))
    expect(three.conversation).toBe(b)
    one.release()
    one.release()
    expect(a.ended).toBe(false)
    two.release()
    await eventually(() => a.ended)
    expect(b.isOver).toBe(false)
  })

  it('a beginning that fails fails for all who waited, and for nobody after', async () => {
    const conversations = pool(1)
    const failing = (async () => {
      throw new Refusal('UPSTREAM_TIMEOUT')
    }) as unknown as Take
    const [one, two] = await Promise.allSettled([conversations.take('a', failing), conversations.take('a', failing)])
    expect([one?.status, two?.status]).toEqual(['rejected', 'rejected'])
    await conversations.take('a', beginning(begun()))
  })
})
