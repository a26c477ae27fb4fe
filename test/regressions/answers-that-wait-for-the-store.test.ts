import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import type { Session } from '../../src/sessions/session.ts'
import { createStreams } from '../../src/sessions/stream-log.ts'
import { createRedisStore, createSealer, createStoreKeys } from '../../src/store/index.ts'
import { untilReady } from '../store/harness.ts'
import { eventually } from '../support/eventually.ts'
import { type RedisServer, startRedis } from '../support/redis.ts'

/*
 * Redis hangs. One client in a session reads a large document again and again, ten times at once, its server streams.
 * Each answer is sent, and waits for a minute to be written down for a client that may come back for it.
 * 400 answers of 2.5 MB later, 20 seconds in, the process holds 3 GB, and soon none: all callers lose it.
 * Nobody need mean it: it is what happens to every gateway at once when Redis is away for a minute.
 * Now what waits is bounded, and shared out; a stream for which there is no room cannot be resumed, as after the minute.
 */

const secret = randomBytes(32)
const keys = createStoreKeys(secret)
const session = (name: string): Session => ({
  protocolVersion: '2025-11-25',
  capabilities: { form: false, url: false, sampling: false, samplingTools: false, samplingContext: false, roots: false, tasks: false },
  name,
  owner: keys.key('owner', [name]),
  expiresAtMs: Date.now() + 60_000,
  logLevel: undefined,
  uris: [],
})
const ANSWER = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(2_500_000) } })

let redis: RedisServer
afterEach(() => redis.stop())

describe('while the store is lost', () => {
  it('what waits for it is bounded, leaves room for others, and has room again when it is back', async () => {
    redis = await startRedis()
    const store = createRedisStore({ url: redis.url })
    await untilReady(store)
    const streams = createStreams({ clock: systemClock, store, keys, sealer: createSealer(secret) })
    const answer = (name: string): string | undefined => streams.openStream(session(name), 1, new Set()).end(ANSWER)
    redis.pause()
    const kept = Array.from({ length: 100 }, () => answer('greedy')).filter(id => id !== undefined)
    expect(kept.length).toBeGreaterThan(0)
    expect(kept.length * ANSWER.length).toBeLessThan(64 * 1024 * 1024)
    expect(answer('other')).toBeDefined()

    redis.resume()
    await streams.settled()
    await eventually(() => answer('greedy') !== undefined)
    await store.close()
  })
})
