import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../core/clock.ts'

/** Milliseconds of work that are done at once. */
const BURST_MS = 10
/** Of one processor, beyond that. */
const RATE = 0.05
/** Between two readings of tasks. */
const READ_GAP_MS = 100

/**
 * What all subscriptions of one person may take of this process. A caller names a hundred URIs at once, and an upstream says of a thousand
 * that they have changed; each has to be judged, and meanwhile nobody else is served. Beyond a burst they are judged with pauses in between.
 */
export class Share {
  readonly #clock: Clock
  #leftMs = BURST_MS
  #atMs: number
  #nextReadMs = 0
  /** Whoever comes now comes behind these. */
  #waiting = 0
  #tail: Promise<unknown> = Promise.resolve()

  constructor(clock: Clock) {
    this.#clock = clock
    this.#atMs = clock.monotonicMs()
  }

  /** Does a piece of work, at once where there is time left. */
  run<T>(work: () => T): T | Promise<T> {
    if (this.#waiting === 0 && this.#refill() > 0) return this.#spend(work)
    this.#waiting += 1
    const done = this.#tail.then(() => this.#later(work))
    this.#tail = done.catch(() => {})
    return done
  }

  /** Resolves when a task may be asked for: each time that is a request to its upstream, and a record. */
  async readTurn(): Promise<void> {
    const nowMs = this.#clock.monotonicMs()
    const atMs = Math.max(nowMs, this.#nextReadMs)
    this.#nextReadMs = atMs + READ_GAP_MS
    if (atMs > nowMs) await sleep(atMs - nowMs, undefined, { ref: false })
  }

  async #later<T>(work: () => T): Promise<T> {
    try {
      const leftMs = this.#refill()
      if (leftMs <= 0) await sleep(1 - leftMs / RATE, undefined, { ref: false })
      this.#refill()
      return this.#spend(work)
    } finally {
      this.#waiting -= 1
    }
  }

  #spend<T>(work: () => T): T {
    const startedMs = this.#clock.monotonicMs()
    try {
      return work()
    } finally {
      this.#leftMs -= this.#clock.monotonicMs() - startedMs
    }
  }

  #refill(): number {
    const nowMs = this.#clock.monotonicMs()
    this.#leftMs = Math.min(BURST_MS, this.#leftMs + (nowMs - this.#atMs) * RATE)
    this.#atMs = nowMs
    return this.#leftMs
  }
}
