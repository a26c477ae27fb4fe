import type { JsonObject } from '../core/json.ts'
import type { LogLevel } from '../core/model.ts'
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

export interface StreamLog {
  /** The id of the event that carries this message; it is being kept. */
  keep(message: string): string
  /** The final message was kept: whoever resumes gets it, and no more comes. */
  end(): void
}

export interface ResumedStream {
  /** Every message after the event, those still to come too, until the final one. */
  follow(run: (eventId: string, message: string) => Promise<void> | void, signal: AbortSignal): Promise<void>
}
