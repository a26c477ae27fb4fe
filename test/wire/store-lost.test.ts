import { readFileSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGate, eventually, type Gate } from '../support/eventually.ts'
import type { Answer } from '../support/gateway.ts'
import { type GatewayProcess, startGatewayProcess } from '../support/gateway-process.ts'
import { type RedisServer, startRedis } from '../support/redis.ts'
import { openSession, type TestSession } from '../support/session.ts'
import { type Listening, listenTo } from '../support/session-stream.ts'
import { startTokenMint, type TokenMint } from '../support/tokens.ts'
import { type OnCall, startUpstreamStub, text, type UpstreamStub } from '../support/upstream-stub.ts'

/** docs/store.md says what each operation does while the store is lost; here each row of it is held to that, whether Redis is dead or slow. */

const object = { type: 'object' }
const TOOLS = ['read', 'limited', 'write', 'stream', 'ask'].map(name => ({ name, inputSchema: object }))
const READ = 'allow: [{ scopes: [tools:read] }]'
const WRITE = 'allow: [{ scopes: [tools:write] }]'
const POLICY = `  read: { effect: read, ${READ} }
  limited: { effect: read, limit: { calls: 1000, per: 1s }, ${READ} }
  write: { effect: write, ${WRITE} }
  stream: { effect: read, ${READ} }
  ask: { effect: read, ${READ} }
resources:
  "file:///*": { ${READ} }`

const NEWS = { method: 'notifications/resources/updated', params: { uri: 'file:///a' } }
const QUESTION = {
  resultType: 'input_required',
  inputRequests: {
    a: { method: 'elicitation/create', params: { mode: 'form', message: 'Well?', requestedSchema: { type: 'object', properties: {} } } },
  },
  requestState: 's',
}

let mint: TokenMint
beforeAll(async () => {
  mint = await startTokenMint()
})
afterAll(() => mint.close())

interface Story {
  readonly gateway: GatewayProcess
  readonly upstream: UpstreamStub
  readonly session: TestSession
  /** One that was ended while the store was there. */
  readonly ended: TestSession
  /** Begun before the store was lost: the session's own stream, one of a call, and one that a question came on. */
  readonly news: Listening
  readonly streaming: Listening
  readonly asked: Listening
  readonly question: unknown
  readonly go: Gate
}

/** Official clients of earlier revisions read an error only in an answer of status 200. */
const isRefused = (answer: Answer, status: 200 | 503): void => {
  expect(answer.status).toBe(status)
  expect(answer.headers.get('retry-after')).not.toBeNull()
  expect(answer.json.error).toMatchObject({ code: -32603, data: { code: 'STORE_UNAVAILABLE', notProcessed: true } })
}
const isDone = ({ status, json }: Answer): void => {
  expect(status).toBe(200)
  expect(json.result).toMatchObject({ content: [{ text: 'done' }] })
}
const key = { 'idempotency-key': 'k' }
const http = (
  gateway: GatewayProcess,
  session: TestSession,
  method: 'GET' | 'DELETE',
  more: Record<string, string> = {},
): Promise<Response> =>
  fetch(gateway.url, {
    method,
    headers: {
      authorization: `Bearer ${gateway.token()}`,
      accept: 'text/event-stream',
      'mcp-session-id': session.id,
      'mcp-protocol-version': '2025-11-25',
      ...more,
    },
  })

/** By the first cell of its row. */
const ROWS: Readonly<Record<string, (story: Story) => Promise<void>>> = {
  '`initialize`': async ({ gateway }) => {
    const session = await openSession(gateway)
    isDone(await session.call('acme__read'))
  },
  'lists, `ping`, `server/discover`': async ({ gateway, session }) => {
    for (const method of ['tools/list', 'resources/list', 'ping']) expect((await session.send(method)).json).toHaveProperty('result')
    for (const method of ['tools/list', 'server/discover']) expect((await gateway.send(method)).json).toHaveProperty('result')
  },
  'a request of a session that has ended': async ({ ended }) => isDone(await ended.call('acme__read')),
  'a read': async ({ gateway, session }) => {
    isDone(await session.call('acme__read'))
    isDone(await gateway.call('acme__read'))
  },
  'a read with a limit': async ({ gateway, session }) => {
    isDone(await session.call('acme__limited'))
    isDone(await gateway.call('acme__limited'))
    const metrics = await (await fetch(`${gateway.adminUrl}/metrics`)).text()
    expect(metrics).toMatch(/^wicketgate_limits_degraded_total\{.*\} [1-9]/m)
  },
  'a call with an effect, without key or limit': async ({ gateway, session }) => {
    isDone(await session.call('acme__write'))
    isDone(await gateway.call('acme__write'))
  },
  'a call with an effect and a key': async ({ gateway, session, upstream }) => {
    const before = upstream.calls.length
    isRefused(await session.call('acme__write', {}, { headers: key }), 200)
    isRefused(await gateway.call('acme__write', {}, { headers: key }), 503)
    expect(upstream.calls).toHaveLength(before)
  },
  DELETE: async ({ gateway }) => {
    const { status, headers } = await http(gateway, await openSession(gateway), 'DELETE')
    expect([status, headers.get('retry-after')]).toEqual([503, expect.anything()])
  },
  'GET: the session’s stream': async ({ gateway, session, upstream, news }) => {
    upstream.notify(NEWS)
    expect(await news.next()).toMatchObject(NEWS_EXPOSED)
    const another = await openSession(gateway)
    const stream = await listenTo(gateway, another.id)
    expect(stream.status).toBe(200)
    stream.leave()
    isDone(await session.call('acme__read'))
  },
  'GET with `Last-Event-ID`': async ({ gateway, session, streaming }) => {
    const { status, headers } = await http(gateway, session, 'GET', { 'last-event-id': streaming.lastEventId ?? '' })
    expect([status, headers.get('retry-after')]).toEqual([503, expect.anything()])
  },
  '`resources/subscribe`, `logging/setLevel`': async ({ session }) => {
    isRefused(await session.send('resources/subscribe', { uri: 'acme+file:///a' }), 200)
    isRefused(await session.send('logging/setLevel', { level: 'error' }), 200)
  },
  'a stream under way': async ({ go, streaming }) => {
    go.open()
    expect(await streaming.next()).toMatchObject({ id: 'streaming', result: { content: [{ text: 'done' }] } })
  },
  'a question under way': async ({ session, asked, question }) => {
    expect((await session.post({ jsonrpc: '2.0', id: question, result: { action: 'accept', content: {} } })).status).toBe(202)
    expect(await asked.next()).toMatchObject({ id: 'asked', result: { content: [{ text: 'done' }] } })
  },
  'an answer to a question of another process': async ({ session }) => {
    const answer = await session.post({ jsonrpc: '2.0', id: 'x'.repeat(24), result: { action: 'accept', content: {} } })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, expect.anything()])
  },
  'a question that comes now': async ({ session }) => {
    const answer = await session.call('acme__ask', {}, { id: 'too late' })
    expect(answer.text).toContain('VALIDATION_QUESTION')
  },
  '`notifications/cancelled`': async ({ session }) => {
    expect((await session.notify('notifications/cancelled', { requestId: 'nobody’s' })).status).toBe(202)
  },
  '`/readyz`': async ({ gateway }) => {
    const { status, text: said } = await gateway.readyz()
    expect([status, said]).toEqual([503, expect.stringContaining('store')])
  },
}
const NEWS_EXPOSED = { method: 'notifications/resources/updated', params: { uri: 'acme+file:///a' } }

it('every row of the table is held here, and nothing else', () => {
  const page = readFileSync(new URL('../../docs/store.md', import.meta.url), 'utf8')
  const [, table = ''] = page.split('<!-- rows held by test/wire/store-lost.test.ts -->')
  const documented = table.split('\n').flatMap(line => /^\| (.+?) \|/.exec(line)?.[1] ?? [])
  expect(documented.slice(1)).toEqual(Object.keys(ROWS))
})

/** In front of Redis: whatever it answers comes so much later, in order. */
interface Delay {
  readonly url: string
  ms: number
  close(): void
}

async function startDelay(redis: RedisServer): Promise<Delay> {
  const path = join(dirname(redis.path), 'slow.sock')
  const sockets = new Set<Socket>()
  const delay = { url: `unix:${path}`, ms: 0, close: () => close() }
  const server: Server = createServer(client => {
    const behind = connect(redis.path)
    for (const socket of [client, behind]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        client.destroy()
        behind.destroy()
        sockets.delete(socket)
      })
    }
    client.pipe(behind)
    behind.on('data', chunk => setTimeout(() => client.writable && client.write(chunk), delay.ms))
  })
  const close = (): void => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  await new Promise<void>(resolve => server.listen(path, resolve))
  return delay
}

/** Longer than a busy machine takes where nothing is lost. */
const STORE_TIMEOUT_MS = 1_000
/** Slow: its connections are given up. Sluggish: it answers just after nobody waits any more. */
const HOW = { dead: 0, slow: 20 * STORE_TIMEOUT_MS, sluggish: 2 * STORE_TIMEOUT_MS } as const

describe.each(['dead', 'slow', 'sluggish'] as const)('while Redis is %s', how => {
  let redis: RedisServer
  let delay: Delay
  let story: Story
  beforeAll(async () => {
    redis = await startRedis()
    delay = await startDelay(redis)
    const go = createGate()
    const onCall: OnCall = async ({ message }, response) => {
      const { name, inputResponses } = message.params
      if (name === 'ask' && inputResponses === undefined) return QUESTION
      if (name !== 'stream') return text('done')
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const say = (said: object): void => void response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...said })}\n\n`)
      const { progressToken } = message.params._meta as { readonly progressToken: unknown }
      say({ method: 'notifications/progress', params: { progressToken, progress: 1 } })
      await go.opened
      say({ id: message.id, result: text('done') })
      response.end()
      return undefined
    }
    const upstream = await startUpstreamStub(TOOLS, onCall)
    upstream.resources = [{ uri: 'file:///a', name: 'a' }]
    upstream.capabilities = { tools: {}, resources: { subscribe: true } }
    const gateway = await startGatewayProcess({
      mint,
      upstreams: { acme: upstream.url },
      tools: { acme: POLICY },
      settings: { store: delay.url },
      storeTimeoutMs: STORE_TIMEOUT_MS,
    })
    const session = await openSession(gateway, { capabilities: { elicitation: {} } })
    const ended = await openSession(gateway)
    await session.send('resources/subscribe', { uri: 'acme+file:///a' })
    const news = await listenTo(gateway, session.id)
    await eventually(() => upstream.listens.length > 0)
    const streaming = await listenTo(gateway, session.id, {
      id: 'streaming',
      method: 'tools/call',
      params: { name: 'acme__stream', arguments: {}, _meta: { progressToken: 'p' } },
    })
    expect(await streaming.next()).toMatchObject({ method: 'notifications/progress' })
    const asked = await listenTo(gateway, session.id, { id: 'asked', method: 'tools/call', params: { name: 'acme__ask', arguments: {} } })
    const { id: question, method } = await asked.next()
    expect(method).toBe('elicitation/create')
    expect((await http(gateway, ended, 'DELETE')).status).toBeLessThan(300)
    expect((await ended.call('acme__read')).status).toBe(404)
    story = { gateway, upstream, session, ended, news, streaming, asked, question, go }

    if (how === 'dead') await redis.kill()
    else delay.ms = HOW[how]
    // It is found out by the first who asks it something.
    await eventually(async () => (await gateway.call('acme__write', {}, { headers: key })).status === 503)
  })
  afterAll(async () => {
    for (const stream of [story.news, story.streaming, story.asked]) stream.leave()
    await story.gateway.stop()
    await story.upstream.close()
    delay.close()
    await redis.stop()
  })

  it.each(Object.entries(ROWS))('%s', async (_operation, check) => check(story))

  it('all is as before when it is back, without a restart', async () => {
    if (how === 'dead') await redis.restart()
    else delay.ms = 0
    const { gateway, session } = story
    await eventually(async () => (await gateway.readyz()).status === 200, 20)
    isDone(await session.call('acme__write', {}, { headers: { 'idempotency-key': 'afterwards' } }))
    expect((await http(gateway, session, 'DELETE')).status).toBeLessThan(300)
    expect((await session.call('acme__read')).status).toBe(404)
    expect(gateway.stderr).not.toMatch(/unhandled|uncaught/i)
  })
})
