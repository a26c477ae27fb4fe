import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/index.ts'
import { parseRate, takeFrom } from '../../src/store/rate.ts'
import { freshKey, withStore } from './harness.ts'

const HOUR_MS = 3_600_000

/** One step of a life of a record. `fence` picks one of the fences handed out so far. */
const recordStep = fc.oneof(
  fc.record({ verb: fc.constant('begin' as const), fingerprint: fc.constantFrom('f1', 'f2'), expire: fc.boolean() }),
  fc.record({ verb: fc.constant('dispatch' as const), fence: fc.nat(3), expire: fc.boolean() }),
  fc.record({ verb: fc.constantFrom('commit', 'release', 'markUnknown'), fence: fc.nat(3), expire: fc.constant(false) }),
)
type RecordStep = typeof recordStep extends fc.Arbitrary<infer Step> ? Step : never

const sharedStep = fc.oneof(
  fc.record({
    verb: fc.constant('set' as const),
    field: fc.constantFrom('a', 'b', ''),
    value: fc.option(fc.uint8Array({ maxLength: 3 }), { nil: undefined }),
    expire: fc.boolean(),
  }),
  fc.record({ verb: fc.constant('append' as const), value: fc.uint8Array({ maxLength: 3 }), expire: fc.boolean() }),
  fc.record({ verb: fc.constant('read' as const), from: fc.nat(4), expire: fc.constant(false) }),
)
type SharedStep = typeof sharedStep extends fc.Arbitrary<infer Step> ? Step : never

const LEASE_THAT_ENDS_MS = 1
const NO_FENCE = Number.MAX_SAFE_INTEGER

describe('the store in memory and the store in Redis', () => {
  const memory = withStore('memory')
  const redis = withStore('redis')

  /** Plays one step; fences differ between stores, so they are told apart by their order of appearance. */
  const play = async (store: Store, key: string, fences: number[], step: RecordStep): Promise<string> => {
    if (step.verb === 'begin') {
      const leaseMs = step.expire ? LEASE_THAT_ENDS_MS : HOUR_MS
      const result = await store.begin({ key, fingerprint: step.fingerprint, leaseMs, ttlMs: HOUR_MS, owner: 'ann' })
      if (result.state === 'begun') fences.push(result.fence)
      return result.state === 'committed' ? `committed ${Buffer.from(result.answer ?? []).toString('hex')}` : result.state
    }
    const fence = fences[step.fence] ?? NO_FENCE
    switch (step.verb) {
      case 'dispatch':
        return String(await store.dispatch(key, fence, step.expire ? LEASE_THAT_ENDS_MS : HOUR_MS))
      case 'commit':
        return String(await store.commit(key, fence, Buffer.from([fences.length]), HOUR_MS))
      case 'release':
        return String(await store.release(key, fence))
      default:
        return String(await store.markUnknown(key, fence, HOUR_MS))
    }
  }

  it('answer alike whatever happens to a record, in any order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(recordStep, { maxLength: 12 }), async steps => {
        const key = freshKey()
        const fences: [number[], number[]] = [[], []]
        for (const step of steps) {
          const answers = [
            await play(memory.subject().store, key, fences[0], step),
            await play(redis.subject().store, key, fences[1], step),
          ]
          expect(answers[1]).toBe(answers[0])
          if (step.expire) await Promise.all([memory.subject().pass(4), redis.subject().pass(4)])
        }
      }),
      { numRuns: 60 },
    )
  })

  const share = async (store: Store, key: string, step: SharedStep): Promise<unknown> => {
    const ttlMs = step.expire ? LEASE_THAT_ENDS_MS : HOUR_MS
    switch (step.verb) {
      case 'set':
        await store.setField(key, step.field, step.value, ttlMs, 'ann')
        return undefined
      case 'append':
        return store.append(key, step.value, ttlMs, 'ann')
      default: {
        const fields = [...(await store.fields(key))].map(([field, value]) => `${field}=${Buffer.from(value).toString('hex')}`).sort()
        return [fields, (await store.read(key, step.from)).map(message => Buffer.from(message).toString('hex'))]
      }
    }
  }

  it('hold alike what is shared, in any order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sharedStep, { maxLength: 12 }), async steps => {
        const key = freshKey()
        for (const step of [...steps, { verb: 'read', from: 0, expire: false } as const]) {
          const [one, other] = [await share(memory.subject().store, key, step), await share(redis.subject().store, key, step)]
          expect(other).toEqual(one)
          if (step.expire) await Promise.all([memory.subject().pass(4), redis.subject().pass(4)])
        }
      }),
      { numRuns: 60 },
    )
  })

  it('count alike for any rate and any sequence of costs', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 20 }),
        fc.double({ min: HOUR_MS, max: 10 * HOUR_MS, noNaN: true }),
        fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 15 }),
        async (burst, emissionMs, costs) => {
          const key = freshKey()
          for (const wanted of costs) {
            const cell = { key, burst, emissionMs, cost: Math.min(wanted, burst) }
            const [one, other] = [await memory.subject().store.take(cell), await redis.subject().store.take(cell)]
            expect([other.allowed, other.remaining]).toEqual([one.allowed, one.remaining])
            expect(Math.abs(other.retryAfterMs - one.retryAfterMs)).toBeLessThan(60_000)
            expect(Math.abs(other.resetMs - one.resetMs)).toBeLessThan(60_000)
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  it('never give more than burst and what flowed back since the start', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.oneof(fc.double({ min: 0.01, max: 5000, noNaN: true }), fc.double({ min: 0.01, max: 3, noNaN: true })),
        fc.array(fc.record({ afterUs: fc.oneof(fc.nat(3_000_000), fc.nat(300)), cost: fc.integer({ min: 1, max: 50 }) }), {
          maxLength: 60,
        }),
        (burst, emissionMs, takes) => {
          let tatUs: number | undefined
          let nowUs = 1_800_000_000_000_000
          const startUs = nowUs
          let taken = 0
          for (const { afterUs, cost: wanted } of takes) {
            nowUs += afterUs
            const rate = parseRate({ key: '', emissionMs, burst, cost: Math.min(wanted, burst) })
            const before = takeFrom(tatUs, nowUs, rate)
            tatUs = before.tatUs
            if (before.state.allowed) taken += rate.cost
            else {
              // What it says of the wait is true: refused a microsecond before, allowed when it is over.
              const again = takeFrom(tatUs, nowUs + before.state.retryAfterMs * 1000, rate)
              expect(again.state.allowed).toBe(true)
            }
            expect(taken).toBeLessThanOrEqual(burst + (nowUs - startUs) / (emissionMs * 1000) + 1e-6)
          }
        },
      ),
    )
  })
})
