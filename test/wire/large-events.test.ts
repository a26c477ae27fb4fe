import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { OnCall } from '../support/upstream-stub.ts'
import { eventHead, final, PROGRESS, progress, startWire, type WireScene, writeEvent } from './scene.ts'

const KIB = 1024
const MIB = 1024 * KIB
const MAX = 9 * MIB

let scene: WireScene
let onCall: OnCall
beforeAll(async () => {
  scene = await startWire((request, response) => onCall(request, response), {
    upstreamYaml: `    maxResponseBytes: ${MAX}`,
    tools: {
      acme: `  read: { effect: read, result: { maxBytes: ${MAX} }, allow: [{ scopes: [tools:read] }] }
  write: { effect: write, allow: [{ scopes: [tools:write] }] }`,
    },
  })
})
afterAll(() => scene.close())
beforeEach(() => {
  scene.upstream.calls.length = 0
})

/** A final response whose one line is exactly this long. */
function finalOf(id: unknown, bytes: number): string {
  const empty = JSON.stringify(final(id, ''))
  return JSON.stringify(final(id, 'x'.repeat(bytes - empty.length)))
}

// B45
describe('one line of an event stream', () => {
  it.each([
    ['64 KiB + 1', 64 * KIB + 1],
    ['1 MiB + 1', MIB + 1],
    ['8 MiB', 8 * MIB],
    ['as much as is configured', MAX],
  ])('of %s passes whole', async (_name, bytes) => {
    onCall = ({ message }, response) => {
      eventHead(response)
      response.end(`data: ${finalOf(message.id, bytes)}\n\n`)
    }
    const [event] = await (await scene.stream('read')).rest()
    const { content } = (event?.result ?? {}) as { content: readonly { text: string }[] }
    const [first] = content
    expect(first?.text.length).toBe(bytes - JSON.stringify(final(1, '')).length)
    expect(first?.text).toMatch(/^x+$/)
  })

  it('of one byte more ends that call, under its own id, and no other', async () => {
    onCall = async ({ message }, response) => {
      eventHead(response)
      if (message.params.name === 'write') {
        response.end(`data: ${finalOf(message.id, MAX + 1)}\n\n`)
        return
      }
      for (let step = 1; step <= 5; step++) {
        writeEvent(response, progress(message.id, step))
        await new Promise(resolve => setTimeout(resolve, 20))
      }
      writeEvent(response, final(message.id))
      response.end()
    }
    const [large, other] = await Promise.all([
      scene.stream('write', { id: 'large' }),
      scene.stream('read', { id: 'other', meta: PROGRESS }),
    ])
    expect(await large.rest()).toEqual([
      expect.objectContaining({
        id: 'large',
        error: expect.objectContaining({ code: -32603, data: expect.objectContaining({ code: 'UPSTREAM_INVALID', effect: 'unknown' }) }),
      }),
    ])
    expect(scene.gateway.trail.requests().find(({ upstreamName }) => upstreamName === 'write')).toMatchObject({
      detail: { reason: 'event_too_large' },
    })
    const events = await other.rest()
    expect(events).toHaveLength(6)
    expect(events.at(-1)).toMatchObject({ id: 'other', result: expect.anything() })
  })
})

describe('a stream larger than the largest answer', () => {
  it('passes: what it is measured by is each of its events', async () => {
    onCall = async ({ message }, response) => {
      eventHead(response)
      for (let step = 1; step <= 20; step++) {
        if (!writeEvent(response, progress(message.id, step, 'x'.repeat(MIB))))
          await new Promise(resolve => response.once('drain', resolve))
      }
      writeEvent(response, final(message.id))
      response.end()
    }
    const call = await scene.stream('read', { meta: PROGRESS })
    const events = await call.rest()
    expect(events).toHaveLength(21)
    expect(events.at(-1)).toMatchObject({ id: 1, result: expect.anything() })
    // What it took on the way to its answer is not the answer's size.
    expect(scene.gateway.trail.last()).toMatchObject({ outcome: 'OK' })
  })
})
