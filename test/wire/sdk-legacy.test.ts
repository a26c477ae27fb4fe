import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { final, startWire, type WireScene } from './scene.ts'

/** Clients of older revisions are not served yet: they must be told so, and what is served, rather than fail in some other way. */

let scene: WireScene
beforeAll(async () => {
  scene = await startWire(({ message }, response) => void response.end(JSON.stringify(final(message.id))))
})
afterAll(() => scene.close())

const requestInit = () => ({ headers: { authorization: `Bearer ${scene.gateway.token()}` } })

it('the v1 client is told which version is served', async () => {
  const client = new Client({ name: 'old', version: '1.0.0' })
  const transport = new StreamableHTTPClientTransport(new URL(scene.gateway.url), { requestInit: requestInit() })
  // Its transport's type and its own do not agree under `exactOptionalPropertyTypes`.
  const connecting = client.connect(transport as Parameters<typeof client.connect>[0])
  await expect(connecting).rejects.toThrow(/-32022.*2026-07-28/s)
  expect(scene.gateway.trail.last()).toMatchObject({ outcome: 'MCP_VERSION_UNSUPPORTED', status: 400 })
})

it('so is the v2 client in its default mode, which begins with initialize', async () => {
  const client = new ModernClient({ name: 'old', version: '1.0.0' })
  const connecting = client.connect(new ModernTransport(new URL(scene.gateway.url), { requestInit: requestInit() }))
  await expect(connecting).rejects.toThrow(/2026-07-28/)
  expect(scene.gateway.trail.last()).toMatchObject({ outcome: 'MCP_VERSION_UNSUPPORTED' })
})

it('the refusal is a JSON-RPC error with the versions of this gateway, under the id of the request', async () => {
  const answer = await scene.gateway.post(
    JSON.stringify({
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'old', version: '1' } },
    }),
    { authorization: `Bearer ${scene.gateway.token()}` },
  )
  expect(answer.status).toBe(400)
  expect(answer.json).toMatchObject({ id: 0, error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2025-11-25' } } })
})
