/**
 * Whose conversation is this?
 * Takes an `initialize`, returns a sealed session id; takes that id and a principal, returns the `Session`, or throws SESSION_UNKNOWN, STORE_UNAVAILABLE.
 * Keeps keys, and in the store what a session cannot carry itself: that it has ended, its log level, its subscriptions, what its streams have said.
 * Never decides what may be done: every request of a session is judged by its own token, as those without sessions are.
 */
import type { Clock } from '../core/clock.ts'
import type { EndpointConfig } from '../core/configuration.ts'
import type { LogLevel, Principal, RequestId } from '../core/model.ts'
import type { Hello } from '../mcp/index.ts'
import { type Sealer, type Store, type StoreKeys, StoreUnavailable } from '../store/index.ts'
import { createCancellation } from './cancellation.ts'
import { createQuestions } from './questions.ts'
import type { ClientResponse, Question, ResumedStream, Session, StreamLog } from './session.ts'
import { createSessionIds, type NewSession, unknown } from './session-id.ts'
import { createSessionRecords } from './session-record.ts'
import { createStreams } from './stream-log.ts'

export type { ClientResponse, Question, ResumedCall, ResumedNews, ResumedStream, Session, StreamLog } from './session.ts'

export interface Sessions {
  /** Costs no round trip: nothing is kept of it. */
  open(endpoint: EndpointConfig, principal: Principal, hello: Hello): NewSession
  /**
   * One round trip. One answer for an id that is expired, ended, another's, or none of ours (MCP 2025-11-25 transports §Session Management).
   * While the store is lost the id alone decides: whether its session has ended cannot be known, and no request is judged by it anyway.
   */
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
  /**
   * What the stream of a request says, kept so that it can be resumed (MCP 2025-11-25 transports §Resumability and Redelivery). `scopes`:
   * those of the token it was made with; whoever resumes it needs them too.
   */
  openStream(session: Session, requestId: RequestId, scopes: ReadonlySet<string>): StreamLog
  /** The rest of a stream behind an event; `undefined` for an id that this session was not given. */
  resume(session: Session, lastEventId: string): ResumedStream | undefined
  /** The id of an event on the session's own stream: it says what the client has seen by then, so that nothing of it need be kept. */
  newsId(session: Session, seen: string): string
  /** The client has the session's own stream here from now on; `run` when it opens another, on any process. Returns what lets go of it. */
  takeStream(session: Session, run: () => void): () => void
  /** Resolves when what streams said last is written down, soon in any case. Once every request is over. */
  settled(): Promise<void>
  /** Nothing is waited for any more. */
  close(): void
}

export interface SessionsOptions {
  /** The process's secret first, then those before it whose ids are still good. */
  readonly secrets: readonly Uint8Array[]
  readonly clock: Clock
  readonly store: Store
  readonly keys: StoreKeys
  readonly sealer: Sealer
}

export function createSessions({ secrets, clock, store, keys, sealer }: SessionsOptions): Sessions {
  const ids = createSessionIds(secrets, clock)
  const records = createSessionRecords({ store, keys, sealer, clock })
  const questions = createQuestions({ store, keys, sealer, clock, watchSession: records.watch })
  return {
    open: ids.write,
    async enter(endpoint, principal, id) {
      const facts = ids.read(endpoint, principal, id)
      const session = { ...facts, owner: keys.ownerOf(principal), logLevel: undefined, uris: [] }
      try {
        const now = await records.read(session)
        if (now === undefined) throw unknown('ended')
        return now
      } catch (error) {
        if (error instanceof StoreUnavailable) return session
        throw error
      }
    },
    end: records.end,
    setLevel: records.setLevel,
    subscribe: records.subscribe,
    unsubscribe: records.unsubscribe,
    watch: records.watch,
    ...createCancellation({ clock, store, keys }),
    ...createStreams({ store, keys, sealer, clock }),
    ask: questions.ask,
    answer: questions.answer,
    close: questions.close,
  }
}
