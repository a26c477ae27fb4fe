import { once } from 'node:events'
import { afterEach, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type GatewayProcess, startGatewayProcess } from '../support/gateway-process.ts'
import { startTokenMint, type TokenMint } from '../support/tokens.ts'
import { startUpstreamStub, type UpstreamStub } from '../support/upstream-stub.ts'

let mint: TokenMint
let upstream: UpstreamStub
let gateway: GatewayProcess
afterEach(async () => {
  gateway.child.stdout?.resume()
  await gateway.stop()
  await Promise.all([mint.close(), upstream.close()])
})

it('a reader of the audit trail on stdout that stops reading stops effects, and nothing else', async () => {
  mint = await startTokenMint()
  upstream = await startUpstreamStub([
    { name: 'read', inputSchema: { type: 'object' } },
    { name: 'write', inputSchema: { type: 'object' } },
  ])
  gateway = await startGatewayProcess({
    mint,
    upstreams: { acme: upstream.url },
    tools: {
      acme: '  read: { effect: read, allow: [{ scopes: [tools:read] }] }\n  write: { effect: write, allow: [{ scopes: [tools:write] }] }',
    },
    settings: { audit: 'stdout' },
  })
  const { stdout } = gateway.child
  const write = async () => (await gateway.call('acme__write')).json.error?.data?.code
  expect(await write()).toBeUndefined()

  stdout?.pause()
  // More records than pipe and reader take between them.
  for (let round = 0; round < 12; round++) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => gateway.call('acme__read')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  }
  await eventually(async () => (await write()) === 'AUDIT_UNAVAILABLE')
  expect(await gateway.readyz()).toMatchObject({ status: 503 })
  expect((await gateway.call('acme__read')).status).toBe(200)

  stdout?.resume()
  await eventually(async () => (await write()) === undefined)

  stdout?.pause()
  for (let round = 0; round < 12; round++) await Promise.all(Array.from({ length: 50 }, () => gateway.call('acme__read')))
  const exited = once(gateway.child, 'exit')
  gateway.child.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
})
