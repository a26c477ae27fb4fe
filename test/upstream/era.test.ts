import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { Answer } from '../../src/core/model.ts'
import type { UpstreamNews } from '../../src/mcp/index.ts'
import type { Upstream, UpstreamOptions } from '../../src/upstream/index.ts'
import { createTestClock, type TestClock } from '../support/clock.ts'
import { eventually } from '../support/eventually.ts'
import {
  type LegacyStub,
  type LegacyStubOptions,
  legacyText,
  sendLegacyJson,
  sendLegacyStatus,
  startLegacyStub,
} from '../support/legacy-stub.ts'
import { startUpstreamStub, text, type UpstreamStub } from '../support/upstream-stub.ts'
import { configOf, createCaller, createRoom, type IntentShape, intentOf } from './room.ts'

/** One address, behind which now this server stands and now that. */
interface Address {
  readonly url: string
  port: number
}

let cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup()
  cleanups = []
})

async function startAddress(): Promise<Address> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const answer = await fetch(`http://127.0.0.1:${address.port}/mcp`, {
      method: request.method ?? 'POST',
      headers: request.headers as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    }).catch(() => undefined)
    if (answer === undefined) return void response.destroy()
    const { 'content-encoding': _encoding, 'transfer-encoding': _transfer, ...headers } = Object.fromEntries(answer.headers)
    response.writeHead(answer.status, headers)
    response.flushHeaders()
    try {
      for await (const chunk of answer.body ?? []) response.write(chunk)
      response.end()
    } catch {
      response.destroy()
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, port: 0 }
  cleanups.push(async () => {
    server.closeAllConnections()
    await once(server.close(), 'close')
  })
  return address
}

async function legacy(options: LegacyStubOptions = {}): Promise<LegacyStub> {
  const stub = await startLegacyStub(options)
  cleanups.push(() => stub.close())
  return stub
}

/** A modern server, which takes nothing of another revision. */
async function modern(): Promise<UpstreamStub> {
  const stub = await startUpstreamStub([], ({ headers, message }, response) => {
    if (headers['mcp-protocol-version'] === '2026-07-28') return text('done')
    const error = { code: -32022, message: 'Unsupported protocol version', data: { supported: ['2026-07-28'] } }
    return sendLegacyJson(response, 400, { jsonrpc: '2.0', id: message.id, error })
  })
  cleanups.push(() => stub.close())
  return stub
}

function open(url: string, config: Parameters<typeof configOf>[1] = {}, options: Partial<UpstreamOptions> = {}) {
  const told: string[] = []
  const clock = createTestClock()
  const room = createRoom(configOf(url, { era: 'auto', ...config }), {
    report: (_, facts) => told.push(Object.values(facts).join(' ')),
    clock,
    listenTimings: { firstRetryMs: 20, maxRetryMs: 200 },
    ...options,
  })
  cleanups.push(() => room.abort())
  return { room, told, clock }
}

const discover = (room: Upstream): Promise<unknown> =>
  room.discover('tickets', 'shared').then(({ value }) => (value as { result: unknown }).result)
const list = (room: Upstream): Promise<unknown> => room.fetchList('tickets', 'tool', undefined, 'shared').then(({ value }) => value)
const send = (room: Upstream, shape: IntentShape = {}): Promise<Answer> => room.send(intentOf(shape), createCaller())
const portOf = (stub: { readonly url: string }): number => Number(new URL(stub.url).port)
/** Long enough for a doubt to be asked about. */
const later = (clock: TestClock): void => clock.advance(6_000)

describe('which era an upstream speaks', () => {
  it('is asked once, however many come first, and remembered', async () => {
    const stub = await legacy()
    const { room, told } = open(stub.url)
    await Promise.all([send(room), send(room), list(room), discover(room)])
    await send(room)
    expect(stub.of('server/discover')).toHaveLength(1)
    expect(told).toEqual(['tickets legacy 2025-11-25'])
    expect(stub.of('initialize')).toHaveLength(2)
  })

  it('of a modern one is found by the discovery that is asked for anyway: nothing else is sent', async () => {
    const stub = await modern()
    const { room, told } = open(stub.url)
    expect(await discover(room)).toMatchObject({ supportedVersions: ['2026-07-28'] })
    await send(room)
    await discover(room)
    expect(stub.discovers).toHaveLength(2)
    expect(stub.calls.map(({ message }) => message.method)).toEqual(['tools/call'])
    expect(told).toEqual(['tickets modern 2026-07-28'])
  })

  it.each(['modern', 'legacy'] as const)('is not asked where the operator says that it is %s', async era => {
    const stub = era === 'legacy' ? await legacy() : await modern()
    const { room, told } = open(stub.url, { era })
    await send(room)
    const seen = 'seen' in stub ? stub.seen.map(({ message }) => message.method) : stub.calls.map(({ message }) => message.method)
    expect(seen).toEqual(era === 'legacy' ? ['initialize', 'notifications/initialized', 'tools/call'] : ['tools/call'])
    expect(told).toEqual([])
  })

  const answers: readonly (readonly [string, (response: ServerResponse, id: unknown) => unknown])[] = [
    ['-32602', (response, id) => sendLegacyJson(response, 200, { jsonrpc: '2.0', id, error: { code: -32602, message: 'x' } })],
    ['404 and -32601', (response, id) => sendLegacyJson(response, 404, { jsonrpc: '2.0', id, error: { code: -32601, message: 'x' } })],
    ['-32601', (response, id) => sendLegacyJson(response, 200, { jsonrpc: '2.0', id, error: { code: -32601, message: 'x' } })],
    ['400 and -32000', response => sendLegacyStatus(response, 400, -32000, 'Bad Request: Server not initialized')],
    ['an empty 400', response => void response.writeHead(400).end()],
    ['405', response => void response.writeHead(405).end()],
    ['500', response => void response.writeHead(500).end()],
    ['a result that is none', (response, id) => sendLegacyJson(response, 200, { jsonrpc: '2.0', id, result: {} })],
    ['HTML', response => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')],
    [
      '-32022 and revisions of ours that are legacy',
      (response, id) =>
        sendLegacyJson(response, 400, { jsonrpc: '2.0', id, error: { code: -32022, message: 'x', data: { supported: ['2025-06-18'] } } }),
    ],
  ]
  it.each(answers)('is legacy after %s, where it shakes hands (B53)', async (_name, answer) => {
    const stub = await legacy()
    stub.on.set('server/discover', ({ message }, response) => answer(response, message.id))
    const { room, told } = open(stub.url)
    expect(await discover(room)).toMatchObject({ supportedVersions: ['2025-11-25'], capabilities: { tools: {} } })
    expect(told).toEqual(['tickets legacy 2025-11-25'])
    expect((await send(room)).answer.kind).toBe('result')
  })

  it.each([
    [-32022, { supported: ['2026-07-28', '2025-11-25'] }],
    [-32022, { supported: ['2099-01-01'] }],
    [-32020, {}],
    [-32021, {}],
  ])('is modern after %i %j: no hand is offered (B53)', async (code, data) => {
    const stub = await modern()
    stub.onDiscover = ({ message }, response) =>
      sendLegacyJson(response, 400, { jsonrpc: '2.0', id: message.id, error: { code, message: 'x', data } })
    const { room, told } = open(stub.url)
    await expect(discover(room)).rejects.toMatchObject({ code: 'UPSTREAM_INVALID', detail: { reason: 'error', rpc: code } })
    await list(room)
    expect(stub.calls).toEqual([])
    expect(told).toEqual(['tickets modern '])
  })

  it.each([
    [401, 'UPSTREAM_AUTH_REQUIRED'],
    [403, 'UPSTREAM_AUTH_REQUIRED'],
    [429, 'UPSTREAM_UNREACHABLE'],
    [502, 'UPSTREAM_INVALID'],
    [503, 'UPSTREAM_INVALID'],
  ])('cannot be told from %i, and nothing is remembered', async (status, code) => {
    const stub = await legacy()
    stub.on.set('server/discover', (_seen, response) => void response.writeHead(status).end())
    const { room, told } = open(stub.url)
    await expect(discover(room)).rejects.toMatchObject({ code })
    await expect(send(room)).rejects.toMatchObject({ code, open: { notProcessed: true } })
    expect(stub.of('initialize')).toEqual([])
    stub.on.delete('server/discover')
    await discover(room)
    expect(told).toEqual(['tickets legacy 2025-11-25'])
  })

  it('cannot be told from a 500 of a server that does not shake hands either, nor from silence', async () => {
    const stub = await legacy()
    stub.on.set('server/discover', (_seen, response) => void response.writeHead(500).end())
    stub.on.set('initialize', (_seen, response) => void response.writeHead(400).end())
    const { room, told } = open(stub.url, { timeoutMs: 2_000 })
    await expect(discover(room)).rejects.toMatchObject({ code: 'UPSTREAM_INVALID', detail: { status: 500 } })
    await expect(send(room)).rejects.toMatchObject({ code: 'UPSTREAM_INVALID', open: { notProcessed: true }, detail: { status: 500 } })
    expect(stub.of('tools/call')).toEqual([])
    stub.on.set('server/discover', () => new Promise(() => {}))
    await expect(discover(room)).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' })
    expect(told).toEqual([])
  })

  it('cannot be told where the hand we offer is refused for another reason', async () => {
    const stub = await legacy()
    stub.on.set('initialize', (_seen, response) => void response.writeHead(401).end())
    const { room, told } = open(stub.url)
    await expect(discover(room)).rejects.toMatchObject({ code: 'UPSTREAM_AUTH_REQUIRED' })
    await expect(send(room)).rejects.toMatchObject({ code: 'UPSTREAM_AUTH_REQUIRED', open: { notProcessed: true } })
    stub.on.delete('initialize')
    await send(room)
    expect(told).toEqual(['tickets legacy 2025-11-25'])
  })

  it('of a server that neither discovers nor shakes hands is taken for modern, and asked for again each time', async () => {
    const stub = await modern()
    stub.onDiscover = ({ message }, response) =>
      sendLegacyJson(response, 404, { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'x' } })
    const { room, told } = open(stub.url)
    await expect(discover(room)).rejects.toMatchObject({ detail: { rpc: -32601 } })
    expect((await send(room)).answer.kind).toBe('result')
    expect(told).toEqual([])
    stub.onDiscover = undefined
    await discover(room)
    expect(told).toEqual(['tickets modern 2026-07-28'])
  })

  it('is each variant’s own', async () => {
    const stub = await legacy()
    const variants = [{ name: 'staff', credentialHeaders: [['authorization', 'Bearer staff']] as const }]
    const { room, told } = open(stub.url, { variants })
    await discover(room)
    await room.discover('tickets', 'staff')
    expect(told).toEqual(['tickets legacy 2025-11-25', 'tickets staff legacy 2025-11-25'])
  })
})

describe('an upstream that changes its era while we run', () => {
  async function moved(from: { url: string }, config: Parameters<typeof configOf>[1] = {}) {
    const address = await startAddress()
    address.port = portOf(from)
    return { address, ...open(address.url, config) }
  }

  it('upwards is found out by the next call, which is made in the new era, once', async () => {
    const [old, young] = [await legacy(), await modern()]
    const { address, room, told, clock } = await moved(old)
    await send(room)
    address.port = portOf(young)
    later(clock)
    let dispatched = 0
    const { answer } = await send(room, {
      dispatch: async () => {
        dispatched += 1
      },
    })
    expect(answer).toMatchObject({ kind: 'result' })
    expect(young.calls.map(({ message, headers }) => [message.method, headers['mcp-protocol-version']])).toEqual([
      ['tools/call', '2025-11-25'],
      ['tools/call', '2026-07-28'],
    ])
    expect(dispatched).toBe(1)
    expect(told).toEqual(['tickets legacy 2025-11-25', 'tickets modern 2026-07-28'])
  })

  it.each([
    ['with sessions', true],
    ['without sessions', false],
  ])('downwards, to a server %s, is found out by the next call', async (_name, sessions) => {
    const [young, old] = [await modern(), await legacy({ sessions })]
    const { address, room, told, clock } = await moved(young)
    await send(room)
    address.port = portOf(old)
    later(clock)
    let dispatched = 0
    const { answer } = await send(room, {
      dispatch: async () => {
        dispatched += 1
      },
    })
    expect(answer).toMatchObject({ kind: 'result' })
    expect(dispatched).toBe(1)
    if (sessions) expect(told.at(-1)).toBe('tickets legacy 2025-11-25')
    expect(old.of('tools/call').filter(({ session }) => session !== undefined || !sessions)).toHaveLength(1)
  })

  it('by learning the other beside its own is asked now and then', async () => {
    const stub = await legacy()
    const { room, told, clock } = open(stub.url)
    await discover(room)
    stub.on.set('server/discover', () => ({ supportedVersions: ['2025-11-25', '2026-07-28'], capabilities: { tools: {} } }))
    await discover(room)
    expect(stub.of('server/discover')).toHaveLength(1)
    clock.advance(700_000)
    expect(await discover(room)).toMatchObject({ supportedVersions: ['2025-11-25', '2026-07-28'] })
    expect(told).toEqual(['tickets legacy 2025-11-25', 'tickets modern 2026-07-28'])
  })

  it('is found out by a list, and by a discovery', async () => {
    const [young, old] = [await modern(), await legacy()]
    const { address, room, told, clock } = await moved(young)
    await list(room)
    address.port = portOf(old)
    later(clock)
    expect(await list(room)).toMatchObject({ result: { tools: [] } })
    address.port = portOf(young)
    clock.advance(700_000)
    expect(await discover(room)).toMatchObject({ supportedVersions: ['2026-07-28'] })
    expect(told.map(line => line.split(' ')[1])).toEqual(['modern', 'legacy', 'modern'])
  })

  it.each<[string, (response: ServerResponse) => unknown]>([
    ['cut off', response => response.destroy()],
    ['answered with nonsense', response => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>done')],
    ['answered with 500', response => response.writeHead(500, { 'content-type': 'text/html' }).end('<p>done')],
  ])('and may have run a call, which was %s, has that call told as it ended, and not repeated', async (_name, end) => {
    const [young, old] = [await modern(), await legacy()]
    const { address, room, clock } = await moved(young)
    await send(room)
    address.port = portOf(old)
    old.on.set('tools/call', (seen, response) => (seen.session === undefined ? void end(response) : legacyText('twice')))
    later(clock)
    await expect(send(room)).rejects.toMatchObject({ open: { effect: 'unknown' } })
    expect(old.of('tools/call')).toHaveLength(1)
  })

  it('is not asked at each request that gives reason to doubt', async () => {
    const stub = await modern()
    const { room } = open(stub.url)
    await discover(room)
    stub.onCall = (_seen, response) => void response.writeHead(404).end()
    for (let count = 0; count < 5; count += 1) await expect(send(room)).rejects.toMatchObject({ open: { effect: 'unknown' } })
    expect(stub.discovers).toHaveLength(2)
  })

  it('keeps its listeners, who hear that anything may have changed', async () => {
    const [young, old] = [await modern(), await legacy()]
    const { address, room, clock } = await moved(young)
    const news: UpstreamNews[] = []
    room.listen('tickets', { tools: true, prompts: false, resources: false, uris: [], taskIds: [] }, item => news.push(item), 'shared')
    await eventually(() => news.length === 1)
    address.port = portOf(old)
    later(clock)
    await list(room)
    await eventually(() => news.length === 2)
    expect(news).toEqual([{ kind: 'begun' }, { kind: 'resumed' }])
    old.notify({ method: 'notifications/tools/list_changed' })
    await eventually(() => news.length === 3)
    expect(news[2]).toEqual({ kind: 'list_changed', list: 'tools' })
  })
})

describe('what a legacy server says of itself', () => {
  it('is told as a discovery, without what only a modern server can promise', async () => {
    const stub = await legacy({ protocolVersion: '2025-03-26' })
    stub.capabilities = { tools: { listChanged: true }, extensions: { 'io.modelcontextprotocol/tasks': {} }, tasks: {}, completions: {} }
    stub.instructions = 'Be “kind”.'
    const { room } = open(stub.url)
    expect(await discover(room)).toEqual({
      resultType: 'complete',
      supportedVersions: ['2025-03-26'],
      capabilities: { tools: { listChanged: true }, completions: {} },
      instructions: 'Be “kind”.',
      ttlMs: 0,
      cacheScope: 'private',
    })
  })

  it.each([
    [true, 700_000],
    [false, 6_000],
  ])('is asked for anew after a while (sessions: %s)', async (sessions, ageMs) => {
    const stub = await legacy({ sessions })
    const { room, clock } = open(stub.url)
    await discover(room)
    stub.instructions = 'New.'
    expect(await discover(room)).not.toHaveProperty('instructions')
    clock.advance(ageMs)
    expect(await discover(room)).toMatchObject({ instructions: 'New.' })
    expect(await discover(room)).toMatchObject({ instructions: 'New.' })
    await eventually(() => stub.sessions.size === (sessions ? 1 : 0))
  })
})
