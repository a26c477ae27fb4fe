/*
 * A tool that stood before another server began its work, reported progress, and ended with the JSON-RPC error its own server had
 * given it: -32601. That code says that a call was not run, so the idempotency record was released and the effect reported as not
 * started; the retry under the same key ran the first half of the work a second time.
 * So: such a code counts only with the status the specification gives it, 400 or 404. Behind a 200, alone or at the end of an event
 * stream, it is an error of a call that ran: it is kept under its key, and the retry gets it again.
 */
import { expect, it } from 'vitest'
import { startScene } from '../support/scene.ts'
import { sendEvents } from '../support/upstream-stub.ts'

const CODES = [-32700, -32600, -32601, -32020, -32022]

it.each(CODES.flatMap(code => [[code, 'a stream'] as const, [code, 'a plain 200'] as const]))(
  '%i in %s is not asked for twice',
  async (code, kind) => {
    const scene = await startScene({
      onCall: ({ message }, response) => {
        const answer = { jsonrpc: '2.0', id: message.id, error: { code, message: 'half-way' } }
        if (kind === 'a stream') return sendEvents(response, [answer])
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
      },
    })
    try {
      const headers = { 'Idempotency-Key': 'one' }
      const first = await scene.raw({ headers })
      expect(scene.gateway.trail.last()).toMatchObject({ effectStatus: 'committed', idempotency: 'first', upstreamErrorCode: code })
      expect(first.text).not.toContain('notProcessed')
      await scene.raw({ headers })
      expect(scene.gateway.trail.last()).toMatchObject({ effectStatus: 'committed', idempotency: 'replay' })
      expect(scene.upstream.calls).toHaveLength(1)
    } finally {
      await scene.close()
    }
  },
)

it('with the status it has by right it says that nothing ran', async () => {
  const scene = await startScene({
    onCall: ({ message }, response) => {
      response.writeHead(404, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'gone' } }))
    },
  })
  try {
    for (let round = 0; round < 2; round++) await scene.raw({ headers: { 'Idempotency-Key': 'one' } })
    expect(scene.gateway.trail.last()).toMatchObject({ effectStatus: 'not_started' })
    expect(scene.upstream.calls).toHaveLength(2)
  } finally {
    await scene.close()
  }
})
