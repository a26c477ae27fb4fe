import type { JsonObject } from '../core/json.ts'
import type { LogLevel, RequestId, UpstreamAnswer } from '../core/model.ts'

/** One call under way at a legacy server, which may ask something before it answers (MCP 2025-11-25 client/elicitation). conversation.ts makes it. */
export interface RunningCall {
  /**
   * What comes next. Rejects when the call has failed, with a refusal that says what is certain about its effect. Asked for again only when
   * the last step was a question, and never twice at a time.
   */
  next(): Promise<CallStep>
  /** Answers a question of the server's. Rejects where the server cannot be reached with it. */
  respond(question: ServerQuestion, response: QuestionResponse): Promise<void>
  /** Who hears of its progress from now on; `undefined`: nobody, and it is passed over. */
  setAudience(audience: Audience | undefined): void
  /** While a person is asked, the server's silence is not its own: no time runs but the longest a stream may last. */
  hold(isHeld: boolean): void
  /** Tells a server that has it that nobody wants the answer any more (`notifications/cancelled`); `next` rejects. */
  cancel(): void
  /** Cancels after `delayMs` unless the call has ended by then; at once where the server does not have the call yet. */
  cancelIn(delayMs: number): void
}

export type CallStep = FinalStep | ServerQuestion

export interface FinalStep {
  readonly kind: 'answer'
  readonly answer: UpstreamAnswer
  /** Size of the response as it came. */
  readonly bytes: number
}

/** A request of the server's that belongs to this call with certainty. */
export interface ServerQuestion {
  readonly kind: 'question'
  readonly id: RequestId
  readonly method: string
  readonly params: JsonObject | undefined
}

/** `text`: JSON of the result. */
export type QuestionResponse =
  | { readonly kind: 'result'; readonly text: string }
  | { readonly kind: 'error'; readonly code: number; readonly message: string }

/** A caller that waits for the call: what it wants to hear of, and where. */
export interface Audience {
  readonly progressToken: RequestId | undefined
  readonly logLevel: LogLevel | undefined
  /** One JSON-RPC notification, as the caller may read it; resolves when it can take more. */
  notify(message: string): Promise<void> | void
}
