import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { META, MODERN } from '../support/gateway.ts'
import { type GatewayProcess, startGatewayProcess } from '../support/gateway-process.ts'
import { type Held, INSPECTED, readHeld } from '../support/held.ts'
import { initializeBody, openSession } from '../support/session.ts'
import { listenTo } from '../support/session-stream.ts'
import { startTokenMint, type TokenMint } from '../support/tokens.ts'
import { startUpstreamStub, text, type UpstreamStub } from '../support/upstream-stub.ts'

const AT_ONCE = 32
/** Of the order of what a collection leaves behind; 20,000 sessions that were kept would be ten times as much. */
const MAX_GROWTH_BYTES = 3 * 1024 * 1024

let mint: TokenMint
let upstream: UpstreamStub
let gateway: GatewayProcess
let headers: Record<string, string>
beforeAll(async () => {
  mint = await startTokenMint()
  upstream = await startUpstreamStub(
    ['read', 'stream'].map(name => ({ name, inputSchema: { type: 'object' } })),
    async ({ message }, response) => {
      upstream.calls.length = 0
      if (message.params.name === 'read') return text('done')
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const { progressToken } = message.params._meta as { readonly progressToken: unknown }
      const said = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress: 1 } }
      response.write(`data: ${JSON.stringify(said)}\n\n`)
      await new Promise(resolve => setTimeout(resolve, 200))
      response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: text('done') })}\n\n`)
      return undefined
    },
  )
  upstream.resources = [{ uri: 'file:///a', name: 'a' }]
  upstream.capabilities = { tools: {}, resources: { subscribe: true } }
  const read = 'effect: read, allow: [{ scopes: [tools:read] }]'
  gateway = await startGatewayProcess({
    mint,
    upstreams: { acme: upstream.url },
    tools: { acme: `  read: { ${read} }\n  stream: { ${read} }\nresources:\n  "file:///*": { allow: [{ scopes: [tools:read] }] }` },
    gatewayYaml: 'pins: { onFirstUse: trust }\nlimits: { listsPerMinute: 1000000, requestsPerMinute: 1000000, subscriptions: 1000 }',
    environment: INSPECTED,
  })
  headers = {
    authorization: `Bearer ${gateway.token()}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
})
afterAll(async () => {
  await gateway.stop()
  await Promise.all([mint.close(), upstream.close()])
})

interface Sending {
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
  /** Of so many, one is left before its answer has come. */
  readonly leaveEvery?: number
  /** So many of one connection's requests are answered before it is dropped. */
  readonly dropEvery?: number
}

/** Many at once, over connections of which some are dropped. */
async function sendMany(count: number, { body, headers: more, leaveEvery = 0, dropEvery = 0 }: Sending): Promise<void> {
  let sent = 0
  const worker = async (): Promise<void> => {
    let agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (sent < count) {
      sent += 1
      const number = sent
      const outgoing = request(gateway.url, { method: 'POST', agent, headers: { ...headers, ...more } })
      outgoing.end(body)
      if (leaveEvery > 0 && number % leaveEvery === 0) {
        outgoing.on('error', () => {})
        await once(outgoing, 'finish')
        outgoing.destroy()
      } else {
        const [response] = await once(outgoing, 'response')
        expect(response.statusCode).toBe(200)
        response.resume()
        await once(response, 'end')
      }
      if (dropEvery > 0 && number % dropEvery === 0) {
        agent.destroy()
        agent = new Agent({ keepAlive: true, maxSockets: 1 })
      }
    }
    agent.destroy()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

const initialize = (count: number) => sendMany(count, { body: initializeBody('2025-11-25'), leaveEvery: 7, dropEvery: 5 })
const callModern = (count: number) =>
  sendMany(count, {
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'acme__read', arguments: {}, _meta: META } }),
    headers: { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': 'acme__read' },
  })

/** Streams of both eras, and sessions' own, each left in the middle. */
async function leaveStreams(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const { id } = await openSession(gateway)
    const params = { name: 'acme__stream', arguments: {}, _meta: { progressToken: 'p' } }
    const streams = [await listenTo(gateway, id), await listenTo(gateway, id, { id: 1, method: 'tools/call', params })]
    await streams[1]?.next()
    for (const stream of streams) stream.leave()
    const meta = { ...META, progressToken: 'p' }
    const aborting = new AbortController()
    const modern = gateway.send('tools/call', { name: 'acme__stream', arguments: {} }, { meta, signal: aborting.signal }).catch(() => {})
    await new Promise(setImmediate)
    aborting.abort()
    await modern
  }
}

// B105
it('20,000 sessions whose clients never come back, and as many calls without a session, leave nothing behind', async () => {
  const active = await openSession(gateway)
  const stream = await listenTo(gateway, active.id)
  await active.send('resources/subscribe', { uri: 'acme+file:///a' })
  const told = async (): Promise<void> => {
    let heard: object | undefined
    void stream.next().then(message => {
      heard = message
    })
    await eventually(() => {
      if (heard === undefined) upstream.notify({ method: 'notifications/resources/updated', params: { uri: 'file:///a' } })
      return heard !== undefined
    }, 50)
    expect(heard).toMatchObject({ params: { uri: 'acme+file:///a' } })
  }
  await told()
  await initialize(2_000)
  await callModern(2_000)
  await leaveStreams(20)
  const read = (): Promise<Held> => readHeld(gateway.stderr)
  // What runs for a while after its client has left has ended when there are as many handles as before.
  let before = await read()
  await eventually(async () => {
    const now = await read()
    const isStill = now.timers === before.timers && now.sockets === before.sockets && Math.abs(now.heapBytes - before.heapBytes) < 50_000
    before = now
    return isStill
  }, 3_000)

  await initialize(20_000)
  await callModern(20_000)
  await leaveStreams(100)
  let after = await read()
  for (let tries = 0; tries < 20 && (after.timers > before.timers || after.sockets > before.sockets); tries += 1) {
    await new Promise(resolve => setTimeout(resolve, 3_000))
    after = await read()
  }
  expect(after.timers).toBeLessThanOrEqual(before.timers)
  expect(after.sockets).toBeLessThanOrEqual(before.sockets)
  expect(after.heapBytes - before.heapBytes).toBeLessThan(MAX_GROWTH_BYTES)
  expect(after.externalBytes - before.externalBytes).toBeLessThan(MAX_GROWTH_BYTES)
  // It has not been thrown out meanwhile.
  await told()
  expect((await active.call('acme__read')).status).toBe(200)
  expect(gateway.stderr).not.toMatch(/unhandled|uncaught/i)
  stream.leave()
}, 300_000)
