/**
 * Whose conversation is this?
 * Takes an `initialize`, returns a sealed session id; takes that id and a principal, returns the `Session`, or throws SESSION_UNKNOWN, STORE_UNAVAILABLE.
 * Keeps keys, and in the store what a session cannot carry itself: that it has ended, its log level, its subscriptions, what its streams have said.
 * Never decides what may be done: every request of a session is judged by its own token, as those without sessions are.
 */
import type { EndpointConfig } from '../core/configuration.ts'
import type { JsonObject } from '../core/json.ts'
import type { ClientCapabilities, LogLevel, Principal, RequestId } from '../core/model.ts'

/** What a client said in `initialize`, as far as the session has to know it (MCP 2025-11-25 basic/lifecycle §Initialization). */
export interface Hello {
  /** The revision both speak, negotiated. */
  readonly protocolVersion: string
  readonly capabilities: ClientCapabilities
}

/** One caller's session, on whichever process its requests arrive. */
export interface Session extends Hello {
  /** The keyed name it has in the store and in records; not the id, which is as good as a key to it. */
  readonly name: string
  readonly logLevel: LogLevel | undefined
  /** Exposed URIs it wants to hear of. */
  readonly uris: readonly string[]
}

export interface Sessions {
  /** The id for `Mcp-Session-Id`: visible ASCII, bound to the endpoint and the principal. Costs no round trip. */
  open(endpoint: EndpointConfig, principal: Principal, hello: Hello): string
  /** One round trip. One answer for an id that is expired, ended, another's, or none of ours (MCP 2025-11-25 transports §Session Management). */
  enter(endpoint: EndpointConfig, principal: Principal, id: string): Promise<Session>
  /** On every process, from now on. */
  end(session: Session): Promise<void>
  setLevel(session: Session, level: LogLevel): Promise<void>
  subscribe(session: Session, uri: string): Promise<void>
  unsubscribe(session: Session, uri: string): Promise<void>
  /** Runs `run` when the session has ended, or its subscriptions have changed, on any process. Returns what ends it. */
  watch(session: Session, run: (now: Session | undefined) => void): () => void
  /** Asks the client something, through `send`, and waits for its response, whichever process that reaches. Throws VALIDATION_QUESTION on a deadline. */
  ask(session: Session, question: Question, send: (message: string) => void, signal: AbortSignal): Promise<ClientResponse>
  /** A response that the client sent; one that nobody waits for is passed over. */
  answer(session: Session, id: RequestId, response: ClientResponse): Promise<void>
  /** `notifications/cancelled`: whoever works on that request is told, on any process. */
  cancel(session: Session, requestId: RequestId): Promise<void>
  onCancel(session: Session, requestId: RequestId, run: () => void): () => void
  /** What a stream says, kept so that it can be resumed (MCP 2025-11-25 transports §Resumability and Redelivery). */
  openStream(session: Session): StreamLog
  /** The rest of a stream behind an event; `undefined` when nothing is known of it. */
  resume(session: Session, lastEventId: string): ResumedStream | undefined
}

/** A request of a server to its client: `elicitation/create`, and where policy lets it `sampling/createMessage`, `roots/list`. */
export interface Question {
  readonly method: string
  readonly params: JsonObject
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
