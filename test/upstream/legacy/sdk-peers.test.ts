import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Answer } from '../../../src/core/model.ts'
import type { UpstreamNews } from '../../../src/mcp/index.ts'
import type { Upstream } from '../../../src/upstream/index.ts'
import { eventually } from '../../support/eventually.ts'
import { type SdkV1Options, startSdkV1Server } from '../../support/sdk-v1-server.ts'
import { configOf, createCaller, createRoom, HEARING, type IntentShape, intentOf, RESOURCE } from '../room.ts'

let cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup()
  cleanups = []
})

interface Peer {
  readonly room: Upstream
  readonly servers: McpServer[]
  readonly told: string[]
  sessions(): number
  /** How often the tool `create` has begun. */
  runs(): number
  send(shape?: IntentShape, caller?: ReturnType<typeof createCaller>): Promise<Answer>
}

async function start(options: SdkV1Options = {}): Promise<Peer> {
  const servers: McpServer[] = []
  let runs = 0
  const build = (): McpServer => {
    const server = new McpServer({ name: 'old', version: '1.0.0' }, { capabilities: { logging: {}, resources: { subscribe: true } } })
    servers.push(server)
    server.registerTool('create', { description: 'Creates.', inputSchema: { text: z.string().optional() } }, async ({ text }, extra) => {
      runs += 1
      const progressToken = extra._meta?.progressToken
      if (progressToken !== undefined) {
        await extra.sendNotification({ method: 'notifications/progress', params: { progressToken, progress: 1, total: 2 } })
        await extra.sendNotification({ method: 'notifications/message', params: { level: 'info', data: 'working' } })
      }
      if (text === 'cut') {
        extra.closeSSEStream?.()
        await new Promise(resolve => setTimeout(resolve, 150))
      }
      if (text === 'wait') await new Promise<void>(resolve => extra.signal.addEventListener('abort', () => resolve()))
      if (extra.signal.aborted) cancelled += 1
      return { content: [{ type: 'text', text: text ?? 'done' }] }
    })
    server.registerResource('a', 'file:///a', {}, uri => ({ contents: [{ uri: uri.href, text: 'A' }] }))
    return server
  }
  const server = await startSdkV1Server(build, options)
  const told: string[] = []
  const room = createRoom(configOf(server.url, { era: 'auto' }), {
    report: (_, facts) => told.push(Object.values(facts).join(' ')),
    listenTimings: { firstRetryMs: 20 },
  })
  cleanups.push(
    () => server.close(),
    () => room.abort(),
  )
  const send: Peer['send'] = (shape = {}, caller = createCaller()) => room.send(intentOf(shape), caller)
  return { room, servers, told, sessions: () => server.sessions.size, runs: () => runs, send }
}

let cancelled = 0

const STYLES: readonly (readonly [string, SdkV1Options])[] = [
  ['with sessions', {}],
  ['with sessions that answers with JSON', { enableJsonResponse: true }],
  ['without sessions', { sessions: false }],
  ['without sessions that answers with JSON', { sessions: false, enableJsonResponse: true }],
]

describe.each(STYLES)('a server on the official SDK of 2025, %s,', (_name, options) => {
  it('is found to be legacy, says what it is, and lists and runs its tools', async () => {
    const { room, told, send } = await start(options)
    const { value } = await room.discover('tickets', 'shared')
    expect(value).toMatchObject({ result: { supportedVersions: ['2025-11-25'], capabilities: { tools: {}, logging: {}, resources: {} } } })
    const list = await room.fetchList('tickets', 'tool', undefined, 'shared')
    expect(list.value).toMatchObject({ result: { tools: [{ name: 'create' }] } })
    expect(told).toEqual(['tickets legacy 2025-11-25'])
    const call = { argumentsText: '{"text":"ü"}' }
    expect((await send({ call })).answer).toMatchObject({ kind: 'result', result: { content: [{ type: 'text', text: 'ü' }] } })
    expect((await send(RESOURCE)).answer).toMatchObject({ kind: 'result', result: { contents: [{ uri: 'file:///a', text: 'A' }] } })
  })

  it('says that a resource is not there as modern callers read it', async () => {
    const { send } = await start(options)
    const unknown: IntentShape = { ...RESOURCE, item: { ...RESOURCE.item, listed: false }, call: { name: 'tickets+file:///none' } }
    expect((await send(unknown)).answer).toMatchObject({ kind: 'error', code: -32602 })
  })
})

describe('a server on the official SDK of 2025', () => {
  it('is heard while it works', async () => {
    const { send } = await start()
    const caller = createCaller()
    await send(HEARING, caller)
    expect(caller.heard.map(text => JSON.parse(text).params)).toMatchObject([
      { progressToken: 'theirs', progress: 1, total: 2 },
      { level: 'info', data: 'working' },
    ])
  })

  it('stops when its caller has left a read', async () => {
    const { send, runs } = await start()
    cancelled = 0
    const caller = createCaller()
    const answered = send({ effect: 'read', call: { argumentsText: '{"text":"wait"}' } }, caller).catch((error: unknown) => error)
    await eventually(() => runs() === 1)
    caller.leave()
    expect(await answered).toMatchObject({ code: 'CALLER_GONE' })
    await eventually(() => cancelled === 1)
  })

  it('that ends its stream in the middle is asked for the rest, and the tool runs once', async () => {
    const kept: [string, JSONRPCMessage][] = []
    const eventStore: EventStore = {
      storeEvent: async (stream, message) => {
        kept.push([stream, message])
        return `${stream}_${kept.length - 1}`
      },
      replayEventsAfter: async (lastEventId, { send }) => {
        const cut = lastEventId.lastIndexOf('_')
        const stream = lastEventId.slice(0, cut)
        for (const [index, [of, message]] of kept.entries()) {
          if (of === stream && index > Number(lastEventId.slice(cut + 1)) && Object.keys(message).length > 0)
            await send(`${of}_${index}`, message)
        }
        return stream
      },
    }
    const { send, runs } = await start({ eventStore })
    const { answer } = await send({ ...HEARING, call: { ...HEARING.call, argumentsText: '{"text":"cut"}' } })
    expect(answer).toMatchObject({ kind: 'result', result: { content: [{ type: 'text', text: 'cut' }] } })
    expect(runs()).toBe(1)
  })

  it('tells its news on the GET stream', async () => {
    const { room, servers } = await start()
    const news: UpstreamNews[] = []
    const filter = { tools: true, prompts: false, resources: true, uris: [], taskIds: [] }
    room.listen('tickets', filter, item => news.push(item), 'shared')
    await eventually(() => news.length === 1)
    for (const server of servers) if (server.isConnected()) server.sendToolListChanged()
    await eventually(() => news.some(({ kind }) => kind === 'list_changed'))
    expect(news).toContainEqual({ kind: 'list_changed', list: 'tools' })
  })

  it('is told goodbye: no session stays open', async () => {
    const { room, sessions, send } = await start()
    await send()
    await room.fetchList('tickets', 'tool', undefined, 'shared')
    expect(sessions()).toBe(2)
    await room.close()
    expect(sessions()).toBe(0)
  })
})
