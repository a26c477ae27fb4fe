/*
 * The collector that read a gateway's stderr went away. At the next SIGHUP the gateway wanted to say that the policies were loaded
 * again, the pipe was broken (EPIPE), nobody heard the stream's error, and the process died of it with every call under way.
 * So: words that nobody reads are lost, and nothing else is.
 */
import { expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startGatewayProcess } from '../support/gateway-process.ts'
import { startTokenMint } from '../support/tokens.ts'
import { startUpstreamStub } from '../support/upstream-stub.ts'

it('goes on when its stderr is closed', async () => {
  const mint = await startTokenMint()
  const upstream = await startUpstreamStub([{ name: 'pay', description: 'Pays.', inputSchema: { type: 'object' } }])
  const tools = { acme: '  pay: { effect: write, allow: [{ scopes: [tools:write] }] }' }
  const gateway = await startGatewayProcess({ mint, upstreams: { acme: upstream.url }, tools })
  const reloads = () => gateway.trail().filter(({ event }) => event === 'policy.reloaded').length
  try {
    gateway.child.stderr?.destroy()
    for (let round = 1; round <= 2; round++) {
      gateway.child.kill('SIGHUP')
      await eventually(() => gateway.child.exitCode !== null || reloads() >= round)
    }
    expect((await gateway.call('acme__pay')).status).toBe(200)
    gateway.child.kill('SIGTERM')
    expect(await gateway.exited).toBe(0)
  } finally {
    await gateway.stop()
    await mint.close()
    await upstream.close()
  }
})
