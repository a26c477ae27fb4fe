import { describe, expect, it } from 'vitest'
import type { BeginRequest } from '../../src/store/index.ts'
import { freshKey, KINDS, withStore } from './harness.ts'

const HOUR_MS = 3_600_000
const SOON_MS = 20
/** Long enough to do something in, however busy the machine is. */
const WHILE_MS = 1_500
const answer = Buffer.from([0, 1, 0xff, 0xfe, 0x0a])

describe.each(KINDS)('a store in %s', kind => {
  const { subject } = withStore(kind)
  const begin = (key: string, over: Partial<BeginRequest> = {}) =>
    subject().store.begin({ key, fingerprint: 'f1', leaseMs: HOUR_MS, ttlMs: HOUR_MS, owner: 'ann', ...over })
  const begun = async (key: string, over: Partial<BeginRequest> = {}): Promise<number> => {
    const result = await begin(key, over)
    if (result.state !== 'begun') throw new Error(`expected begun, not ${result.state}`)
    return result.fence
  }
  const cell = (over = {}) => ({ key: freshKey(), emissionMs: HOUR_MS, burst: 3, cost: 1, ...over })

  describe('counts', () => {
    it('gives a burst, then refuses and says for how long', async () => {
      const { store } = subject()
      const one = cell()
      expect(await store.take(one)).toMatchObject({ allowed: true, remaining: 2, retryAfterMs: 0 })
      expect(await store.take(one)).toMatchObject({ allowed: true, remaining: 1 })
      expect(await store.take(one)).toMatchObject({ allowed: true, remaining: 0 })
      const refused = await store.take(one)
      expect(refused).toMatchObject({ allowed: false, remaining: 0 })
      expect(refused.retryAfterMs).toBeGreaterThan(HOUR_MS - 60_000)
      expect(refused.retryAfterMs).toBeLessThanOrEqual(HOUR_MS)
      expect(refused.resetMs).toBeGreaterThan(3 * HOUR_MS - 60_000)
    })
    it('takes cost, all of it or nothing', async () => {
      const { store } = subject()
      const key = freshKey()
      expect(await store.take(cell({ key, cost: 2 }))).toMatchObject({ allowed: true, remaining: 1 })
      expect(await store.take(cell({ key, cost: 2 }))).toMatchObject({ allowed: false, remaining: 1 })
      expect(await store.take(cell({ key, cost: 1 }))).toMatchObject({ allowed: true, remaining: 0 })
    })
    it('lets units flow back one emission interval at a time, fractional ones too', async () => {
      const { store, pass } = subject()
      const one = cell({ emissionMs: WHILE_MS + 0.3, burst: 1 })
      expect((await store.take(one)).allowed).toBe(true)
      const { allowed, retryAfterMs } = await store.take(one)
      expect(allowed).toBe(false)
      expect(retryAfterMs).toBeLessThanOrEqual(WHILE_MS + 1)
      await pass(WHILE_MS + 10)
      expect((await store.take(one)).allowed).toBe(true)
    })
    it('keeps cells apart', async () => {
      const { store } = subject()
      const one = cell({ burst: 1 })
      await store.take(one)
      expect((await store.take(one)).allowed).toBe(false)
      expect((await store.take({ ...one, key: freshKey() })).allowed).toBe(true)
    })
    it('does not lock a caller out when a rate was lowered since', async () => {
      const { store, pass } = subject()
      const key = freshKey()
      for (let index = 0; index < 5; index += 1) await store.take(cell({ key, burst: 5 }))
      const lowered = await store.take(cell({ key, emissionMs: 10, burst: 1 }))
      expect(lowered.retryAfterMs).toBeLessThanOrEqual(10)
      await pass(15)
      expect((await store.take(cell({ key, emissionMs: 10, burst: 1 }))).allowed).toBe(true)
    })
    it.each([
      { emissionMs: 0.001, burst: 1, cost: 2 },
      { emissionMs: 1, burst: 0, cost: 0 },
      { emissionMs: 1, burst: 1.5, cost: 1 },
      { emissionMs: Number.NaN, burst: 1, cost: 1 },
      { emissionMs: 1e15, burst: 1, cost: 1 },
    ])('refuses a rate that cannot be counted: %o', async rate => {
      await expect(subject().store.take({ key: freshKey(), ...rate })).rejects.toBeInstanceOf(RangeError)
    })
  })

  describe('records', () => {
    it('lets one begin and tells the others that it is busy', async () => {
      const key = freshKey()
      const results = await Promise.all(Array.from({ length: 50 }, () => begin(key)))
      expect(results.filter(result => result.state === 'begun')).toHaveLength(1)
      expect(results.filter(result => result.state === 'busy')).toHaveLength(49)
    })
    it('gives the committed answer back, byte for byte', async () => {
      const { store } = subject()
      const key = freshKey()
      const fence = await begun(key)
      expect(await store.dispatch(key, fence, HOUR_MS)).toBe(true)
      expect(await begin(key)).toMatchObject({ state: 'busy' })
      expect(await store.commit(key, fence, answer, HOUR_MS)).toBe(true)
      const result = await begin(key)
      expect(result.state === 'committed' && Buffer.from(result.answer ?? []).equals(answer)).toBe(true)
    })
    it.each([undefined, Buffer.alloc(256 * 1024 + 1)])(
      'remembers a commit without an answer, or with one too large to keep',
      async absent => {
        const { store } = subject()
        const key = freshKey()
        await store.commit(key, await begun(key), absent, HOUR_MS)
        expect(await begin(key)).toEqual({ state: 'committed', answer: undefined })
      },
    )
    it('keeps an answer of 256 KiB', async () => {
      const { store } = subject()
      const key = freshKey()
      await store.commit(key, await begun(key), Buffer.alloc(256 * 1024, 7), HOUR_MS)
      const result = await begin(key)
      expect(result.state === 'committed' && result.answer?.byteLength).toBe(256 * 1024)
    })
    it.each(['reserved', 'dispatched', 'committed', 'unknown'])('tells another fingerprint that it does not match when %s', async state => {
      const { store } = subject()
      const key = freshKey()
      const fence = await begun(key)
      if (state === 'dispatched') await store.dispatch(key, fence, HOUR_MS)
      if (state === 'committed') await store.commit(key, fence, answer, HOUR_MS)
      if (state === 'unknown') await store.markUnknown(key, fence, HOUR_MS)
      expect(await begin(key, { fingerprint: 'f2' })).toEqual({ state: 'mismatch' })
    })
    it('frees a released key, and raises the fence with every begin', async () => {
      const { store } = subject()
      const key = freshKey()
      const first = await begun(key)
      expect(await store.release(key, first)).toBe(true)
      const second = await begun(key, { fingerprint: 'f2' })
      expect(second).toBeGreaterThan(first)
      expect(await store.dispatch(key, first, HOUR_MS)).toBe(false)
      expect(await store.commit(key, first, answer, HOUR_MS)).toBe(false)
      expect(await store.release(key, first)).toBe(false)
      expect(await store.markUnknown(key, first, HOUR_MS)).toBe(false)
      expect(await store.dispatch(key, second, HOUR_MS)).toBe(true)
      expect(await store.release(key, second)).toBe(true)
    })
    it('lets an expired reservation be taken over, and its old holder do nothing', async () => {
      const { store, pass } = subject()
      const key = freshKey()
      const first = await begun(key, { leaseMs: SOON_MS })
      await pass(2 * SOON_MS)
      expect(await store.dispatch(key, first, HOUR_MS)).toBe(false)
      const second = await begun(key)
      expect(second).toBeGreaterThan(first)
      expect(await store.commit(key, first, answer, HOUR_MS)).toBe(false)
    })
    it('reads an expired dispatch as unknown, for ever, whatever its old holder says', async () => {
      const { store, pass } = subject()
      const key = freshKey()
      const fence = await begun(key)
      await store.dispatch(key, fence, SOON_MS)
      await pass(2 * SOON_MS)
      expect(await begin(key)).toEqual({ state: 'unknown' })
      expect(await store.commit(key, fence, answer, HOUR_MS)).toBe(false)
      expect(await store.release(key, fence)).toBe(false)
      expect(await begin(key)).toEqual({ state: 'unknown' })
    })
    it('renews a lease by dispatching again', async () => {
      const { store, pass } = subject()
      const key = freshKey()
      const fence = await begun(key)
      await store.dispatch(key, fence, WHILE_MS)
      expect(await store.dispatch(key, fence, HOUR_MS)).toBe(true)
      await pass(WHILE_MS + 20)
      expect(await store.commit(key, fence, answer, HOUR_MS)).toBe(true)
    })
    it('never runs again what is marked unknown', async () => {
      const { store } = subject()
      const key = freshKey()
      const fence = await begun(key)
      await store.dispatch(key, fence, HOUR_MS)
      expect(await store.markUnknown(key, fence, HOUR_MS)).toBe(true)
      expect(await begin(key)).toEqual({ state: 'unknown' })
      expect(await store.commit(key, fence, answer, HOUR_MS)).toBe(false)
    })
    it('settles once', async () => {
      const { store } = subject()
      const key = freshKey()
      const fence = await begun(key)
      expect(await store.commit(key, fence, answer, HOUR_MS)).toBe(true)
      expect(await store.commit(key, fence, answer, HOUR_MS)).toBe(false)
      expect(await store.markUnknown(key, fence, HOUR_MS)).toBe(false)
    })
    it('forgets a settled record after its ttl', async () => {
      const { store, pass } = subject()
      const [committed, unknown] = [freshKey(), freshKey()]
      await store.commit(committed, await begun(committed), answer, SOON_MS)
      await store.markUnknown(unknown, await begun(unknown), SOON_MS)
      await pass(2 * SOON_MS)
      expect((await begin(committed)).state).toBe('begun')
      expect((await begin(unknown)).state).toBe('begun')
    })
    it('remembers a dispatched record for its ttl after the lease, even when the ttl is the shorter', async () => {
      const { store, pass } = subject()
      const key = freshKey()
      const fence = await begun(key, { ttlMs: 1 })
      await store.dispatch(key, fence, HOUR_MS)
      await pass(SOON_MS)
      expect((await begin(key)).state).toBe('busy')
    })
  })

  describe('what is used once', () => {
    it('is used up by one, whoever else tries at the same moment', async () => {
      const key = freshKey()
      const results = await Promise.all(Array.from({ length: 50 }, (_, index) => subject().store.spend(key, HOUR_MS, `owner-${index}`)))
      expect(results.filter(isFirst => isFirst)).toHaveLength(1)
    })
    it('stays used up until its time is over, however often it is tried', async () => {
      const { store, pass } = subject()
      const key = freshKey()
      expect(await store.spend(key, WHILE_MS, 'ann')).toBe(true)
      expect(await store.spend(key, HOUR_MS, 'ann')).toBe(false)
      expect(await store.spend(freshKey(), HOUR_MS, 'ann')).toBe(true)
      await pass(WHILE_MS + 20)
      expect(await store.spend(key, HOUR_MS, 'ann')).toBe(true)
    })
    it('is no record, and a record is none of it', async () => {
      const { store } = subject()
      const key = freshKey()
      await begun(key)
      expect(await store.spend(key, HOUR_MS, 'ann')).toBe(true)
      expect((await begin(key)).state).toBe('busy')
    })
  })

  it('is fit for use', async () => {
    await expect(subject().store.check()).resolves.toBeUndefined()
  })
})
