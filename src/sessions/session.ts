import type { JsonObject } from '../core/json.ts'
import type { LogLevel, RequestId } from '../core/model.ts'
import type { Hello } from '../mcp/index.ts'

/** One caller's session, on whichever process its requests arrive. */
export interface Session extends Hello {
  /** The name it has in the store and in records, random; not the id, which is as good as a key to it. */
  readonly name: string
  /** Whose share of the store it takes: a keyed digest, the same for all that one person does. */
  readonly owner: string
  readonly expiresAtMs: number
  readonly logLevel: LogLevel | undefined
  /** Exposed URIs it wants to hear of. */
  readonly uris: readonly string[]
}

/** A request of a server to its client: `elicitation/create`, and where policy lets it `sampling/createMessage`, `roots/list`. */
export interface Question {
  readonly method: string
  readonly params: JsonObject
  /** Epoch milliseconds: what is answered after that, nobody may act on. */
  readonly untilMs: number
}

export type ClientResponse =
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'error'; readonly code: number; readonly message: string }

/** What the stream of one request says, while it is said. */
export interface StreamLog {
  /** The id of an event before the first message; `undefined` for a client whose revision has no such event. */
  readonly start: string | undefined
  /**
   * The id of the event that carries this message; `undefined` for one that is not kept, because too much was said or the store is lost.
   * `isAwaited`: the call goes no further until it is answered, so that there is room for it behind everything else.
   */
  keep(message: string, isAwaited?: boolean): string | undefined
  /** With the final response, or without: then none comes any more. */
  end(final: string | undefined): string | undefined
  /** Runs `run` when the client reads on over another connection, and again now and then while it does. */
  onResumed(run: () => void): void
}

/** What an event id leads to. */
export type ResumedStream = ResumedCall | ResumedNews

/** The answer to a request. */
export interface ResumedCall {
  readonly kind: 'call'
  readonly requestId: RequestId
  /** First: what the request was made with, and whether the client has all of it; `undefined` when nothing is left. Throws STORE_UNAVAILABLE. */
  look(): Promise<{ readonly scopes: readonly string[]; readonly isOver: boolean } | undefined>
  /** Every message after the event, those still to come too, until the final one. Then, once. */
  follow(run: (eventId: string, message: string) => Promise<void> | void, signal: AbortSignal): Promise<ResumedEnding>
}

/** `lost`: there is no final response, and none will come. `left`: it goes on elsewhere, or later. */
export type ResumedEnding = 'over' | 'lost' | 'left'

/** The session's own stream. */
export interface ResumedNews {
  readonly kind: 'news'
  /** What the client had been told by then. */
  readonly seen: string
}
