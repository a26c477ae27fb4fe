import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer as createHttps } from 'node:https'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { UpstreamConfig } from '../../src/core/configuration.ts'
import { Refusal } from '../../src/core/errors.ts'
import type { CallerStream } from '../../src/core/model.ts'
import { CERTIFICATE, CERTIFICATE_KEY } from '../support/certificate.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/ports.ts'
import { configOf, createCaller, createRoom, final, intentOf } from './room.ts'

/** The refusal of one call of this upstream, or its answer. */
async function send(config: UpstreamConfig, effect: 'read' | 'write' = 'write', caller: CallerStream = createCaller()) {
  const upstream = createRoom(config)
  const outcome = upstream.send(intentOf({ effect }), caller).catch((error: unknown) => error)
  return outcome.finally(() => upstream.abort())
}

interface RawServer {
  readonly url: string
  readonly port: number
  connections: number
  /** Bytes of all requests. */
  received: string
}

/** A server below HTTP: `onRequest` runs once for each connection, when the end of a request body has arrived. */
async function startRaw(onRequest: (socket: Socket) => void): Promise<RawServer> {
  const open = new Set<Socket>()
  const server = createServer(socket => {
    open.add(socket)
    state.connections += 1
    socket.on('error', () => {})
    socket.on('data', chunk => {
      state.received += chunk
      if (state.received.endsWith('}')) onRequest(socket)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of open) socket.destroy()
  })
  const { port } = server.address() as AddressInfo
  const state: RawServer = { url: `http://127.0.0.1:${port}/mcp`, port, connections: 0, received: '' }
  return state
}

const UNREACHABLE = { code: 'UPSTREAM_UNREACHABLE', open: { notProcessed: true } }

// B85
describe('a call that certainly was not sent', () => {
  it('because the connection is refused', async () => {
    expect(await send(configOf(`http://127.0.0.1:${await freePort()}/mcp`))).toMatchObject({
      ...UNREACHABLE,
      detail: { cause: 'ECONNREFUSED' },
    })
  })

  it('because the name is not known', async () => {
    expect(await send(configOf('http://no-such-host.invalid/mcp'))).toMatchObject({ ...UNREACHABLE, detail: { reason: 'not_sent' } })
  })

  it('because no connection was free in time', async () => {
    const server = await startRaw(() => {})
    const config = configOf(server.url, { timeoutMs: 1_500, maxConnections: 1 })
    const upstream = createRoom(config)
    const intent = intentOf()
    const calls = [1, 2].map(() => upstream.send(intent, createCaller()).catch((error: unknown) => error))
    const [first, second] = await Promise.all(calls)
    await upstream.abort()
    expect(first).toMatchObject({ code: 'UPSTREAM_TIMEOUT', open: { effect: 'unknown' } })
    expect(second).toMatchObject(UNREACHABLE)
    expect(server.received.match(/POST/g)).toHaveLength(1)
  })

  it('because its caller had left', async () => {
    const server = await startRaw(() => {})
    const caller = createCaller()
    caller.leave()
    expect(await send(configOf(server.url), 'write', caller)).toMatchObject({ code: 'CALLER_GONE', open: { notProcessed: true } })
    expect(server.connections).toBe(0)
  })
})

describe('a call that was sent', () => {
  const sent: Readonly<Record<string, (socket: Socket) => void>> = {
    'and its connection reset': socket => void socket.resetAndDestroy(),
    'and its connection closed': socket => void socket.end(),
    'and answered with something that is no HTTP': socket => void socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
    'and answered with half a body': socket =>
      void socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{"jsonrpc"'),
    'and answered with a switch of protocols': socket =>
      void socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
    'and answered with two lengths': socket =>
      void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\ncontent-type: application/json\r\n\r\n{}x'),
  }
  it.each(Object.keys(sent))('%s is not sent again, and its effect is unknown', async name => {
    const server = await startRaw(sent[name] as (socket: Socket) => void)
    expect(await send(configOf(server.url))).toMatchObject({
      code: 'UPSTREAM_INVALID',
      open: { effect: 'unknown' },
      detail: { reason: 'broken' },
    })
    expect(server.received.match(/POST/g)).toHaveLength(1)
    expect(server.connections).toBe(1)
  })

  it('over a connection that the server closes at that moment is not sent again', async () => {
    // The first answer leaves the connection open; the second request meets its end.
    let requests = 0
    const body = JSON.stringify(final(1))
    const server = await startRaw(socket => {
      requests += 1
      if (requests > 1) socket.resetAndDestroy()
      else socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
    })
    const upstream = createRoom(configOf(server.url, { maxConnections: 1 }))
    const intent = intentOf()
    expect(await upstream.send(intent, createCaller())).toMatchObject({ answer: { kind: 'result' } })
    await expect(upstream.send(intent, createCaller())).rejects.toMatchObject({ code: 'UPSTREAM_INVALID', open: { effect: 'unknown' } })
    expect(requests).toBe(2)
    expect(server.connections).toBe(1)
    await upstream.abort()
  })

  it('and not answered in time is a timeout whose effect is unknown', async () => {
    const server = await startRaw(() => {})
    expect(await send(configOf(server.url, { timeoutMs: 1_500 }))).toMatchObject({ code: 'UPSTREAM_TIMEOUT', open: { effect: 'unknown' } })
    expect(server.received.match(/POST/g)).toHaveLength(1)
  })

  it('is waited for no longer because its caller has left', async () => {
    const server = await startRaw(() => {})
    const caller = createCaller()
    const outcome = send(configOf(server.url, { timeoutMs: 1_500 }), 'write', caller)
    await eventually(() => server.received.endsWith('}'))
    caller.leave()
    expect(await outcome).toMatchObject({ code: 'UPSTREAM_TIMEOUT', open: { effect: 'unknown' } })
  })

  it('and whose process ends is told as unknown', async () => {
    const server = await startRaw(() => {})
    const upstream = createRoom(configOf(server.url))
    const intent = intentOf()
    const outcome = upstream.send(intent, createCaller()).catch((error: unknown) => error)
    await eventually(() => server.received.endsWith('}'))
    await upstream.abort()
    expect(await outcome).toMatchObject({ code: 'UPSTREAM_INVALID', open: { effect: 'unknown' } })
  })
})

describe('TLS', () => {
  let url: string
  let folder: string
  let requests = 0
  const server = createHttps({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, (_request, response) => {
    requests += 1
    response.setHeader('content-type', 'application/json').end(JSON.stringify(final(1)))
  })
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening')
    url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
    folder = await mkdtemp(join(tmpdir(), 'wicketgate-tls-'))
    await writeFile(join(folder, 'ca.pem'), CERTIFICATE)
  })
  afterAll(async () => {
    server.close()
    server.closeAllConnections()
    await rm(folder, { recursive: true })
  })

  it('a certificate nobody vouches for is refused before anything is sent', async () => {
    expect(await send(configOf(url))).toMatchObject({ ...UNREACHABLE, detail: { cause: 'DEPTH_ZERO_SELF_SIGNED_CERT' } })
    expect(requests).toBe(0)
  })

  it('and accepted when the operator vouches for it', async () => {
    const outcome = await send(configOf(url, { caFile: join(folder, 'ca.pem') }))
    expect(outcome).not.toBeInstanceOf(Refusal)
    expect(outcome).toMatchObject({ answer: { kind: 'result' } })
  })

  it('but not for another name', async () => {
    const named = new URL(url)
    named.hostname = '127.0.0.2'
    expect(await send(configOf(named.href, { caFile: join(folder, 'ca.pem') }))).toMatchObject(UNREACHABLE)
  })
})
