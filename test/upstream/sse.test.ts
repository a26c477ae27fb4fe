import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server as SdkServer } from '@modelcontextprotocol/sdk/server/index.js'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { CallToolRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterEach, describe, expect, test } from 'vitest'
import { createConnections, createPeer } from '../../src/upstream/peer.ts'
import { openSseLine } from '../../src/upstream/sse-line.ts'
import { eventually } from '../support/eventually.ts'
import { configOf } from './room.ts'
import { type Heard, listener } from './stdio/processes-support.ts'

interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

interface Peer {
  readonly url: string
  readonly seen: Seen[]
  readonly streams: ServerResponse[]
}

interface Behaviour {
  /** What stands in the `endpoint` event. */
  readonly endpoint?: string
  onGet?(response: ServerResponse, peer: Peer): void
  onPost?(response: ServerResponse, message: { id?: number; method?: string; params?: unknown }, peer: Peer): void
}

const closers: (() => Promise<unknown> | unknown)[] = []
afterEach(() => Promise.all(closers.splice(0).map(close => close())))

const say = (response: ServerResponse | undefined, message: object): boolean | undefined =>
  response?.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`)

async function serve(run: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server: Server = createServer(run)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function startPeer({ endpoint = '/messages?sessionId=s1', onGet, onPost }: Behaviour = {}): Promise<Peer> {
  const seen: Seen[] = []
  const streams: ServerResponse[] = []
  const origin = await serve(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const { method = '', url = '', headers } = request
    seen.push({ method, url, headers, body })
    if (method === 'GET' && onGet !== undefined) return onGet(response, peer)
    if (method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`event: endpoint\ndata: ${endpoint}\n\n`)
      streams.push(response)
      return
    }
    const message = JSON.parse(body)
    if (onPost !== undefined) return onPost(response, message, peer)
    response.writeHead(202).end('Accepted')
    if (message.id !== undefined) say(streams.at(-1), { id: message.id, result: { method: message.method } })
  })
  const peer: Peer = { url: `${origin}/sse`, seen, streams }
  return peer
}

async function open(url: string, changes: Parameters<typeof configOf>[1] = {}) {
  const config = configOf(url, { credentialHeaders: [['authorization', 'Bearer ours']], ...changes })
  const connections = createConnections(config)
  closers.push(() => Promise.all([connections.pool.destroy(), connections.listenPool.destroy()]))
  const heard = listener()
  const line = await openSseLine(
    createPeer(config, () => {}, connections),
    heard,
  )
  const send = (id: number, method = 'ping', headers: readonly string[] = [], timeoutMs = 10_000) => {
    const exchange = line.send({ id, text: JSON.stringify({ jsonrpc: '2.0', id, method }), headers, timeoutMs })
    heard.onAnswer = () => exchange.stop()
    return exchange
  }
  return { line, heard, send }
}

const answered = (heard: Heard, count = 1): Promise<void> => eventually(() => heard.messages.length >= count)

describe('a line of HTTP+SSE', () => {
  test('messages go where the server says, answers come on its stream, our credential goes to both', async () => {
    const peer = await startPeer()
    const { heard, send } = await open(peer.url)
    send(1, 'tools/list', ['X-Tenant', 'acme'])
    await answered(heard)
    expect(heard.messages).toEqual([{ jsonrpc: '2.0', id: 1, result: { method: 'tools/list' } }])
    expect(peer.seen.map(({ method, url }) => [method, url])).toEqual([
      ['GET', '/sse'],
      ['POST', '/messages?sessionId=s1'],
    ])
    expect(peer.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer ours', 'Bearer ours'])
    expect(peer.seen[0]?.headers.accept).toBe('text/event-stream')
    expect(peer.seen[1]?.headers).toMatchObject({ 'x-tenant': 'acme', 'content-type': 'application/json' })
  })

  test.each([
    ['/messages', '/messages'],
    ['messages?x=1', '/messages?x=1'],
    ['?session=2', '/sse?session=2'],
    ['/a/../messages#part', '/messages'],
  ])('endpoint %j is %s', async (endpoint, path) => {
    const peer = await startPeer({ endpoint })
    const { heard, send } = await open(peer.url)
    send(1)
    await answered(heard)
    expect(peer.seen.at(-1)?.url).toBe(path)
  })

  test('an absolute endpoint at the same origin is one like another', async () => {
    const peer = await startPeer({
      onGet(response, { url, streams }) {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(`event: endpoint\ndata: ${new URL('/there', url).href}\n\n`)
        streams.push(response)
      },
    })
    const { heard, send } = await open(peer.url)
    send(1)
    await answered(heard)
    expect(peer.seen.at(-1)?.url).toBe('/there')
  })

  test.each([
    'https://evil.example/messages',
    '//evil.example/x',
    '\\\\evil.example/x',
    'http://u:p@127.0.0.1/x',
    'file:///etc/passwd',
    `/${'x'.repeat(5_000)}`,
  ])('an endpoint that leads elsewhere is refused, and nothing is sent: %s', async endpoint => {
    const peer = await startPeer({ endpoint })
    await expect(open(peer.url)).rejects.toMatchObject({ code: 'UPSTREAM_INVALID', detail: { reason: 'endpoint' } })
    expect(peer.seen.map(({ method }) => method)).toEqual(['GET'])
  })

  test('an endpoint at another port is elsewhere', async () => {
    const other = await startPeer()
    const peer = await startPeer({ endpoint: new URL('/messages', other.url).href })
    await expect(open(peer.url)).rejects.toMatchObject({ detail: { reason: 'endpoint' } })
    expect(other.seen).toEqual([])
  })

  test('a second endpoint takes the line down', async () => {
    const peer = await startPeer()
    const { heard, send } = await open(peer.url)
    peer.streams[0]?.write('event: endpoint\ndata: /messages?sessionId=s1\n\n')
    send(1)
    await answered(heard)
    peer.streams[0]?.write('event: endpoint\ndata: /other\n\n')
    await eventually(() => heard.down.length === 1)
    expect(heard.down).toMatchObject([{ detail: { reason: 'second_endpoint' } }])
  })

  test('a message before the endpoint is none', async () => {
    const peer = await startPeer({
      onGet(response) {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        say(response, { id: 1, result: {} })
      },
    })
    await expect(open(peer.url)).rejects.toMatchObject({ detail: { reason: 'no_endpoint' } })
  })

  test.each([
    [401, 'UPSTREAM_AUTH_REQUIRED'],
    [403, 'UPSTREAM_AUTH_REQUIRED'],
    [429, 'UPSTREAM_UNREACHABLE'],
    [404, 'UPSTREAM_INVALID'],
    [405, 'UPSTREAM_INVALID'],
    [500, 'UPSTREAM_INVALID'],
    [200, 'UPSTREAM_INVALID'],
  ])('without a stream, for %i, there is no line', async (status, code) => {
    const peer = await startPeer({ onGet: response => response.writeHead(status, { 'content-type': 'text/html' }).end('<p>') })
    await expect(open(peer.url)).rejects.toMatchObject({ code, detail: { status } })
  })

  test('a server that never says where is given up in time', async () => {
    const peer = await startPeer({
      onGet(response) {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.flushHeaders()
      },
    })
    await expect(open(peer.url, { timeoutMs: 100 })).rejects.toMatchObject({ failure: 'timeout', sent: false })
  })

  test('where nobody listens, nothing was sent', async () => {
    await expect(open('http://127.0.0.1:1/sse')).rejects.toMatchObject({ failure: 'not_sent', sent: false })
  })
})

describe('what becomes of a request', () => {
  test('a session that the server has forgotten has not run it', async () => {
    const peer = await startPeer({ onPost: response => response.writeHead(404).end('no session') })
    const { heard, send } = await open(peer.url)
    const lost: (number | undefined)[] = []
    heard.onSessionLost = of => lost.push(of)
    send(7)
    await eventually(() => lost.length === 1)
    expect(lost).toEqual([7])
    expect(heard.failures).toEqual([])
  })

  test.each([
    [401, { code: 'UPSTREAM_AUTH_REQUIRED' }],
    [429, { code: 'UPSTREAM_UNREACHABLE' }],
    [500, { code: 'UPSTREAM_INVALID' }],
  ])('one that is answered with %i fails alone', async (status, error) => {
    const peer = await startPeer({
      onPost(response, { id, method }, { streams }) {
        response.writeHead(method === 'bad' ? status : 202).end()
        if (method !== 'bad') say(streams[0], { id, result: {} })
      },
    })
    const { heard, send } = await open(peer.url)
    send(1, 'bad')
    await eventually(() => heard.failures.length === 1)
    expect(heard.failures).toMatchObject([{ id: 1, error }])
    send(2, 'good')
    await answered(heard)
    expect(heard.down).toEqual([])
  })

  test('what was under way when the stream ends has an unknown outcome; after that nothing can be sent', async () => {
    const peer = await startPeer({ onPost: response => response.writeHead(202).end() })
    const { heard, send, line } = await open(peer.url)
    send(1)
    await eventually(() => peer.seen.length === 2)
    await new Promise(resolve => setTimeout(resolve, 20))
    peer.streams[0]?.end()
    await eventually(() => heard.down.length === 1)
    expect(heard.failures).toMatchObject([{ id: 1, error: { failure: 'broken', sent: true } }])
    await line.close()
    expect(heard.down).toHaveLength(1)
  })

  test('an answer that comes before the 202 is an answer, and breaks no connection', async () => {
    let closedEarly = 0
    const peer = await startPeer({
      onPost(response, { id }, { streams }) {
        response.on('close', () => {
          if (!response.writableFinished) closedEarly += 1
        })
        say(streams[0], { id, result: {} })
        setTimeout(() => response.writeHead(202).end(), 50)
      },
    })
    const { heard, send } = await open(peer.url)
    for (let id = 1; id <= 3; id++) send(id)
    await answered(heard, 3)
    await new Promise(resolve => setTimeout(resolve, 120))
    expect(closedEarly).toBe(0)
    expect(heard.failures).toEqual([])
  })

  test('one that is not answered is too late at its time', async () => {
    const peer = await startPeer({ onPost: response => response.writeHead(202).end() })
    const { heard, send } = await open(peer.url)
    send(1, 'ping', [], 100)
    await eventually(() => heard.failures.length === 1)
    expect(heard.failures).toMatchObject([{ id: 1, error: { failure: 'timeout', sent: true } }])
  })

  test('a notification that is not taken says so', async () => {
    const peer = await startPeer({ onPost: response => response.writeHead(400).end() })
    const { line } = await open(peer.url)
    await expect(line.tell('{}')).rejects.toMatchObject({ code: 'UPSTREAM_INVALID', detail: { reason: 'not_taken', status: 400 } })
  })

  test('messages without end are read at a measure', async () => {
    const peer = await startPeer({
      onGet(response, { streams }) {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write('event: endpoint\ndata: /messages\n\n')
        streams.push(response)
        const text = 'data: {"jsonrpc":"2.0","method":"notifications/message"}\n\n'.repeat(200)
        const more = (): void => {
          while (!response.closed && response.write(text));
        }
        response.on('drain', more)
        more()
      },
    })
    const { heard, line } = await open(peer.url)
    await answered(heard, 500)
    const before = heard.messages.length
    const startMs = performance.now()
    await new Promise(resolve => setTimeout(resolve, 600))
    // The longer it took, the more.
    expect(heard.messages.length - before).toBeLessThan((4 * 512 * (performance.now() - startMs)) / 600)
    await line.close()
  })

  test('what is too large takes the line down', async () => {
    const peer = await startPeer({
      onPost(response, { id }, { streams }) {
        response.writeHead(202).end()
        say(streams[0], { id, result: { text: 'x'.repeat(20_000) } })
      },
    })
    const { heard, send } = await open(peer.url, { maxResponseBytes: 10_000 })
    send(1)
    await eventually(() => heard.down.length === 1)
    expect(heard.down).toMatchObject([{ detail: { reason: 'event_too_large' } }])
  })

  test('who closes it leaves the server alone', async () => {
    const peer = await startPeer()
    const { line, heard } = await open(peer.url)
    let isGone = false
    peer.streams[0]?.on('close', () => {
      isGone = true
    })
    line.listen()
    await line.close()
    await eventually(() => isGone)
    expect(heard.down).toEqual([])
    expect(heard.channel).toEqual(['open'])
  })
})

test('a server of the official SDK is spoken to: initialize, a call, its answer', async () => {
  const transports = new Map<string, SSEServerTransport>()
  const origin = await serve(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://x')
    if (request.method === 'POST') {
      const transport = transports.get(url.searchParams.get('sessionId') ?? '')
      if (transport === undefined) return response.writeHead(404).end()
      return transport.handlePostMessage(request, response)
    }
    const server = new SdkServer({ name: 'old', version: '1.0.0' }, { capabilities: { tools: {} } })
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({ content: [{ type: 'text', text: String(params.name) }] }))
    const transport = new SSEServerTransport('/messages', response)
    transports.set(transport.sessionId, transport)
    return server.connect(transport)
  })
  const { line, heard } = await open(`${origin}/sse`)
  const request = (id: number, method: string, params: object): void => {
    line.send({ id, text: JSON.stringify({ jsonrpc: '2.0', id, method, params }), headers: [], timeoutMs: 10_000 })
  }
  request(1, 'initialize', { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'us', version: '1' } })
  await answered(heard)
  expect(heard.messages[0]).toMatchObject({ id: 1, result: { protocolVersion: '2024-11-05', serverInfo: { name: 'old' } } })
  await line.tell('{"jsonrpc":"2.0","method":"notifications/initialized"}')
  request(2, 'tools/call', { name: 'send', arguments: {} })
  await answered(heard, 2)
  expect(heard.messages[1]).toMatchObject({ id: 2, result: { content: [{ text: 'send' }] } })
  await line.close()
})
