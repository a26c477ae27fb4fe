import { Buffer } from 'node:buffer'
import type { RequestId } from '../core/model.ts'
import type { Shares } from '../core/shares.ts'
import { writeErrorResponse } from '../mcp/index.ts'
import { type Sealer, type Store, StoreFull } from '../store/index.ts'
import type { StreamLog } from './session.ts'
import { writeEntry } from './stream-entry.ts'

/** How long a stream can be resumed after something was said on it last. */
const KEEP_MS = 300_000
/** A stream that is over by then is not worth more than what it said. */
const SETTLE_MS = 1_000
/** How often its process says that it lives, and how long that goes for. */
const RENEW_MS = 5_000
const ALIVE_MS = 15_000
/** Entries live as long as the last one: a stream on which nothing is said gets an empty one. */
const RENEWALS_PER_ENTRY = 24

/**
 * Of what comes before the final response. Whoever says more is heard by who is there; the final response is kept all the same, and as much
 * again of what is awaited. All of it far below what the store takes under one key.
 */
const MAX_MESSAGES = 1_000
const MAX_BYTES = 1024 * 1024
/** What the store takes at once, less what sealing adds. */
const MAX_FINAL_BYTES = 4 * 1024 * 1024 - 1_024

/** An answer of this size is an entry of its own. */
const LARGE_BYTES = 2 * 1024 * 1024

const FIRST_RETRY_MS = 50
const MAX_RETRY_MS = 2_000
/** What is not written down is held in memory: a store that is lost for longer has lost the stream. */
const GIVE_UP_MS = 60_000

/** The field of a stream's record: its process lives. */
export const ALIVE = 'alive'
/** Of another record, which lives by other times: who reads the stream now. */
export const READER = 'reader'

export interface KeptStreamOptions {
  readonly store: Pick<Store, 'append' | 'setField' | 'fields' | 'watch'>
  readonly sealer: Sealer
  readonly token: string
  /** The names that its log and its record have in the store, and that of its reader. */
  readonly key: string
  readonly readerKey: string
  readonly owner: string
  /** Bytes that may wait to be written down, of all streams. */
  readonly room: Shares
  readonly requestId: RequestId
  readonly scopes: readonly string[]
  /** Whether the client's revision knows an event without data (MCP 2025-11-25; those before it take it for a broken message). */
  readonly isPrimed: boolean
  /** Told when nothing of it is still to be written down, or nothing can be. */
  readonly onSettled: () => void
}

/**
 * What is said on the stream of one request, written down behind its back: nobody waits for the store. What the store does not take now is
 * tried again while the stream may still be resumed; entries say which messages they hold, so that one written twice is read once.
 */
export class KeptStream implements StreamLog {
  readonly start: string | undefined
  readonly #options: KeptStreamOptions
  #place = 0
  #bytes = 0
  /** What is not written down yet; `#from` is the place of the first. */
  #waiting: string[] = []
  #from = 1
  /** Bytes of it, and of what is being written down. */
  #held = 0
  #hasHead = false
  #isWritten = false
  #isOver = false
  #isLost = false
  #isWriting = false
  #timer: NodeJS.Timeout
  #renewals = 0
  #unwatch: (() => void) | undefined
  #whenResumed: (() => void) | undefined

  constructor(options: KeptStreamOptions) {
    this.#options = options
    this.start = options.isPrimed ? `${options.token}.0` : undefined
    this.#timer = setTimeout(() => this.#settle(), SETTLE_MS).unref()
    void this.#write()
  }

  keep(message: string, isAwaited = false): string | undefined {
    const bytes = Buffer.byteLength(message)
    const room = isAwaited ? 2 : 1
    if (this.#isOver || this.#isLost || this.#place >= room * MAX_MESSAGES || this.#bytes + bytes > room * MAX_BYTES) return undefined
    this.#bytes += bytes
    return this.#add(message)
  }

  end(final: string | undefined): string | undefined {
    if (this.#isOver) return undefined
    this.#isOver = true
    if (this.#isLost) return undefined
    if (final === undefined) {
      void this.#write()
      return undefined
    }
    const fits = Buffer.byteLength(final) <= MAX_FINAL_BYTES
    return this.#add(fits ? final : tooLarge(this.#options.requestId))
  }

  onResumed(run: () => void): void {
    this.#whenResumed = run
  }

  #add(message: string): string | undefined {
    const { room, owner } = this.#options
    const bytes = Buffer.byteLength(message)
    if (!room.hasRoom(owner, bytes)) {
      this.#lose()
      return undefined
    }
    room.take(owner, bytes)
    this.#held += bytes
    this.#place += 1
    this.#waiting.push(message)
    void this.#write()
    return `${this.#options.token}.${this.#place}`
  }

  /** Long enough for others to ask about it. */
  #settle(): void {
    const { store, readerKey } = this.#options
    this.#renew()
    this.#timer = setInterval(() => this.#renew(), RENEW_MS).unref()
    this.#unwatch = store.watch(readerKey, () => void this.#look())
  }

  #renew(): void {
    const { store, key, owner } = this.#options
    // The store is lost: whoever resumes then is told so, or finds this out too late, and is told that the outcome is not known.
    store.setField(key, ALIVE, Buffer.of(1), ALIVE_MS, owner).catch(() => {})
    this.#renewals += 1
    if (this.#renewals % RENEWALS_PER_ENTRY === 0) void this.#write(true)
  }

  async #look(): Promise<void> {
    const { store, readerKey } = this.#options
    const fields = await store.fields(readerKey).catch(() => undefined)
    if (fields?.has(READER)) this.#whenResumed?.()
  }

  async #write(isRenewal = false): Promise<void> {
    if (this.#isWriting) return
    this.#isWriting = true
    let isDue = isRenewal
    while (!this.#isLost && (isDue || !this.#hasHead || this.#waiting.length > 0 || (this.#isOver && !this.#isWritten))) {
      isDue = false
      await this.#writeNext()
    }
    this.#isWriting = false
    if (this.#isOver) this.#release()
  }

  async #writeNext(): Promise<void> {
    if (!this.#hasHead) {
      await this.#append(writeEntry({ kind: 'head', scopes: this.#options.scopes }))
      this.#hasHead = true
      return
    }
    const messages = this.#waiting
    const final = this.#isOver ? messages.at(-1) : undefined
    const isApart = final !== undefined && messages.length > 1 && Buffer.byteLength(final) > LARGE_BYTES
    this.#waiting = isApart ? messages.splice(-1) : []
    const isLast = this.#isOver && !isApart
    const from = this.#from
    this.#from += messages.length
    await this.#append(writeEntry({ kind: 'said', from, messages, isLast }))
    this.#giveBack(Math.min(this.#held, bytesOf(messages)))
    this.#isWritten = isLast
  }

  async #append(plain: Uint8Array): Promise<void> {
    const { store, sealer, key, owner } = this.#options
    const sealed = sealer.seal(plain, key)
    let delayMs = FIRST_RETRY_MS
    for (let waitedMs = 0; waitedMs < GIVE_UP_MS && !this.#isLost; waitedMs += delayMs) {
      try {
        await store.append(key, sealed, KEEP_MS, owner)
        return
      } catch (error) {
        if (error instanceof StoreFull) break
        await new Promise<void>(resolve => setTimeout(resolve, delayMs).unref())
        delayMs = Math.min(MAX_RETRY_MS, 2 * delayMs)
      }
    }
    this.#lose()
  }

  /** Nobody can resume it: a client that tries is told that the outcome is not known once nobody says any more that this process lives. */
  #lose(): void {
    this.#isLost = true
    this.#waiting = []
    this.#giveBack(this.#held)
    this.#release()
  }

  #giveBack(bytes: number): void {
    this.#held -= bytes
    this.#options.room.giveBack(this.#options.owner, bytes)
  }

  #release(): void {
    clearTimeout(this.#timer)
    this.#unwatch?.()
    this.#unwatch = undefined
    this.#options.onSettled()
  }
}

function bytesOf(messages: readonly string[]): number {
  return messages.reduce((sum, message) => sum + Buffer.byteLength(message), 0)
}

/** Where only its size keeps the answer from being kept, whoever comes back for it learns at least that the call was made. */
function tooLarge(id: RequestId): string {
  const message = 'The call was made, and its answer is too large to be kept for a client that comes back for it.'
  return writeErrorResponse(id, -32_603, message, '{"code":"SESSION_STREAM_LOST","effect":"unknown"}')
}
