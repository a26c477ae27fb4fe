import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import type { OnCall } from '../support/upstream-stub.ts'
import { eventHead, final, PROGRESS, progress, startWire, type WireScene, writeEvent } from './scene.ts'

const MIB = 1024 * 1024
const CHUNK = 'x'.repeat(64 * 1024)

let scene: WireScene
let onCall: OnCall
let sentBytes = 0
beforeAll(async () => {
  scene = await startWire((request, response) => onCall(request, response), {
    upstreamYaml: `    maxResponseBytes: ${64 * MIB}`,
    serve: { stallMs: 400 },
  })
})
afterAll(() => scene.close())

/** Writes as fast as the other side takes it, and no faster. */
async function pour(response: ServerResponse, token: unknown, upTo: number): Promise<void> {
  eventHead(response)
  sentBytes = 0
  let step = 0
  while (sentBytes < upTo && !response.closed) {
    sentBytes += CHUNK.length
    step += 1
    if (writeEvent(response, progress(token, step, CHUNK))) continue
    await drainedOrClosed(response)
  }
}

const drainedOrClosed = async (response: ServerResponse): Promise<void> => {
  const listening = new AbortController()
  const { signal } = listening
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })])
  listening.abort()
}

/** Runs while `sentBytes` moves; returns when it has stood still for a few looks. */
async function untilStill(): Promise<number> {
  let last = -1
  let stillFor = 0
  await eventually(() => {
    stillFor = sentBytes === last && sentBytes > 0 ? stillFor + 1 : 0
    last = sentBytes
    return stillFor >= 5
  }, 20)
  return sentBytes
}

describe('a caller that reads slowly', () => {
  it('holds its upstream up: nothing is gathered in the gateway', async () => {
    onCall = async ({ message }, response) => {
      await pour(response, message.id, 32 * MIB)
      writeEvent(response, final(message.id))
      response.end()
    }
    const call = await scene.stream('read', { meta: PROGRESS })
    call.pause()
    // What fits into the sockets on both sides is taken; 32 MiB do not fit there.
    expect(await untilStill()).toBeLessThan(24 * MIB)
    call.resume()
    const events = await call.rest()
    expect(events).toHaveLength(512 + 1)
    expect(events.at(-1)).toMatchObject({ result: { content: [{ text: 'done' }] } })
  })

  it('and takes nothing at all is let go, and what it held at the upstream too', async () => {
    let upstreamSide: ServerResponse | undefined
    onCall = ({ message }, response) => {
      upstreamSide = response
      return pour(response, message.id, 32 * MIB)
    }
    const call = await scene.stream('read', { meta: PROGRESS })
    call.pause()
    await eventually(() => upstreamSide?.closed === true)
    await eventually(() => scene.gateway.trail.requests().some(({ cancelled }) => cancelled === true))
    expect(scene.gateway.trail.last()).toMatchObject({ outcome: 'CALLER_GONE', cancelled: true })
    call.leave()
  })
})

describe('a long stream', () => {
  it('of 48 MiB passes through memory that stays flat', async () => {
    onCall = async ({ message }, response) => {
      await pour(response, message.id, 48 * MIB)
      writeEvent(response, final(message.id))
      response.end()
    }
    // Caller, gateway and upstream share this process; what any of them kept would show.
    const before = process.memoryUsage().rss
    let highest = before
    const watch = setInterval(() => {
      highest = Math.max(highest, process.memoryUsage().rss)
    }, 5)
    const call = await scene.stream('read', { meta: PROGRESS })
    let events = 0
    for (;;) {
      const event = await call.next()
      events += 1
      if ('result' in event) break
    }
    clearInterval(watch)
    expect(events).toBe(768 + 1)
    // The reader in this test keeps the text once in `seen`, 48 MiB; a second copy would not fit.
    expect((highest - before) / MIB).toBeLessThan(48 + 64)
  })
})
