/*
 * An upstream answered with a JSON-RPC error whose data said `{"code":"IDEMPOTENCY_BUSY","retryAfterMs":500}`, in the very words of
 * this gateway. To the caller it was the gateway's own statement about another call under the same key.
 * Apart from that, an endpoint that a reload opened to callers without a token was told to nobody: only the start said so.
 * So: data that carries a code of ours is not passed on, and who may come without a token is in the trail after each load.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startScene } from '../support/scene.ts'

it('takes data that speaks in our codes from an upstream', async () => {
  const scene = await startScene()
  try {
    for (const [data, passes] of [
      [{ code: 'IDEMPOTENCY_BUSY', retryAfterMs: 500 }, false],
      [{ code: 'toString' }, true],
      [{ code: 'NOT_FOUND' }, true],
    ] as const) {
      scene.upstream.onCall = ({ message }, response) => {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, error: { code: 7, message: 'no', data } }))
      }
      expect((await scene.raw()).json.error).toEqual({ code: 7, message: 'no', ...(passes ? { data } : {}) })
    }
  } finally {
    await scene.close()
  }
})

it('says after a reload who may come without a token', async () => {
  const scene = await startScene()
  try {
    const events = () => scene.gateway.trail.records().filter(({ event }) => event === 'endpoint.anonymous')
    expect(events()).toHaveLength(0)
    const file = join(scene.gateway.folder, 'gateway.yaml')
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replace('  - path: /mcp\n', '  - path: /mcp\n    anonymous: { scopes: [tools:read] }\n'))
    await scene.gateway.gateway.reload()
    expect(events()).toHaveLength(1)
    expect(events()[0]).toMatchObject({ detail: { path: '/mcp', scopes: 'tools:read' } })
  } finally {
    await scene.close()
  }
})
