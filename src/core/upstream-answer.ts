/** What an upstream may answer, whoever asked. */
import type { JsonObject } from './json.ts'

/** JSON text of a result without its braces, `_meta` apart, so that it can be completed without re-serialization. */
export interface ResultText {
  /** `"content":[…],"isError":false`: every member but `_meta`, as the upstream wrote it. May be empty. */
  readonly members: string
  /** Members of `_meta` that travel on, as text without braces. May be empty. */
  readonly meta: string
}

export type UpstreamAnswer = UpstreamResult | UpstreamError | UpstreamQuestions | UpstreamTask

export interface UpstreamResult {
  readonly kind: 'result'
  readonly result: JsonObject
  readonly text: ResultText
}
export interface UpstreamError {
  readonly kind: 'error'
  readonly code: number
  readonly message: string
  /** JSON text of `error.data`, when there was one. */
  readonly dataText: string | undefined
  /** False where the code says that the server did not run the call: it could not read it, or knows no such method or tool. */
  readonly ran: boolean
  /** Of code -32021: the capabilities its client did not declare, those we know, as `ClientCapabilities` of the wire. */
  readonly requiredCapabilities?: JsonObject
}
/** `resultType: "input_required"`: not an outcome, but what the upstream wants to know first. */
export interface UpstreamQuestions {
  readonly kind: 'input_required'
  /** By the upstream's key; `{}` when it only wants to be asked again. */
  readonly inputRequests: JsonObject
  readonly requestState: string | undefined
  /** Members but `inputRequests` and `requestState`; once checked and sealed, with both. */
  readonly text: ResultText
  /** Of a legacy server's, whose call goes on meanwhile. */
  readonly held?: HeldCall
}

/** What is certain of the effect of a call that nobody came back for. */
export type HeldEnd = 'none' | 'not_started' | 'committed' | 'unknown'

/** A call of a legacy server that was begun, and waits with its request open until somebody brings the answer to its question. */
export interface HeldCall {
  /**
   * Nobody will: the server is told so, that it may not ask (`decline`) or that nobody answers (`cancel`). Resolves soon, with what is certain
   * by then; `undefined` where somebody has come, or it has ended already.
   */
  refuse(no: 'decline' | 'cancel'): Promise<HeldEnd | undefined>
  /** How it ended by itself, once it has; `undefined` when somebody came back for it and has its outcome. Never rejects. */
  readonly abandoned: Promise<HeldEnd | undefined>
}

/** `resultType: "task"` (SEP-2663): the upstream goes on with it; the caller asks again under the task's id. */
export interface UpstreamTask {
  readonly kind: 'task'
  readonly task: JsonObject
  readonly text: ResultText
}
