import type { Clock } from '../core/clock.ts'
import { createCells } from './cells.ts'
import { type BeginResult, MAX_ANSWER_BYTES, type Store, StoreFull } from './contract.ts'
import { createSharedMemory } from './memory-shared.ts'
import { createShelf, type Perishable } from './shelf.ts'

export interface MemoryStoreOptions {
  readonly clock: Clock
  /** Idempotency records and spent states held at once; beyond its owner's share a new one is refused, never an old one forgotten. */
  readonly maxRecords?: number
  /** What several processes would share, held at once, and its bytes in all: bounded likewise. */
  readonly maxShared?: number
  readonly maxSharedBytes?: number
  readonly maxCells?: number
  /** Stored answers in all; beyond it a record says `committed` without its answer. */
  readonly maxAnswerBytes?: number
}

interface StoredRecord extends Perishable {
  state: 'reserved' | 'dispatched' | 'committed' | 'unknown'
  readonly fence: number
  readonly fingerprint: string
  readonly ttlMs: number
  leaseEndMs: number
  answer: Uint8Array | undefined
}

/** The embedded store: one process, gone with it. Counts in monotonic time, so a clock that jumps changes nothing. */
export function createMemoryStore(options: MemoryStoreOptions): Store {
  const { clock, maxRecords = 100_000, maxCells = 100_000, maxAnswerBytes = 64 * 1024 * 1024 } = options
  const { maxShared = 100_000, maxSharedBytes = 128 * 1024 * 1024 } = options
  const cells = createCells({ clock, max: maxCells, whenFull: 'refuse' })
  let answerBytes = 0
  const { find, hasRoom, keep, drop } = createShelf<StoredRecord>(maxRecords, record => {
    answerBytes -= record.answer?.byteLength ?? 0
  })
  let lastFence = 0

  const makeRoom = (owner: string, nowMs: number): void => {
    if (!hasRoom(owner, nowMs)) throw new StoreFull('every record in memory that this caller may have is in use')
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
    async begin({ key, fingerprint, leaseMs, ttlMs, owner }) {
      const nowMs = clock.monotonicMs()
      const record = find(key, nowMs)
      if (record !== undefined) return answerOf(record, fingerprint, nowMs)
      makeRoom(owner, nowMs)
      lastFence += 1
      const endMs = nowMs + leaseMs
      // A reservation that nobody dispatched ends with its lease: nothing was sent, so the key is free again.
      keep(key, {
        state: 'reserved',
        fence: lastFence,
        fingerprint,
        ttlMs,
        owner,
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
    async spend(key, ttlMs, owner) {
      const nowMs = clock.monotonicMs()
      const name = `spent:${key}`
      if (find(name, nowMs) !== undefined) return false
      makeRoom(owner, nowMs)
      const expiresMs = nowMs + ttlMs
      keep(name, { state: 'committed', fence: 0, fingerprint: '', ttlMs, owner, leaseEndMs: 0, expiresMs, answer: undefined })
      return true
    },
    ...createSharedMemory({ clock, maxRecords: maxShared, maxBytes: maxSharedBytes }),
    async check() {},
    async close() {},
  }
}
