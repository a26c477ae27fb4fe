/*
 * A call that began under an older policy revision was still under way when the process was told to end. At the end of the drain its
 * connections were destroyed; then the replaced revision, whose last guest had just left, closed the same connections in an orderly
 * way. That is an error (`ClientDestroyedError`), nobody waited for it, and the process died of it with code 1: before the outcome
 * of the call, and everything else that was queued, had reached the trail.
 * So: what was aborted counts as closed. The process ends with 0, and the last line of its trail says that it stopped.
 */
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startGatewayProcess } from '../support/gateway-process.ts'
import { startTokenMint } from '../support/tokens.ts'
import { startUpstreamStub } from '../support/upstream-stub.ts'

it('ends in order, with the outcome of a call that a reload had outlived', async () => {
  const mint = await startTokenMint()
  const upstream = await startUpstreamStub(
    [{ name: 'pay', description: 'Pays.', inputSchema: { type: 'object' } }],
    () => new Promise(() => {}),
  )
  const gateway = await startGatewayProcess({
    mint,
    upstreams: { acme: upstream.url },
    tools: { acme: '  pay:\n    effect: write\n    allow: [{ scopes: [tools:write] }]' },
    settings: { 'drain-seconds': '1' },
  })
  try {
    const call = gateway.call('acme__pay', {}, { headers: { 'idempotency-key': 'k' } })
    await eventually(() => upstream.calls.length === 1)
    await appendFile(join(gateway.folder, 'gateway.yaml'), '\n# another revision\n')
    await eventually(() => gateway.stderr.includes('policies reloaded'))
    gateway.child.kill('SIGTERM')
    expect((await call).json.error?.data).toMatchObject({ effect: 'unknown' })
    expect(await gateway.exited).toBe(0)
    expect(gateway.stderr).not.toContain('Error')
    const trail = gateway.trail()
    expect(trail.find(({ kind }) => kind === 'request')).toMatchObject({ method: 'tools/call', effectStatus: 'unknown' })
    expect(trail.at(-1)).toMatchObject({ kind: 'event', event: 'stopped' })
  } finally {
    await gateway.stop()
    await mint.close()
    await upstream.close()
  }
})
