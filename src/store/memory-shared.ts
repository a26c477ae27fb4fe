import type { Clock } from '../core/clock.ts'
import { createShares } from '../core/shares.ts'
import { MAX_FIELDS, MAX_LOG_BYTES, MAX_MESSAGE_BYTES, MAX_MESSAGES, MAX_OWNER_BYTES, type Store, StoreFull } from './contract.ts'
import { createShelf, type Perishable } from './shelf.ts'
import { createWatchers } from './watchers.ts'
import { checkWhole } from './whole.ts'

interface SharedRecord extends Perishable {
  readonly fields: Map<string, Uint8Array>
  readonly messages: Uint8Array[]
  bytes: number
}

export interface SharedMemoryOptions {
  readonly clock: Clock
  readonly maxRecords: number
  /** Of all fields and messages together. */
  readonly maxBytes: number
}

/** What several processes would share, in the one process there is. */
export function createSharedMemory(options: SharedMemoryOptions): Pick<Store, 'setField' | 'fields' | 'append' | 'read' | 'watch'> {
  const { clock, maxRecords, maxBytes } = options
  const shares = createShares(maxBytes, MAX_OWNER_BYTES)
  const shelf = createShelf<SharedRecord>(maxRecords, record => shares.giveBack(record.owner, record.bytes))
  const watchers = createWatchers({ onFirst: () => {}, onLast: () => {} })

  const open = (name: string, owner: string, nowMs: number): SharedRecord => {
    const found = shelf.find(name, nowMs)
    if (found !== undefined) return found
    if (!shelf.hasRoom(owner, nowMs)) throw new StoreFull('every record in memory that this caller may have is in use')
    return { owner, expiresMs: 0, fields: new Map(), messages: [], bytes: 0 }
  }

  /** Makes the record `more` bytes larger, or throws and leaves everything as it was. */
  const grow = (record: SharedRecord, more: number, nowMs: number): void => {
    if (record.bytes + more > MAX_LOG_BYTES) throw new StoreFull('this record holds all that one may hold')
    if (more > 0 && !shares.hasRoom(record.owner, more)) {
      shelf.sweepAll(nowMs)
      if (!shares.hasRoom(record.owner, more)) throw new StoreFull('all the memory that this caller may have is in use')
    }
    if (more > 0) shares.take(record.owner, more)
    else shares.giveBack(record.owner, -more)
    record.bytes += more
  }

  const keep = (key: string, name: string, record: SharedRecord, expiresMs: number): void => {
    // Not kept before it holds something: what was refused leaves no trace.
    if (record.expiresMs === 0) shelf.keep(name, record)
    record.expiresMs = expiresMs
    watchers.tell(key)
  }

  return {
    async setField(key, field, value, ttlMs, owner) {
      checkWhole(ttlMs, 1)
      const nowMs = clock.monotonicMs()
      const name = `fields:${key}`
      if (value === undefined) {
        const record = shelf.find(name, nowMs)
        const before = record?.fields.get(field)
        if (record !== undefined) {
          record.fields.delete(field)
          if (before !== undefined) grow(record, -sizeOf(field, before), nowMs)
          if (record.fields.size === 0) shelf.drop(name, record)
          else record.expiresMs = nowMs + ttlMs
        }
        watchers.tell(key)
        return
      }
      checkSize(value)
      const record = open(name, owner, nowMs)
      const before = record.fields.get(field)
      if (before === undefined && record.fields.size >= MAX_FIELDS) throw new StoreFull(`a record has ${MAX_FIELDS} fields at most`)
      grow(record, sizeOf(field, value) - (before === undefined ? 0 : sizeOf(field, before)), nowMs)
      record.fields.set(field, value)
      keep(key, name, record, nowMs + ttlMs)
    },
    async fields(key) {
      return new Map(shelf.find(`fields:${key}`, clock.monotonicMs())?.fields)
    },
    async append(key, message, ttlMs, owner) {
      checkWhole(ttlMs, 1)
      checkSize(message)
      const nowMs = clock.monotonicMs()
      const name = `log:${key}`
      const record = open(name, owner, nowMs)
      if (record.messages.length >= MAX_MESSAGES) throw new StoreFull(`${MAX_MESSAGES} messages at most are kept under one key`)
      grow(record, message.byteLength, nowMs)
      const place = record.messages.push(message) - 1
      keep(key, name, record, nowMs + ttlMs)
      return place
    },
    async read(key, from) {
      checkWhole(from, 0)
      return shelf.find(`log:${key}`, clock.monotonicMs())?.messages.slice(from) ?? []
    },
    watch: (key, run) => watchers.watch(key, run),
  }
}

function sizeOf(field: string, value: Uint8Array): number {
  return Buffer.byteLength(field) + value.byteLength
}

function checkSize(value: Uint8Array): void {
  if (value.byteLength > MAX_MESSAGE_BYTES) throw new StoreFull(`a message has ${MAX_MESSAGE_BYTES} bytes at most`)
}
