/*
 * A client reads a large answer and keeps its connection, as all do. What the answer was made of stood with the connection until the next
 * request on it, or its end: four times its size, for a minute. Two hundred connections of one token, 4 MB each: 3.4 GB.
 * Now a request that is over keeps nothing of what it brought and was given.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { META } from '../support/gateway.ts'
import { type Scene, startScene } from '../support/scene.ts'
import { text } from '../support/upstream-stub.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const BYTES = 1_000_000
const CONNECTIONS = 30

const sockets: Socket[] = []
let scene: Scene
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await scene.close()
})

async function heldBytes(): Promise<number> {
  await new Promise(resolve => setTimeout(resolve, 50))
  collect()
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

it('an idle connection keeps nothing of the request before', async () => {
  scene = await startScene({ onCall: () => text('y'.repeat(BYTES)) })
  const { hostname, port } = new URL(scene.gateway.origin)
  const body = scene.body({}, { name: 'acme__read', arguments: { id: 1 }, _meta: META })
  const bytes = scene.bytes({ headers: { Connection: 'keep-alive', 'Mcp-Name': 'acme__read', 'Mcp-Param-Region': undefined }, body })
  const ask = async (): Promise<void> => {
    const socket = connect(Number(port), hostname)
    sockets.push(socket)
    await once(socket, 'connect')
    let seen = 0
    socket.on('data', chunk => {
      seen += chunk.length
    })
    socket.write(bytes)
    await eventually(() => seen > BYTES)
  }
  for (let times = 0; times < 5; times += 1) await ask()
  scene.upstream.calls.length = 0
  const before = await heldBytes()
  for (let times = 0; times < CONNECTIONS; times += 1) await ask()
  expect(sockets.every(({ destroyed }) => !destroyed)).toBe(true)
  scene.upstream.calls.length = 0
  expect((await heldBytes()) - before).toBeLessThan((CONNECTIONS * BYTES) / 4)
})
