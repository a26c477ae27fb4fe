export interface Cell {
  /** Digest made by `StoreKeys.key`. */
  readonly key: string
  /** GCRA emission interval: milliseconds one unit of cost takes to flow out. May be fractional. */
  readonly emissionMs: number
  /** Units that may be taken at once; 1 or more. */
  readonly burst: number
  /** Units this call takes: a whole number, 1..burst. */
  readonly cost: number
}

export interface CellState {
  readonly allowed: boolean
  readonly remaining: number
  /** 0 when allowed. */
  readonly retryAfterMs: number
  readonly resetMs: number
}

export type BeginResult =
  | { readonly state: 'begun'; readonly fence: number }
  | { readonly state: 'busy'; readonly retryAfterMs: number }
  | { readonly state: 'mismatch' }
  | { readonly state: 'unknown' }
  | { readonly state: 'committed'; readonly answer: Uint8Array | undefined }

export interface BeginRequest {
  readonly key: string
  readonly fingerprint: string
  /** How long a holder may stay silent in `reserved` (then the key may be taken over) or in `dispatched` (then it becomes `unknown`). */
  readonly leaseMs: number
  /** How long a record that was dispatched and never settled is remembered, counted from the end of its lease. */
  readonly ttlMs: number
  /** Whose share of a bounded store it takes: a digest made by `StoreKeys.key`, the same for all that one person does. */
  readonly owner: string
}

export interface Store {
  take(cell: Cell): Promise<CellState>
  begin(request: BeginRequest): Promise<BeginResult>
  /**
   * The outcome is `dispatched` from here on; a second one renews the lease.
   * This verb and the next three return false when the fence is no longer the holder's: somebody else, or the lease's end, has settled it.
   */
  dispatch(key: string, fence: number, leaseMs: number): Promise<boolean>
  commit(key: string, fence: number, answer: Uint8Array | undefined, ttlMs: number): Promise<boolean>
  release(key: string, fence: number): Promise<boolean>
  markUnknown(key: string, fence: number, ttlMs: number): Promise<boolean>
  /** True the first time for `ttlMs`, false after that: whatever can be used once is used up. `key`: a digest, or random and ours. */
  spend(key: string, ttlMs: number, owner: string): Promise<boolean>
  /**
   * Sets one field of a small record that several processes share, or removes it (`undefined`); the whole record lives `ttlMs` from now.
   * Whoever watches `key` is told. Throws StoreFull beyond MAX_FIELDS, or MAX_MESSAGE_BYTES of one or MAX_LOG_BYTES of all.
   */
  setField(key: string, field: string, value: Uint8Array | undefined, ttlMs: number, owner: string): Promise<void>
  /** Every field of that record; empty when there is none. */
  fields(key: string): Promise<ReadonlyMap<string, Uint8Array>>
  /**
   * Puts a message behind those under `key`, which all live until `ttlMs` after the last; resolves with its place, 0 for the first. Whoever
   * watches `key` is told. Throws StoreFull beyond MAX_MESSAGES, or MAX_MESSAGE_BYTES of one or MAX_LOG_BYTES of all.
   */
  append(key: string, message: Uint8Array, ttlMs: number, owner: string): Promise<number>
  /** The messages under `key` from a place on. */
  read(key: string, from: number): Promise<readonly Uint8Array[]>
  /**
   * Runs `run` soon after `setField` or `append` changed what is under `key`, in whichever process, and now and then besides: a notice may be
   * lost, what it was about is not. Returns what ends it. Never throws. Both kinds of a key are heard; that one expired is not told.
   */
  watch(key: string, run: () => void): () => void
  /** Resolves when the store answers and is fit to keep records; otherwise throws StoreUnavailable with the reason. */
  check(): Promise<void>
  close(): Promise<void>
}

/** The store did not answer in time or refused; whether a write was applied is not known. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

/** The store works, but this owner has used up its share; nothing was written. */
export class StoreFull extends StoreUnavailable {}

/** Answers above this many bytes (as stored, encrypted) are not kept: the record then says `committed` and nothing more. */
export const MAX_ANSWER_BYTES = 256 * 1024

/** Of fields and messages, in one process: more than anybody needs for five minutes, and no more than a fraction of what there is. */
export const MAX_OWNER_BYTES = 64 * 1024 * 1024

export const MAX_FIELDS = 128
export const MAX_MESSAGES = 4_096
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024
export const MAX_LOG_BYTES = 8 * 1024 * 1024
