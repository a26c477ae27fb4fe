import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGate, eventually } from '../support/eventually.ts'
import { type Scene, startScene } from '../support/scene.ts'

const STALL_MS = 300
const SIZE = 8 * 1024 * 1024
const LARGE = { content: [{ type: 'text', text: 'x'.repeat(SIZE) }] }

/** Of what a slow peer takes some, the system tells Node in steps of a third of its buffers. */
const PACED_STALL_MS = 3_000
const PACED_MS = 1.5 * PACED_STALL_MS

let scene: Scene
let paced: Scene
const sockets: Socket[] = []
const start = (stallMs: number): Promise<Scene> =>
  startScene({
    // Node's own limits on requests that do not arrive would end some of these, too.
    serve: { stallMs, arrival: { headersMs: 200_000, requestMs: 250_000, checkEveryMs: 5_000 } },
    policy: '  "*": { effect: read, result: { maxBytes: 16777216 }, allow: [{ scopes: [tools:write] }] }',
    upstreamYaml: '    maxResponseBytes: 33554432\n',
  })
beforeAll(async () => {
  scene = await start(STALL_MS)
  paced = await start(PACED_STALL_MS)
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await Promise.all([scene.close(), paced.close()])
})

/** A peer that sends, reads only when it is told to, and never ends its side. */
function open(bytes: string | Buffer, { gateway } = scene): Socket {
  const { hostname, port } = new URL(gateway.origin)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  sockets.push(socket)
  socket.pause().on('error', () => {})
  socket.write(bytes)
  return socket
}
/** Our side of the connection that such a peer makes. */
async function letIn(bytes: string): Promise<Socket> {
  const arriving = once(scene.gateway.gateway.app.server, 'connection')
  open(bytes)
  return (await arriving)[0]
}

describe('a peer that sends and never reads is let go', () => {
  it.each([
    ['refused requests', 'POST /mcp HTTP/1.1\r\nHost: %\r\nContent-Length: 0\r\nContent-Type: application/json\r\n\r\n'],
    ['probes', 'GET /healthz HTTP/1.1\r\nHost: %\r\n\r\n'],
    ['unreadable URLs', 'GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('after many %s', async (_, request) => {
    const ours = await letIn(request.replace('%', new URL(scene.gateway.origin).host).repeat(30_000))
    await eventually(() => ours.closed)
  })

  it('after bytes that are no HTTP', async () => {
    const ours = await letIn('NOT HTTP\r\n\r\n')
    await eventually(() => ours.closed)
  })
})

describe('a peer that only waits is not', () => {
  it('for an answer that takes longer than that', async () => {
    const gate = createGate()
    scene.upstream.onCall = async () => {
      await gate.opened
      return { content: [{ type: 'text', text: 'late' }] }
    }
    const answer = scene.gateway.call('acme__read')
    await eventually(() => scene.upstream.calls.length > 0)
    await new Promise(resolve => setTimeout(resolve, 3 * STALL_MS))
    gate.open()
    expect((await answer).json.result?.content).toEqual([{ type: 'text', text: 'late' }])
  })

  it('for the rest of a large answer, of which it takes a little at a time', async () => {
    paced.upstream.onCall = () => LARGE
    const body = paced.body({}, { name: 'acme__read', arguments: {} })
    const socket = open(paced.bytes({ body, headers: { 'Mcp-Name': 'acme__read', 'Mcp-Param-Region': undefined } }), paced)
    let bytes = 0
    let startedMs = 0
    const ended = new Promise(resolve => socket.once('end', resolve))
    socket.on('data', chunk => {
      startedMs ||= performance.now()
      bytes += chunk.length
      // By the clock: a machine that is slow makes up for it, instead of being slower than it should.
      const aheadMs = startedMs + (bytes / SIZE) * PACED_MS - performance.now()
      if (aheadMs <= 0) return
      socket.pause()
      setTimeout(() => socket.resume(), aheadMs)
    })
    socket.resume()
    await ended
    expect(bytes).toBeGreaterThan(SIZE)
    expect(performance.now() - startedMs).toBeGreaterThan(PACED_STALL_MS)
  })
})
