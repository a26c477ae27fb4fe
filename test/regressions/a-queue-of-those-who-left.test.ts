/*
 * A server takes two calls at a time, and is slow. One client sends calls of a megabyte and leaves again, ten times a second.
 * Each of them stood in the queue for a connection all the same, with its body, its request and its record: 3 MB each. After 600 of them the
 * process held 2 GB, and soon none. And those that have an effect were made when their turn came, half a minute after their callers had left.
 * Now what is given up before it was sent keeps nothing but its place, and is never sent.
 */
import type { IncomingMessage } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, it } from 'vitest'
import { createGate, eventually, eventuallyHolds } from '../support/eventually.ts'
import { startGateway, type TestGateway } from '../support/gateway.ts'
import { legacyText, startLegacyStub } from '../support/legacy-stub.ts'
import { POLICY, TOOLS } from '../support/scene.ts'
import { startUpstreamStub, text } from '../support/upstream-stub.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const BYTES = 900_000
const CALLS = 40

let gate = createGate()
let gateway: TestGateway
let stop = async (): Promise<void> => {}
afterEach(async () => {
  gate.open()
  await gateway.close()
  await stop()
})

/** A server that answers nobody before the gate is open; how many calls it has seen. */
async function open(era: 'modern' | 'legacy'): Promise<() => number> {
  gate = createGate()
  const onCall = async (): Promise<unknown> => {
    await gate.opened
    return era === 'modern' ? text('done') : legacyText('done')
  }
  const upstream =
    era === 'modern' ? await startUpstreamStub(TOOLS, onCall) : Object.assign(await startLegacyStub(), { tools: TOOLS, onCall })
  stop = () => upstream.close()
  const upstreamYaml = `    maxConnections: 2\n    era: ${era}`
  gateway = await startGateway({ upstreams: { acme: upstream.url }, tools: { acme: POLICY }, upstreamYaml })
  return () => ('calls' in upstream ? upstream.calls.length : upstream.of('tools/call').length)
}

async function heldBytes(): Promise<number> {
  await new Promise(resolve => setImmediate(resolve))
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

it.each([
  ['modern', 'acme__read'],
  ['modern', 'acme__send'],
  ['legacy', 'acme__read'],
  ['legacy', 'acme__send'],
] as const)('a %s server: nothing is kept, and nothing made, of %s whose caller left before it was sent', async (era, tool) => {
  const seen = await open(era)
  const busy = [gateway.call('acme__read'), gateway.call('acme__read')]
  await eventually(() => seen() === 2)
  const records = () => gateway.trail.requests().filter(({ method }) => method === 'tools/call')
  let arrived = 0
  gateway.gateway.app.server.on('request', (request: IncomingMessage) => {
    request.once('end', () => {
      arrived += 1
    })
  })
  const before = await heldBytes()
  const args = tool === 'acme__send' ? { to: 'a', note: 'x'.repeat(BYTES) } : { id: 1, note: 'x'.repeat(BYTES) }
  for (let sent = 0; sent < CALLS; sent += 1) {
    const leaving = new AbortController()
    const call = gateway.call(tool, args, { signal: leaving.signal }).catch(() => {})
    // An effect has an intent by then; of a read, nobody sees when it waits.
    if (tool === 'acme__send') await eventually(() => gateway.trail.intents().length > sent)
    else {
      await eventually(() => arrived > sent)
      await new Promise(resolve => setTimeout(resolve, 40))
    }
    leaving.abort()
    await call
    await eventually(() => records().length > sent)
  }
  expect(records().map(({ outcome }) => outcome)).toEqual(Array.from({ length: CALLS }, () => 'CALLER_GONE'))
  expect(records().map(({ effectStatus }) => effectStatus)).toEqual(Array.from({ length: CALLS }, () => 'not_started'))
  await eventuallyHolds(async () => expect((await heldBytes()) - before).toBeLessThan((CALLS * BYTES) / 3))
  gate.open()
  for (const { status } of await Promise.all(busy)) expect(status).toBe(200)
  // What waited behind them would be sent now.
  expect((await gateway.call('acme__read')).status).toBe(200)
  expect(seen()).toBe(3)
})
