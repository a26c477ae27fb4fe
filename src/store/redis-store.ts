import { Cluster, type Redis } from 'ioredis'
import { type Clock, systemClock } from '../core/clock.ts'
import {
  type BeginResult,
  MAX_ANSWER_BYTES,
  MAX_LOG_BYTES,
  MAX_MESSAGE_BYTES,
  MAX_OWNER_BYTES,
  type Store,
  StoreFull,
  StoreUnavailable,
} from './contract.ts'
import { withDeadline } from './deadline.ts'
import { checkEviction } from './eviction.ts'
import { createLedger } from './ledger.ts'
import { parseRate, toCellState } from './rate.ts'
import { connectRedis, openListener } from './redis-client.ts'
import { createNews } from './redis-news.ts'
import { BEGUN, BUSY, COMMITTED, MISMATCH, UNKNOWN } from './redis-scripts.ts'
import { createTurns } from './turns.ts'
import { checkWhole } from './whole.ts'

export interface RedisStoreOptions {
  /** See connectRedis for the forms. */
  readonly url: string
  /** Begins every key; several gateways can share a server under different prefixes. */
  readonly prefix?: string
  /** Longest wait for one decision. */
  readonly commandTimeoutMs?: number | undefined
  /** How long a watcher waits at most for what no notice told it. */
  readonly pollMs?: number
  /** Fields and messages that this process lays down, in all, while they live: nobody fills the server for everybody else. */
  readonly maxSharedBytes?: number
  readonly maxOwnerBytes?: number
  readonly clock?: Clock
}

/** What the server needs for a small record besides its value, roughly. */
const RECORD_BYTES = 200
/** Large messages are given the time of a slow network besides. */
const BYTES_PER_MS = 20_000
/** From here on one waits for the other. */
const LARGE_BYTES = 65_536

/** Needs Redis 6 or later, or what speaks its protocol, with `maxmemory-policy noeviction`. Connects in the background and for ever. */
export function createRedisStore(options: RedisStoreOptions): Store {
  const { url, prefix = 'wicketgate', commandTimeoutMs = 200, pollMs = 5000 } = options
  const { maxSharedBytes = 512 * 1024 * 1024, maxOwnerBytes = MAX_OWNER_BYTES, clock = systemClock } = options
  if (!(commandTimeoutMs >= 1)) throw new RangeError('a command timeout is 1 ms or more')
  const client = connectRedis(url, 4 * commandTimeoutMs)
  let lastError = 'not connected yet'
  client.on('error', (error: Error) => {
    lastError = error.message
  })

  const channelPrefix = `${prefix}:news:`
  const news = createNews({ open: () => openListener(client), channelPrefix, pollMs })

  const ledger = createLedger({ clock, maxBytes: maxSharedBytes, maxOwnerBytes })
  const turns = createTurns()

  const ask = <T>(send: () => Promise<T>, timeoutMs = commandTimeoutMs): Promise<T> =>
    client.status === 'ready' ? withDeadline(send(), timeoutMs) : Promise.reject(new StoreUnavailable(`no connection: ${lastError}`))

  const cellKey = (key: string): string => `${prefix}:cell:{${key}}`
  const recordKey = (key: string): string => `${prefix}:record:{${key}}`

  const fieldsKey = (key: string): string => `${prefix}:fields:{${key}}`
  const logKey = (key: string): string => `${prefix}:log:{${key}}`

  /** What is too large never travels; what is large travels in turn, and has the time it needs. */
  const layDown = async <T>(owner: string, bytes: number, ttlMs: number, send: () => Promise<T>): Promise<T> => {
    if (bytes > MAX_MESSAGE_BYTES) throw new StoreFull(`a message has ${MAX_MESSAGE_BYTES} bytes at most`)
    if (!ledger.note(owner, bytes + RECORD_BYTES, ttlMs)) throw new StoreFull('all that this caller may lay down in the store is in use')
    if (bytes < LARGE_BYTES) return ask(send)
    return turns.take(owner, () => ask(send, commandTimeoutMs + bytes / BYTES_PER_MS))
  }

  const settle = async (verb: 'd' | 'c' | 'r' | 'u', key: string, fence: number, ms: number, answer?: Uint8Array): Promise<boolean> => {
    checkWhole(fence, 1)
    checkWhole(ms, verb === 'r' ? 0 : 1)
    const name = recordKey(key)
    const reply = await ask(() =>
      answer === undefined ? client.wicketSettle(name, verb, fence, ms) : client.wicketSettle(name, verb, fence, ms, asBuffer(answer)),
    )
    return reply === 1
  }

  return {
    async take(cell) {
      const { emissionUs, burst, cost } = parseRate(cell)
      const [allowed, remaining, waitUs, resetUs] = numbersOf(
        await ask(() => client.wicketTake(cellKey(cell.key), emissionUs, burst, cost)),
      )
      return toCellState(allowed === 1, remaining, waitUs, resetUs)
    },
    async begin({ key, fingerprint, leaseMs, ttlMs }) {
      checkWhole(leaseMs, 1)
      checkWhole(ttlMs, 1)
      return toBeginResult(await ask(() => client.wicketBeginBuffer(recordKey(key), fingerprint, leaseMs, ttlMs)))
    },
    dispatch: (key, fence, leaseMs) => settle('d', key, fence, leaseMs),
    commit: (key, fence, answer, ttlMs) =>
      settle('c', key, fence, ttlMs, answer !== undefined && answer.byteLength <= MAX_ANSWER_BYTES ? answer : undefined),
    release: (key, fence) => settle('r', key, fence, 0),
    markUnknown: (key, fence, ttlMs) => settle('u', key, fence, ttlMs),
    async spend(key, ttlMs) {
      checkWhole(ttlMs, 1)
      const reply = await ask(() => client.set(`${prefix}:spent:{${key}}`, '', 'PX', ttlMs, 'NX'))
      return reply === 'OK'
    },
    async setField(key, field, value, ttlMs, owner) {
      checkWhole(ttlMs, 1)
      const values = value === undefined ? [] : [asBuffer(value)]
      const send = (): Promise<unknown> => client.wicketSetField(fieldsKey(key), channelPrefix + key, ttlMs, field, ...values)
      const reply = await (value === undefined ? ask(send) : layDown(owner, value.byteLength, ttlMs, send))
      if (reply === 0) throw new StoreFull('this record holds all that one may hold')
      if (reply !== 1) throw unexpected()
    },
    async fields(key) {
      return new Map(Object.entries(await ask(() => client.hgetallBuffer(fieldsKey(key)))))
    },
    async append(key, message, ttlMs, owner) {
      checkWhole(ttlMs, 1)
      const send = (): Promise<unknown> => client.wicketAppend(logKey(key), channelPrefix + key, ttlMs, asBuffer(message))
      const place = await layDown(owner, message.byteLength, ttlMs, send)
      if (place === -1) throw new StoreFull('as much is kept under this key as may be')
      if (typeof place !== 'number') throw unexpected()
      return place
    },
    async read(key, from) {
      checkWhole(from, 0)
      return await ask(() => client.lrangeBuffer(logKey(key), from + 1, -1), commandTimeoutMs + MAX_LOG_BYTES / BYTES_PER_MS)
    },
    watch: news.watch,
    async check() {
      await ask(() => client.ping())
      const nodes: readonly Redis[] = client instanceof Cluster ? client.nodes('master') : [client]
      for (const node of nodes) await ask(() => checkEviction(node))
    },
    async close() {
      news.close()
      client.disconnect()
    },
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function unexpected(): StoreUnavailable {
  return new StoreUnavailable('the server gave an answer that no script of ours gives')
}

function numbersOf(reply: unknown): readonly [number, number, number, number] {
  if (!Array.isArray(reply)) throw unexpected()
  const [a, b, c, d]: unknown[] = reply
  if (typeof a !== 'number' || typeof b !== 'number' || typeof c !== 'number' || typeof d !== 'number') throw unexpected()
  return [a, b, c, d]
}

function toBeginResult(reply: unknown): BeginResult {
  if (!Array.isArray(reply)) throw unexpected()
  const [state, value]: unknown[] = reply
  if (state === BEGUN && typeof value === 'number') return { state: 'begun', fence: value }
  if (state === BUSY && typeof value === 'number') return { state: 'busy', retryAfterMs: value }
  if (state === MISMATCH) return { state: 'mismatch' }
  if (state === UNKNOWN) return { state: 'unknown' }
  if (state === COMMITTED) return { state: 'committed', answer: Buffer.isBuffer(value) ? value : undefined }
  throw unexpected()
}
