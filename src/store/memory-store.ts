import type { Clock } from '../core/clock.ts'
import { createCells } from './cells.ts'
import { type BeginResult, MAX_ANSWER_BYTES, type Store, StoreUnavailable } from './contract.ts'

export interface MemoryStoreOptions {
  readonly clock: Clock
  /** Idempotency records held at once; beyond it a new key is refused, never an old one forgotten. */
  readonly maxRecords?: number
  readonly maxCells?: number
  /** Stored answers in all; beyond it a record says `committed` without its answer. */
  readonly maxAnswerBytes?: number
}

interface StoredRecord {
  state: 'reserved' | 'dispatched' | 'committed' | 'unknown'
  readonly fence: number
  readonly fingerprint: string
  readonly ttlMs: number
  leaseEndMs: number
  expiresMs: number
  answer: Uint8Array | undefined
}

const SWEEP_PER_BEGIN = 4
const FULL_SWEEP_EVERY_MS = 1000

/** The embedded store: one process, gone with it. Counts in monotonic time, so a clock that jumps changes nothing. */
export function createMemoryStore(options: MemoryStoreOptions): Store {
  const { clock, maxRecords = 100_000, maxCells = 100_000, maxAnswerBytes = 64 * 1024 * 1024 } = options
  const cells = createCells({ clock, max: maxCells, whenFull: 'refuse' })
  const records = new Map<string, StoredRecord>()
  let sweeper = records.entries()
  let answerBytes = 0
  let lastFence = 0
  let nextFullSweepMs = Number.NEGATIVE_INFINITY

  const drop = (key: string, record: StoredRecord): void => {
    answerBytes -= record.answer?.byteLength ?? 0
    records.delete(key)
  }

  // A few records at each begin: expired ones go without a timer and without a pause.
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

  const makeRoom = (nowMs: number): void => {
    sweep(nowMs, SWEEP_PER_BEGIN)
    if (records.size < maxRecords) return
    if (nowMs >= nextFullSweepMs) {
      nextFullSweepMs = nowMs + FULL_SWEEP_EVERY_MS
      sweeper = records.entries()
      sweep(nowMs, records.size)
    }
    if (records.size >= maxRecords) throw new StoreUnavailable('every idempotency record in memory is in use')
  }

  const find = (key: string, nowMs: number): StoredRecord | undefined => {
    const record = records.get(key)
    if (record === undefined || record.expiresMs > nowMs) return record
    drop(key, record)
    return undefined
  }

  /** The record, while `fence` still holds it: neither settled nor past its lease. */
  const held = (key: string, fence: number, nowMs: number): StoredRecord | undefined => {
    const record = find(key, nowMs)
    if (record === undefined || record.fence !== fence || record.leaseEndMs <= nowMs) return undefined
    return record.state === 'reserved' || record.state === 'dispatched' ? record : undefined
  }

  const answerOf = (record: StoredRecord, fingerprint: string, nowMs: number): BeginResult => {
    if (record.fingerprint !== fingerprint) return { state: 'mismatch' }
    if (record.state === 'committed') return { state: 'committed', answer: record.answer }
    if (record.state === 'unknown' || record.leaseEndMs <= nowMs) return { state: 'unknown' }
    return { state: 'busy', retryAfterMs: Math.ceil(record.leaseEndMs - nowMs) }
  }

  return {
    async take(cell) {
      return cells.take(cell)
    },
    async begin({ key, fingerprint, leaseMs, ttlMs }) {
      const nowMs = clock.monotonicMs()
      const record = find(key, nowMs)
      if (record !== undefined) return answerOf(record, fingerprint, nowMs)
      makeRoom(nowMs)
      lastFence += 1
      const endMs = nowMs + leaseMs
      // A reservation that nobody dispatched ends with its lease: nothing was sent, so the key is free again.
      records.set(key, {
        state: 'reserved',
        fence: lastFence,
        fingerprint,
        ttlMs,
        leaseEndMs: endMs,
        expiresMs: endMs,
        answer: undefined,
      })
      return { state: 'begun', fence: lastFence }
    },
    async dispatch(key, fence, leaseMs) {
      const nowMs = clock.monotonicMs()
      const record = held(key, fence, nowMs)
      if (record === undefined) return false
      record.state = 'dispatched'
      record.leaseEndMs = nowMs + leaseMs
      record.expiresMs = record.leaseEndMs + record.ttlMs
      return true
    },
    async commit(key, fence, answer, ttlMs) {
      const nowMs = clock.monotonicMs()
      const record = held(key, fence, nowMs)
      if (record === undefined) return false
      record.state = 'committed'
      record.expiresMs = nowMs + ttlMs
      const bytes = answer?.byteLength ?? 0
      if (bytes <= MAX_ANSWER_BYTES && answerBytes + bytes <= maxAnswerBytes) {
        record.answer = answer
        answerBytes += bytes
      }
      return true
    },
    async release(key, fence) {
      const record = held(key, fence, clock.monotonicMs())
      if (record === undefined) return false
      drop(key, record)
      return true
    },
    async markUnknown(key, fence, ttlMs) {
      const nowMs = clock.monotonicMs()
      const record = held(key, fence, nowMs)
      if (record === undefined) return false
      record.state = 'unknown'
      record.expiresMs = nowMs + ttlMs
      return true
    },
    async check() {},
    async close() {},
  }
}
