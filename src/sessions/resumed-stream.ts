import { Buffer } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import type { Clock } from '../core/clock.ts'
import type { RequestId } from '../core/model.ts'
import { type Sealer, type Store, StoreUnavailable, storeRefusal, type Turns } from '../store/index.ts'
import { Bell } from './bell.ts'
import { ALIVE, READER } from './kept-stream.ts'
import type { ResumedCall, ResumedEnding } from './session.ts'
import { readEntry, type StreamEntry } from './stream-entry.ts'

/** How long a reader is known to the process that speaks, and how often it says that it reads. */
const READER_MS = 120_000
const RECLAIM_MS = 60_000
/** A process that has just begun to speak has not said yet that it lives. */
const GRACE_MS = 3_000
const POLL_MS = 5_000
/** Failures of the store in a row after which the stream is given up. */
const MAX_FAILURES = 6

export interface ResumedCallOptions {
  readonly clock: Clock
  readonly store: Pick<Store, 'read' | 'setField' | 'fields' | 'watch'>
  readonly sealer: Sealer
  /** A log may have megabytes, and one person may have many read at once. */
  readonly turns: Turns
  readonly token: string
  readonly key: string
  readonly readerKey: string
  readonly owner: string
  readonly requestId: RequestId
  readonly place: number
}

type Said = Extract<StreamEntry, { readonly kind: 'said' }>
type Run = (eventId: string, message: string) => Promise<void> | void

/** The rest of what was said in answer to one request, wherever that is being said. Made for one reading. */
export class ResumedAnswer implements ResumedCall {
  readonly kind = 'call'
  readonly requestId: RequestId
  readonly #options: ResumedCallOptions
  readonly #reader = randomBytes(12)
  /** Of the last message that the client has. */
  #place: number
  /** Entries read so far. */
  #read = 0
  #entries: Said[] = []
  /** When its process was first found not to say that it lives. */
  #silentSinceMs: number | undefined

  constructor(options: ResumedCallOptions) {
    this.requestId = options.requestId
    this.#options = options
    this.#place = options.place
  }

  async look(): Promise<{ readonly scopes: readonly string[]; readonly isOver: boolean } | undefined> {
    try {
      const scopes = await this.#findHead()
      const last = this.#entries.at(-1)
      const isOver = last?.isLast === true && last.from + last.messages.length - 1 <= this.#place
      return scopes && { scopes, isOver }
    } catch (error) {
      throw storeRefusal(error)
    }
  }

  /** A stream may be resumed before its beginning is written down: its process does not wait for that. */
  async #findHead(): Promise<readonly string[] | undefined> {
    const { store, key, clock } = this.#options
    const bell = new Bell()
    const unwatch = store.watch(key, () => bell.ring())
    const sinceMs = clock.monotonicMs()
    try {
      for (;;) {
        const scopes = await this.#fetch()
        if (scopes !== undefined || this.#read > 0 || clock.monotonicMs() - sinceMs > GRACE_MS) return scopes
        await bell.wait(GRACE_MS)
      }
    } finally {
      unwatch()
    }
  }

  async follow(run: Run, signal: AbortSignal): Promise<ResumedEnding> {
    const { store, key, readerKey } = this.#options
    const bell = new Bell()
    const ring = (): void => bell.ring()
    const unwatch = [key, readerKey].map(one => store.watch(one, ring))
    signal.addEventListener('abort', ring)
    const claiming = setInterval(() => void this.#reclaim(), RECLAIM_MS).unref()
    try {
      await this.#claim()
      for (let failures = 0; !signal.aborted; ) {
        try {
          const ending = (await this.#deliver(run, signal)) ?? (await this.#judgeSpeaker())
          if (ending !== undefined) return ending
          failures = 0
        } catch (error) {
          if (!(error instanceof StoreUnavailable)) throw error
          failures += 1
          // It may be there again before the client gives up: who comes back is told then.
          if (failures >= MAX_FAILURES) return 'left'
        }
        await bell.wait(this.#silentSinceMs === undefined ? POLL_MS : GRACE_MS)
      }
      return 'left'
    } finally {
      clearInterval(claiming)
      for (const end of unwatch) end()
      signal.removeEventListener('abort', ring)
    }
  }

  /** Hands over what is there; tells how it ended where it has. */
  async #deliver(run: Run, signal: AbortSignal): Promise<'over' | 'lost' | undefined> {
    await this.#fetch()
    for (let entry = this.#entries.shift(); entry !== undefined; entry = this.#entries.shift()) {
      // Something between is missing: half an answer is none.
      if (entry.from > this.#place + 1) return 'lost'
      for (const message of entry.messages.slice(this.#place + 1 - entry.from)) {
        if (signal.aborted) return undefined
        this.#place += 1
        await run(`${this.#options.token}.${this.#place}`, message)
      }
      if (entry.isLast) return 'over'
    }
    return undefined
  }

  /** Reads on in the log; the scopes under which the request was made, where its beginning has just been read. */
  async #fetch(): Promise<readonly string[] | undefined> {
    const { store, sealer, turns, key, owner } = this.#options
    let scopes: readonly string[] | undefined
    for (const sealed of await turns.take(owner, () => store.read(key, this.#read))) {
      const plain = sealer.open(sealed, key)
      const entry = plain && readEntry(plain)
      if (this.#read === 0 && entry?.kind === 'head') scopes = entry.scopes
      this.#read += 1
      if (entry?.kind === 'said') this.#entries.push(entry)
    }
    return scopes
  }

  /** Whether there is anybody from whom more may come, to this connection. */
  async #judgeSpeaker(): Promise<'lost' | 'left' | undefined> {
    const { store, key, clock } = this.#options
    if (await this.#isReplaced()) return 'left'
    if ((await store.fields(key)).has(ALIVE)) {
      this.#silentSinceMs = undefined
      return undefined
    }
    const nowMs = clock.monotonicMs()
    this.#silentSinceMs ??= nowMs
    // What it said last before it fell silent has been read since.
    return nowMs - this.#silentSinceMs > GRACE_MS ? 'lost' : undefined
  }

  async #isReplaced(): Promise<boolean> {
    const reader = (await this.#options.store.fields(this.#options.readerKey)).get(READER)
    return reader !== undefined && Buffer.compare(reader, this.#reader) !== 0
  }

  /** A connection that is stuck must not take the stream back from the one that took its place. */
  async #reclaim(): Promise<void> {
    if (!(await this.#isReplaced().catch(() => false))) await this.#claim()
  }

  /** Each message goes to one connection (MCP 2025-11-25 basic/transports §Multiple Connections): whoever else reads this stream stops. */
  async #claim(): Promise<void> {
    const { store, readerKey, owner } = this.#options
    await store.setField(readerKey, READER, this.#reader, READER_MS, owner).catch(() => {})
  }
}
