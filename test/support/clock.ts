import { type Clock, systemClock } from '../../src/core/clock.ts'

export interface TestClock extends Clock {
  /** Moves both of its clocks. */
  advance(ms: number): void
}

/** A clock that stands still until it is moved; it starts at the present, so that real peers agree with it. */
export function createTestClock(): TestClock {
  const startMs = systemClock.now()
  let passedMs = 0
  return {
    now: () => startMs + passedMs,
    monotonicMs: () => 1_000_000 + passedMs,
    advance: ms => {
      passedMs += ms
    },
  }
}
