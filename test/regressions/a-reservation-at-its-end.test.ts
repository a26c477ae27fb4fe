/*
 * A call was reserved and never sent. For the millisecond between the end of its lease and the moment at which Redis drops the record, the
 * next call with that key was told that the outcome was unknown and that it must look at the system itself, or that the key was used
 * for another call. Nothing had been sent.
 * So: a reservation ends with its lease, not with its record; who held it cannot dispatch any more.
 */
import { expect, it } from 'vitest'
import { startRedisStore } from '../store/harness.ts'

it.each([
  ['the same call', 'pay'],
  ['another call', 'refund'],
])('%s takes the key over', async (_, fingerprint) => {
  const { redis, store, close } = await startRedisStore()
  try {
    const old = 1_700_000_000_000_000
    await redis.client.hset(`wicketgate:record:{${fingerprint}}`, { s: 'r', f: old, p: 'pay', l: old / 1000, t: 60_000 })
    const begun = await store.begin({ key: fingerprint, fingerprint, leaseMs: 10_000, ttlMs: 60_000, owner: 'ann' })
    expect(begun.state).toBe('begun')
    expect(await store.dispatch(fingerprint, old, 10_000)).toBe(false)
    expect((await store.begin({ key: fingerprint, fingerprint, leaseMs: 10_000, ttlMs: 60_000, owner: 'ann' })).state).toBe('busy')
  } finally {
    await close()
  }
})
