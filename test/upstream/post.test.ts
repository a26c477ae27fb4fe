import { once } from 'node:events'
import { createServer as createHttp, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Pool } from 'undici'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Post, type PostSink, type PostTarget } from '../../src/upstream/post.ts'
import { createGate, eventually } from '../support/eventually.ts'

const targetOf = (origin: string, changes: Partial<PostTarget> = {}): PostTarget => {
  const pool = new Pool(origin, { connections: 1 })
  onTestFinished(() => pool.destroy())
  return {
    pool,
    origin,
    path: '/mcp',
    timeoutMs: 10_000,
    idleMs: 10_000,
    maxStreamMs: 60_000,
    maxBytes: 1_000,
    maxStreamBytes: 1_000_000,
    onRedirect: () => {},
    ...changes,
  }
}

const NOTHING: PostSink = { onStream() {}, onChunk: () => true }

/** The answer to one POST, or why there is none. */
function post(target: PostTarget, sink: PostSink = NOTHING): Promise<unknown> {
  return new Post(target, ['content-type', 'application/json', 'authorization', 'Bearer ours'], '{"id":1}', sink).answered.catch(
    (error: unknown) => error,
  )
}

async function startServer(listener: RequestListener): Promise<string> {
  const server = createHttp(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}

const STREAM = { 'content-type': 'text/event-stream' }
const JSON_TYPE = { 'content-type': 'application/json' }

/** An upstream that sends one chunk of a stream, then resets when it is told to. */
async function startStreamer(): Promise<{ readonly target: PostTarget; readonly socket: Promise<Socket> }> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const target = targetOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const socket = once(server, 'connection').then(async ([connection]: Socket[]) => {
    if (connection === undefined) throw new Error('no connection')
    connection.on('error', () => {})
    await once(connection, 'data')
    connection.write('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n')
    return connection
  })
  onTestFinished(() => void server.close())
  return { target, socket }
}

it.each([
  ['holds the final response', false, { status: 200, bytes: 5 }],
  ['holds none', true, { failure: 'broken', sent: true }],
] as const)('a connection that breaks while a chunk is being handled that %s', async (_name, wantsMore, outcome) => {
  const { target, socket } = await startStreamer()
  const handling = createGate()
  const handled = createGate()
  const sink: PostSink = {
    onStream() {},
    async onChunk() {
      handling.open()
      await handled.opened
      return wantsMore
    },
  }
  const answered = post(target, sink)
  const connection = await socket
  await handling.opened
  const broken = once(target.pool, 'disconnect')
  connection.resetAndDestroy()
  await broken
  handled.open()
  expect(await answered).toMatchObject(outcome)
})

// B83
describe('a redirect within the origin', () => {
  const seen: { readonly url: string; readonly body: string; readonly headers: IncomingMessage['headers'] }[] = []
  /** Redirects by the table; everything else is answered with 200. */
  async function startRedirecting(locations: Readonly<Record<string, string>>, status = 307): Promise<string> {
    seen.length = 0
    return startServer(async (request, response) => {
      const url = request.url ?? ''
      seen.push({ url, body: await bodyOf(request), headers: request.headers })
      const location = locations[url]
      if (location === undefined) response.writeHead(200, JSON_TYPE).end('{"ok":true}')
      else response.writeHead(status, { location, 'content-type': 'text/html' }).end('<a>moved</a>')
    })
  }

  it.each([307, 308])('of status %i is followed with the body and everything it came with, and told', async status => {
    const told: string[] = []
    const origin = await startRedirecting({ '/mcp': '/mcp/?v=2' }, status)
    const answer = await post(targetOf(origin, { onRedirect: path => told.push(path) }))
    expect(answer).toMatchObject({ status: 200, bytes: 11 })
    expect(seen.map(({ url, body }) => `${url} ${body}`)).toEqual(['/mcp {"id":1}', '/mcp/?v=2 {"id":1}'])
    expect(seen[1]?.headers).toMatchObject({ authorization: 'Bearer ours', 'content-type': 'application/json' })
    expect(told).toEqual(['/mcp/?v=2'])
  })

  it('is followed twice and no further', async () => {
    const origin = await startRedirecting({ '/mcp': '/one', '/one': '/two' })
    expect(await post(targetOf(origin))).toMatchObject({ status: 200 })
    const longer = await startRedirecting({ '/mcp': '/one', '/one': '/two', '/two': '/three' })
    expect(await post(targetOf(longer))).toMatchObject({ status: 307 })
    expect(seen.map(({ url }) => url)).toEqual(['/mcp', '/one', '/two'])
  })

  it('that leads back to itself ends', async () => {
    const origin = await startRedirecting({ '/mcp': '/mcp' })
    expect(await post(targetOf(origin))).toMatchObject({ status: 307 })
    expect(seen).toHaveLength(3)
  })

  it.each([301, 302, 303])('of status %i is an answer like any other', async status => {
    const origin = await startRedirecting({ '/mcp': '/mcp/' }, status)
    expect(await post(targetOf(origin))).toMatchObject({ status })
    expect(seen).toHaveLength(1)
  })

  it('may say where to in any encoding', async () => {
    const origin = await startServer((request, response) => {
      if (request.url === '/mcp') response.writeHead(307, { location: '/there', 'content-encoding': 'br' }).end('x')
      else response.writeHead(200, JSON_TYPE).end('{}')
    })
    expect(await post(targetOf(origin))).toMatchObject({ status: 200 })
  })

  it('to elsewhere sends nothing there', async () => {
    let visits = 0
    const elsewhere = await startServer((_request, response) => {
      visits += 1
      response.end()
    })
    const origin = await startServer((_request, response) => void response.writeHead(307, { location: `${elsewhere}/mcp` }).end())
    expect(await post(targetOf(origin))).toMatchObject({ status: 307 })
    expect(visits).toBe(0)
  })

  it('has no more time than an answer without one', async () => {
    const origin = await startServer(async (request, response) => {
      await bodyOf(request)
      if (request.url === '/mcp') response.writeHead(307, { location: '/slow' }).end()
    })
    expect(await post(targetOf(origin, { timeoutMs: 300 }))).toMatchObject({ failure: 'timeout', sent: true })
  })

  it('with a body without end is cut like one', async () => {
    const origin = await startServer((_request, response) => {
      response.writeHead(307, { location: '/there' })
      const more = (): void => {
        while (!response.closed && response.write('x'.repeat(500))) {}
      }
      response.on('drain', more)
      more()
    })
    expect(await post(targetOf(origin))).toMatchObject({ failure: 'too_large', sent: true })
  })

  it('is not followed by who has given up meanwhile', async () => {
    const gate = createGate()
    let requests = 0
    const origin = await startServer(async (_request, response) => {
      requests += 1
      response.writeHead(307, { location: '/there' }).flushHeaders()
      await gate.opened
      response.end()
    })
    const exchange = new Post(targetOf(origin), [], '{}', NOTHING)
    const answered = exchange.answered.catch((error: unknown) => error)
    await eventually(() => requests === 1)
    exchange.abort('cancelled')
    gate.open()
    expect(await answered).toMatchObject({ failure: 'cancelled' })
    await new Promise(resolve => setTimeout(resolve, 50))
    expect(requests).toBe(1)
  })
})

// B43
describe('silence', () => {
  it('is the stream’s to bear for as long as it may be idle, whatever the time for an answer', async () => {
    const origin = await startServer((_request, response) => {
      response.writeHead(200, STREAM).flushHeaders()
      setTimeout(() => response.end('data: late\n\n'), 1_500)
    })
    expect(await post(targetOf(origin, { timeoutMs: 1_000 }))).toMatchObject({ status: 200 })
  })

  it('in a plain answer counts by the time for an answer alone', async () => {
    const origin = await startServer((_request, response) => {
      response.writeHead(200, JSON_TYPE).flushHeaders()
      // Timers of the client library are coarse: a second and a half after their time they would have gone off.
      setTimeout(() => response.end('{}'), 3_000)
    })
    expect(await post(targetOf(origin, { idleMs: 500 }))).toMatchObject({ status: 200, bytes: 2 })
  })

  it('that lasts longer than a stream may be idle ends it', async () => {
    const origin = await startServer((_request, response) => response.writeHead(200, STREAM).flushHeaders())
    expect(await post(targetOf(origin, { idleMs: 100 }))).toMatchObject({ failure: 'timeout', sent: true })
  })

  it('is broken by a comment', async () => {
    const origin = await startServer((_request, response) => {
      response.writeHead(200, STREAM)
      let left = 10
      const drip = setInterval(() => {
        left -= 1
        if (left > 0) return response.write(':\n')
        clearInterval(drip)
        return response.end()
      }, 200)
    })
    expect(await post(targetOf(origin, { idleMs: 1_000 }))).toMatchObject({ status: 200 })
  })

  it('does not count while it is the caller who takes nothing', async () => {
    const origin = await startServer((_request, response) => void response.writeHead(200, STREAM).write('data: 1\n\n'))
    let held = createGate()
    const sink: PostSink = { onStream() {}, onChunk: () => held.opened.then(() => true) }
    const answered = post(targetOf(origin, { idleMs: 100 }), sink)
    let settled = false
    void answered.then(() => {
      settled = true
    })
    await new Promise(resolve => setTimeout(resolve, 400))
    expect(settled).toBe(false)
    held.open()
    held = createGate()
    expect(await answered).toMatchObject({ failure: 'timeout' })
  })
})

describe('an answer without measure', () => {
  const pour = (response: ServerResponse): void => {
    const more = (): void => {
      while (!response.closed && response.write('x'.repeat(4_096))) {}
    }
    response.on('drain', more)
    more()
  }

  it.each([
    ['a stream', STREAM, 100_000],
    ['a body', JSON_TYPE, 1_000],
  ] as const)('is cut where %s may be no longer', async (_name, head, most) => {
    const origin = await startServer((_request, response) => pour(response.writeHead(200, head)))
    let taken = 0
    const sink: PostSink = {
      onStream() {},
      onChunk(chunk) {
        taken += chunk.length
        return true
      },
    }
    expect(await post(targetOf(origin, { maxStreamBytes: 100_000 }), sink)).toMatchObject({ failure: 'too_large', sent: true })
    expect(taken).toBeLessThanOrEqual(most)
  })

  it('in time is cut when a stream has gone on for long enough, however lively', async () => {
    const origin = await startServer((_request, response) => {
      response.writeHead(200, STREAM)
      const drip = setInterval(() => response.write(':\n'), 10)
      response.once('close', () => clearInterval(drip))
    })
    expect(await post(targetOf(origin, { maxStreamMs: 200 }))).toMatchObject({ failure: 'timeout' })
  })

  it('in time is not cut where nothing is said of an end', async () => {
    const origin = await startServer((_request, response) => {
      response.writeHead(200, STREAM).flushHeaders()
      setTimeout(() => response.end(), 1_500)
    })
    expect(await post(targetOf(origin, { maxStreamMs: undefined, timeoutMs: 1_000 }))).toMatchObject({ status: 200 })
  })
})
