import type { Clock } from '../core/clock.ts'
import { fingerprintOf, type Snapshot } from './snapshot.ts'

/** One list of an upstream as it was read last, and until when that is believed. */
export interface Part {
  readonly snapshot: Snapshot | undefined
  readonly seenAtMs: number
  readonly expiresAtMs: number
  readonly isFailing: boolean
  /** Puts another snapshot in the place of the one in use; true when it shows something else. */
  take(snapshot: Snapshot, expiresAtMs: number): boolean
  /** It could not be read: what was read last is good for `maxStaleMs` more, from the first failure on. */
  fail(maxStaleMs: number): void
  isExpired(): boolean
  freshness(): Freshness
}

/** `new`: never read; `stale`: the last attempt failed and the last good one is still in use; `expired`: too old, nothing of it is served. */
export type Freshness = 'new' | 'fresh' | 'stale' | 'expired'

/** What a later revision may go on with. */
export type CarriedPart = Pick<Part, 'snapshot' | 'seenAtMs' | 'expiresAtMs' | 'isFailing'>

export function createPart(clock: Clock, carried: CarriedPart | undefined): Part {
  let snapshot = carried?.snapshot
  let fingerprint = snapshot === undefined ? '' : fingerprintOf(snapshot)
  let seenAtMs = carried?.seenAtMs ?? clock.monotonicMs()
  let expiresAtMs = carried?.expiresAtMs ?? Number.POSITIVE_INFINITY
  let isFailing = carried?.isFailing ?? false
  const isExpired = () => clock.monotonicMs() >= expiresAtMs
  return {
    get snapshot() {
      return snapshot
    },
    get seenAtMs() {
      return seenAtMs
    },
    get expiresAtMs() {
      return expiresAtMs
    },
    get isFailing() {
      return isFailing
    },
    take(taken, untilMs) {
      const taking = fingerprintOf(taken)
      const isOther = snapshot === undefined || taking !== fingerprint
      snapshot = taken
      fingerprint = taking
      seenAtMs = clock.monotonicMs()
      expiresAtMs = untilMs
      isFailing = false
      return isOther
    },
    fail(maxStaleMs) {
      if (!isFailing) expiresAtMs = Math.min(expiresAtMs, clock.monotonicMs() + maxStaleMs)
      isFailing = true
    },
    isExpired,
    freshness() {
      if (snapshot === undefined) return 'new'
      return isExpired() ? 'expired' : isFailing ? 'stale' : 'fresh'
    },
  }
}
