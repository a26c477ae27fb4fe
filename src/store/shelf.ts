import { createShares } from '../core/shares.ts'

/** What is forgotten at `expiresMs` of the monotonic clock, and takes one of its owner's places until then. */
export interface Perishable {
  readonly owner: string
  expiresMs: number
}

/** Records in memory: bounded, shared out among owners, and rid of what expired without a timer. */
export interface Shelf<T extends Perishable> {
  find(key: string, nowMs: number): T | undefined
  /** True when the owner may have one more; looks for expired ones first. */
  hasRoom(owner: string, nowMs: number): boolean
  keep(key: string, record: T): void
  drop(key: string, record: T): void
  /** Drops all that expired; at most once a second, so that whoever is refused again and again costs little. */
  sweepAll(nowMs: number): void
}

const SWEEP_PER_RECORD = 4
const FULL_SWEEP_EVERY_MS = 1000

export function createShelf<T extends Perishable>(places: number, onDrop: (record: T) => void): Shelf<T> {
  const records = new Map<string, T>()
  const shares = createShares(places)
  let sweeper = records.entries()
  let nextFullSweepMs = Number.NEGATIVE_INFINITY

  const drop = (key: string, record: T): void => {
    records.delete(key)
    shares.giveBack(record.owner)
    onDrop(record)
  }

  // A few records at each new one: expired ones go without a timer and without a pause.
  const sweep = (nowMs: number, most: number): void => {
    for (let looked = 0; looked < most; looked += 1) {
      const next = sweeper.next()
      if (next.done === true) {
        sweeper = records.entries()
        return
      }
      const [key, record] = next.value
      if (record.expiresMs <= nowMs) drop(key, record)
    }
  }

  const sweepAll = (nowMs: number): void => {
    if (nowMs < nextFullSweepMs) return
    nextFullSweepMs = nowMs + FULL_SWEEP_EVERY_MS
    sweeper = records.entries()
    sweep(nowMs, records.size)
  }

  return {
    find(key, nowMs) {
      const record = records.get(key)
      if (record === undefined || record.expiresMs > nowMs) return record
      drop(key, record)
      return undefined
    },
    hasRoom(owner, nowMs) {
      sweep(nowMs, SWEEP_PER_RECORD)
      if (shares.hasRoom(owner)) return true
      sweepAll(nowMs)
      return shares.hasRoom(owner)
    },
    keep(key, record) {
      records.set(key, record)
      shares.take(record.owner)
    },
    drop,
    sweepAll,
  }
}
