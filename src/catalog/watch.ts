import { backOffMs, spreadMs } from '../core/back-off.ts'
import type { Clock } from '../core/clock.ts'
import { SnapshotError } from './snapshot.ts'

/** Keeps looking at one upstream, on its own: a slow or dead one delays nobody else. */
export interface Watch {
  /** Looks now; resolves when that has succeeded or failed. */
  start(): Promise<void>
  /** Something hints at a change: looks soon, however often this is said. */
  suspect(): void
  close(): void
}

export interface Looked {
  /** As the upstream said it, 0 for none. */
  readonly ttlMs: number
  /** False: a part could not be read, and is tried again soon. */
  readonly isWhole: boolean
}

interface WatchOptions {
  /** Looks once, or throws. Gives up between pages when `mayGoOn` says no. */
  readonly refresh: (mayGoOn: () => boolean) => Promise<Looked>
  readonly onFailure: (error: unknown) => void
  /** How much text the last look had to read, whether it succeeded or not. */
  readonly characters: () => number
  readonly pollMs: number
  readonly clock: Clock
  readonly random: () => number
}

/** An upstream cannot make us ask more often than this, however short its `ttlMs` or however many hints. */
const MIN_TTL_MS = 5_000
const MIN_SUSPECT_MS = 1_000
/** Characters that earn a millisecond of rest: who shows much is asked less often, or its lists would be all we read. */
const CHARACTERS_PER_MS = 256
const FIRST_RETRY_MS = 500
const DEADLINE_MS = 120_000

/** How long after a success the next look comes: `min(ttlMs, pollMs)`; a `ttlMs` of 0 says nothing about polling. */
export function pollDelayMs(ttlMs: number, pollMs: number): number {
  return Math.min(pollMs, ttlMs > 0 ? Math.max(ttlMs, MIN_TTL_MS) : pollMs)
}

export function createWatch({ refresh, onFailure, characters, pollMs, clock, random }: WatchOptions): Watch {
  let timer: NodeJS.Timeout | undefined
  let dueMs = Number.POSITIVE_INFINITY
  let running: Promise<void> | undefined
  let begunMs = Number.NEGATIVE_INFINITY
  let failures = 0
  let suspected = false
  let closed = false

  /** From the beginning of one look to that of the next, at least; never longer than the operator wants to wait. */
  function restMs(): number {
    return Math.min(pollMs, characters() / CHARACTERS_PER_MS)
  }

  function schedule(soonMs: number): void {
    clearTimeout(timer)
    if (closed) return
    const delayMs = Math.max(soonMs, begunMs + restMs() - clock.monotonicMs())
    dueMs = clock.monotonicMs() + delayMs
    timer = setTimeout(look, delayMs)
    timer.unref()
  }

  function look(): Promise<void> {
    running ??= lookOnce().finally(() => {
      running = undefined
    })
    return running
  }

  async function lookOnce(): Promise<void> {
    clearTimeout(timer)
    begunMs = clock.monotonicMs()
    suspected = false
    try {
      const { ttlMs, isWhole } = await withDeadline(refresh)
      if (isWhole) {
        failures = 0
        // Jitter only shortens: what was promised about freshness stays true (server/utilities/caching §Freshness Calculation).
        schedule(pollDelayMs(ttlMs, pollMs) * (0.9 + 0.1 * random()))
      } else retry(pollDelayMs(ttlMs, pollMs))
    } catch (error) {
      if (!closed) onFailure(error)
      retry(pollMs)
    }
    // A hint that came while this look was under way may be about something newer than what it saw.
    if (suspected) hasten()
  }

  function retry(maxMs: number): void {
    failures += 1
    schedule(spreadMs(backOffMs(FIRST_RETRY_MS, maxMs, failures - 1), random))
  }

  function hasten(): void {
    const delayMs = Math.max(0, begunMs + Math.min(MIN_SUSPECT_MS, pollMs) - clock.monotonicMs())
    if (clock.monotonicMs() + delayMs < dueMs) schedule(delayMs)
  }

  return {
    start: look,
    suspect() {
      if (closed) return
      suspected = true
      if (running === undefined) hasten()
    },
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}

async function withDeadline<T>(run: (mayGoOn: () => boolean) => Promise<T>): Promise<T> {
  let late = false
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      late = true
      reject(new SnapshotError('the pages took too long'))
    }, DEADLINE_MS)
    timer.unref()
  })
  try {
    return await Promise.race([run(() => !late), deadline])
  } finally {
    clearTimeout(timer)
  }
}
