import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RedisServer, startRedis } from '../support/redis.ts'
import { type Replicas, startReplicas } from '../support/replicas.ts'
import { startTokenMint, type TokenMint } from '../support/tokens.ts'
import { startUpstreamStub, text, type UpstreamStub } from '../support/upstream-stub.ts'

let mint: TokenMint
let redis: RedisServer
let upstream: UpstreamStub
let replicas: Replicas
beforeAll(async () => {
  mint = await startTokenMint()
  redis = await startRedis()
  upstream = await startUpstreamStub([{ name: 'read', inputSchema: { type: 'object' } }], () => text('done'))
  upstream.capabilities = { tools: {}, logging: {} }
  replicas = await startReplicas({
    mint,
    count: 3,
    store: redis.url,
    upstreams: { acme: upstream.url },
    tools: { acme: '  read: { effect: read, allow: [{ scopes: [tools:read] }] }' },
  })
})
afterAll(async () => {
  await replicas?.stop()
  await Promise.all([mint.close(), redis.stop(), upstream.close()])
})

/** The newest client there is for the revisions with sessions. */
async function connect() {
  const client = new Client({ name: 'wanderer', version: '1.2.3' }, { capabilities: { elicitation: {}, roots: { listChanged: true } } })
  client.onerror = () => {}
  const transport = new StreamableHTTPClientTransport(new URL(replicas.url), {
    requestInit: { headers: { authorization: `Bearer ${replicas.token()}` } },
    reconnectionOptions: { initialReconnectionDelay: 10, maxReconnectionDelay: 100, reconnectionDelayGrowFactor: 1.5, maxRetries: 100 },
  })
  // Its transport's type and its own do not agree under `exactOptionalPropertyTypes`.
  await client.connect(transport as Parameters<typeof client.connect>[0])
  return { client, transport, id: transport.sessionId ?? '' }
}

async function callIn(session: string, at: string): Promise<{ status: number; body: string }> {
  const response = await fetch(at, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${replicas.token()}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': session,
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'acme__read', arguments: {} } }),
  })
  return { status: response.status, body: await response.text() }
}

describe('a session that three replicas serve', () => {
  // B49
  it('goes on wherever its requests arrive and whoever is killed, until it is ended for all of them: twenty times in a row', async () => {
    for (let round = 0; round < 20; round += 1) {
      const [a, b, c] = [round % 3, (round + 1) % 3, (round + 2) % 3]
      replicas.pin(a)
      const { client, transport, id } = await connect()
      expect(id).toMatch(/^[\x21-\x7e]+$/)
      replicas.pin(b)
      await client.setLoggingLevel('error')
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['acme__read'])

      await replicas.replica(a).kill()
      const restarted = replicas.replica(a).restart()
      replicas.pin(c)
      upstream.calls.length = 0
      expect(await client.callTool({ name: 'acme__read', arguments: {} })).toMatchObject({ content: [{ text: 'done' }] })
      // What was agreed on with A, and said to B, is what C knows.
      expect(upstream.calls[0]?.message.params._meta).toMatchObject({
        'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
        'io.modelcontextprotocol/logLevel': 'error',
      })
      replicas.pin(b)
      expect(upstream.calls).toHaveLength(1)
      await transport.terminateSession()
      await client.close()

      await restarted
      // A store that is too slow to answer cannot say that it has ended (docs/store.md); then, and only then, it is served once more.
      for (const { url, trail } of replicas.all) {
        const losses = () => trail().filter(({ event }) => event === 'store.lost').length
        const before = losses()
        const { status } = await callIn(id, url)
        if (status !== 404 && losses() > before) await expect.poll(async () => (await callIn(id, url)).status).toBe(404)
        else expect(status).toBe(404)
      }
      for (const { process } of replicas.all) expect(process.stderr).not.toMatch(/unhandled|uncaught/i)
    }
  }, 240_000)
})
