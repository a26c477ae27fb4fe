import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { eventually, eventuallyHolds } from '../support/eventually.ts'
import { META, MODERN } from '../support/gateway.ts'
import { writeRequest } from '../support/raw-http.ts'
import { streamRequest } from '../support/stream-call.ts'
import type { OnCall } from '../support/upstream-stub.ts'
import { eventHead, final, PROGRESS, progress, startWire, type WireScene, writeEvent } from './scene.ts'

const MIB = 1024 * 1024
const CHUNK = 'x'.repeat(64 * 1024)

const STALL_MS = 400

/** One lets go of who takes nothing for a moment. In the other nobody is let go whom a busy machine keeps from taking anything. */
let scene: WireScene
let patient: WireScene
let onCall: OnCall
let sentBytes = 0
const start = (stallMs?: number): Promise<WireScene> =>
  startWire((request, response) => onCall(request, response), { serve: { streamKeepAliveMs: 20, ...(stallMs && { stallMs }) } })
beforeAll(async () => {
  scene = await start(STALL_MS)
  patient = await start()
})
afterAll(() => Promise.all([scene.close(), patient.close()]))
beforeEach(() => {
  sentBytes = 0
})

/** Writes as fast as the other side takes it, and no faster. */
async function pour(response: ServerResponse, token: unknown, upTo: number): Promise<void> {
  eventHead(response)
  let step = 0
  while (sentBytes < upTo && !response.closed) {
    sentBytes += CHUNK.length
    step += 1
    if (writeEvent(response, progress(token, step, CHUNK))) continue
    await drainedOrClosed(response)
  }
}

const drainedOrClosed = async (response: ServerResponse): Promise<void> => {
  const listening = new AbortController()
  const { signal } = listening
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })])
  listening.abort()
}

const pourAll =
  (bytes: number): OnCall =>
  async ({ message }, response) => {
    await pour(response, message.id, bytes)
    writeEvent(response, final(message.id))
    response.end()
  }

/** Runs while `sentBytes` moves; returns when it has stood still for a few looks. */
async function untilStill(): Promise<number> {
  let last = -1
  let stillFor = 0
  await eventually(() => {
    stillFor = sentBytes === last && sentBytes > 0 ? stillFor + 1 : 0
    last = sentBytes
    return stillFor >= 5
  }, 20)
  return sentBytes
}

/** Calls `read` with progress over a socket that nothing is read from until somebody does. */
function callOverSocket({ gateway } = scene): Socket {
  const { hostname, port, host } = new URL(gateway.url)
  const socket = connect(Number(port), hostname)
  socket.pause()
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'acme__read', arguments: {}, _meta: { ...META, ...PROGRESS } },
  })
  const headers = {
    Host: host,
    'Content-Type': 'application/json',
    'MCP-Protocol-Version': MODERN,
    'Mcp-Method': 'tools/call',
    'Mcp-Name': 'acme__read',
    Authorization: `Bearer ${gateway.token()}`,
    'Content-Length': String(Buffer.byteLength(body)),
  }
  socket.write(writeRequest({ line: 'POST /mcp HTTP/1.1', headers, body }))
  return socket
}

describe('a caller that reads slowly', () => {
  it('holds its upstream up: nothing is gathered in the gateway', async () => {
    onCall = pourAll(64 * MIB)
    const call = await patient.stream('read', { meta: PROGRESS })
    call.pause()
    // What fits into the sockets on both sides is taken; 64 MiB do not fit there.
    expect(await untilStill()).toBeLessThan(24 * MIB)
    call.resume()
    const events = await call.rest()
    expect(events).toHaveLength(1024 + 1)
    expect(events.at(-1)).toMatchObject({ result: { content: [{ text: 'done' }] } })
  })

  it('and takes nothing at all is let go, and what it held at the upstream too', async () => {
    let upstreamSide: ServerResponse | undefined
    onCall = ({ message }, response) => {
      upstreamSide = response
      return pour(response, message.id, 64 * MIB)
    }
    callOverSocket()
    await eventually(() => upstreamSide?.closed === true)
    expect(sentBytes).toBeLessThan(24 * MIB)
    await eventually(() => scene.gateway.trail.requests().some(({ cancelled }) => cancelled === true))
    expect(scene.gateway.trail.last()).toMatchObject({ outcome: 'CALLER_GONE', cancelled: true })
  })

  it('and owes little is let go as well: no keep-alive makes it look awake', async () => {
    const { server } = scene.gateway.gateway.app
    const theirs = once(server, 'connection') as Promise<[Socket]>
    let upstreamSide: ServerResponse | undefined
    onCall = async ({ message }, response) => {
      upstreamSide = response
      eventHead(response)
      const [socket] = await theirs
      // Until the kernel takes no more: then the last event waits in our socket, far below what back pressure begins at.
      for (let step = 1; socket.writableLength === 0 && !response.closed; step++) {
        writeEvent(response, progress(message.id, step, 'x'.repeat(1_024)))
        await new Promise(setImmediate)
      }
    }
    callOverSocket()
    const [socket] = await theirs
    await eventually(() => socket.writableLength > 0)
    await eventually(() => upstreamSide?.closed === true)
    expect(socket.destroyed).toBe(true)
  })

  it('and only waits, because nothing is said, is kept', async () => {
    let upstreamSide: ServerResponse | undefined
    onCall = async ({ message }, response) => {
      upstreamSide = response
      eventHead(response)
      // Three times as long as a caller may take nothing.
      await new Promise(resolve => setTimeout(resolve, 3 * STALL_MS))
      writeEvent(response, final(message.id))
      response.end()
    }
    const events = await (await scene.stream('read')).rest()
    expect(events).toEqual([expect.objectContaining({ result: expect.anything() })])
    expect(upstreamSide?.closed).toBe(true)
  })
})

describe('a long stream', () => {
  it('of 64 MiB, more than any answer may have, passes through memory that stays flat', async () => {
    onCall = pourAll(64 * MIB)
    const socket = callOverSocket(patient)
    let read = 0
    let tail = ''
    // Caller, gateway and upstream share this process; what any of them kept would show.
    globalThis.gc?.()
    const before = process.memoryUsage().rss
    let highest = before
    const watch = setInterval(() => {
      highest = Math.max(highest, process.memoryUsage().rss)
    }, 5)
    socket.on('data', chunk => {
      read += chunk.length
      tail = (tail + chunk.toString('latin1')).slice(-2_000)
    })
    socket.resume()
    await eventually(() => tail.includes('"result"'))
    clearInterval(watch)
    expect(read).toBeGreaterThan(64 * MIB)
    expect((highest - before) / MIB).toBeLessThan(48)
  })
})

describe('a subscription of which nothing is heard', () => {
  it('is kept, for its keep-alives are taken', async () => {
    const stream = await streamRequest(
      scene.gateway.url,
      'subscriptions/listen',
      { notifications: { toolsListChanged: true } },
      { token: scene.gateway.token() },
    )
    await stream.next()
    await new Promise(resolve => setTimeout(resolve, 3 * STALL_MS))
    await eventuallyHolds(() => expect(stream.seen.match(/^: keep-alive$/gm)?.length).toBeGreaterThan(10))
    await scene.gateway.gateway.close(500)
    expect(await stream.rest()).toEqual([expect.objectContaining({ id: 1, result: expect.anything() })])
  })
})
