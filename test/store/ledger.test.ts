import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLedger } from '../../src/store/ledger.ts'
import { createTestClock } from '../support/clock.ts'

const MINUTE_MS = 60_000

describe('a ledger', () => {
  it('gives each owner a share, and room back when its time is over', () => {
    const clock = createTestClock()
    const ledger = createLedger({ clock, maxBytes: 1000, maxOwnerBytes: 1000 })
    expect([ledger.note('greedy', 800, MINUTE_MS), ledger.note('greedy', 1, MINUTE_MS), ledger.note('other', 100, 3 * MINUTE_MS)]).toEqual([
      true,
      false,
      true,
    ])
    clock.advance(MINUTE_MS)
    expect(ledger.note('greedy', 700, MINUTE_MS)).toBe(false)
    clock.advance(MINUTE_MS / 2)
    expect(ledger.note('greedy', 700, MINUTE_MS)).toBe(true)
    clock.advance(5 * MINUTE_MS)
    expect(ledger.note('other', 800, MINUTE_MS)).toBe(true)
  })

  it('never has less written down than what lives', () => {
    const step = fc.record({
      owner: fc.constantFrom('a', 'b', 'c'),
      bytes: fc.nat(400),
      ttlMs: fc.integer({ min: 1, max: 10 * MINUTE_MS }),
      waitMs: fc.nat(MINUTE_MS),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), steps => {
        const clock = createTestClock()
        const ledger = createLedger({ clock, maxBytes: 1000, maxOwnerBytes: 1000 })
        const live: { bytes: number; untilMs: number }[] = []
        for (const { owner, bytes, ttlMs, waitMs } of steps) {
          clock.advance(waitMs)
          if (ledger.note(owner, bytes, ttlMs)) live.push({ bytes, untilMs: clock.monotonicMs() + ttlMs })
          const sum = live.reduce((all, one) => all + (one.untilMs > clock.monotonicMs() ? one.bytes : 0), 0)
          expect(sum).toBeLessThanOrEqual(1000)
        }
      }),
    )
  })
})
