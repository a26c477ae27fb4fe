/*
 * A controller sent SIGHUP for every file it touched. Each became a reload of its own, one behind the other, and each waited up to
 * five seconds for an upstream that was down. SIGTERM stood at the end of that line: the process was still loading policies when its
 * supervisor lost patience and killed it, with effects under way whose outcome nobody wrote down.
 * So: signals that come while a reload waits to begin are that reload, and none is begun once the process is told to end.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startGatewayProcess } from '../support/gateway-process.ts'
import { startTokenMint } from '../support/tokens.ts'
import { startUpstreamStub } from '../support/upstream-stub.ts'

it('reloads once for all signals that came meanwhile, and not at all before the end', async () => {
  const mint = await startTokenMint()
  const upstream = await startUpstreamStub([])
  // Never seen, so that each reload waits for it.
  upstream.onList = async (_, response) => {
    await sleep(400)
    response.writeHead(500).end()
    return undefined
  }
  const tools = { acme: '  pay:\n    effect: write\n    allow: [{ scopes: [tools:write] }]' }
  const gateway = await startGatewayProcess({ mint, upstreams: { acme: upstream.url }, tools, awaits: 'listening' })
  try {
    for (let signal = 0; signal < 10; signal++) {
      gateway.child.kill('SIGHUP')
      await sleep(20)
    }
    gateway.child.kill('SIGTERM')
    expect(await gateway.exited).toBe(0)
    const reloads = gateway.trail().filter(({ event }) => event === 'policy.reloaded')
    expect(reloads.length).toBeGreaterThanOrEqual(1)
    expect(reloads.length).toBeLessThanOrEqual(2)
  } finally {
    await gateway.stop()
    await mint.close()
    await upstream.close()
  }
})
