/** What a caller's request says, before anything is known of its target. */
import type { Json, JsonObject } from './json.ts'

/** JSON-RPC id (MCP 2026-07-28 basic §Requests): a string of at most 256 characters, or a safe integer. */
export type RequestId = string | number

/** Every header of the request that MCP or this gateway gives a meaning: lower-case name → each value as received, in order. */
export type CallHeaders = ReadonlyMap<string, readonly string[]>

/** RFC 5424 severities, least first (MCP 2026-07-28 server/utilities/logging §Log Levels). */
export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency'

/** Which questions of a server its client can answer (MCP 2026-07-28 schema §ClientCapabilities), and the extensions we know. */
export interface ClientCapabilities {
  readonly form: boolean
  readonly url: boolean
  readonly sampling: boolean
  /** Sub-capabilities of sampling: the model may be given tools, or context. */
  readonly samplingTools: boolean
  readonly samplingContext: boolean
  readonly roots: boolean
  /** `io.modelcontextprotocol/tasks` (SEP-2663). */
  readonly tasks: boolean
}

/** What a request says of itself in `params._meta` (MCP 2026-07-28 basic §_meta), checked. */
export interface RequestMeta {
  readonly protocolVersion: string
  readonly capabilities: ClientCapabilities
  /** The caller wants progress under this token. */
  readonly progressToken: RequestId | undefined
  readonly logLevel: LogLevel | undefined
  /** W3C trace context; ill-formed values are treated as absent. */
  readonly traceparent: string | undefined
  readonly tracestate: string | undefined
  /** `dev.wicketgate/idempotencyKey` as sent; idempotency/ judges it. */
  readonly idempotencyKey: Json | undefined
  /** Members of third parties, which travel on. */
  readonly carried: JsonObject
}

/** Methods whose requests go to one upstream and come back with its answer. */
export type CallMethod =
  | 'tools/call'
  | 'prompts/get'
  | 'resources/read'
  | 'completion/complete'
  | 'tasks/get'
  | 'tasks/update'
  | 'tasks/cancel'

/**
 * A well-formed request for one upstream: envelope, `_meta` and standard headers agree. Nothing is known of its target yet.
 * `arguments`, which policy and validation judge and digests cover, are for `tools/call` and `prompts/get` those of the request; for
 * `resources/read` empty (the URI is the target, see `argumentsOf`); for `completion/complete` the arguments known so far with the
 * one that is being completed among them; for tasks empty.
 */
export interface Call {
  readonly method: CallMethod
  readonly id: RequestId
  /** As the caller said it: an exposed name, an exposed URI, or (tasks) a sealed task id. */
  readonly name: string
  readonly arguments: JsonObject
  /**
   * What is forwarded of `params`, as the bytes received, decoded: for `tools/call` and `prompts/get` the value of `arguments` (`{}` when
   * absent); for `completion/complete` the members `argument` and `context`; for `tasks/update` the value of `inputResponses`; else empty.
   */
  readonly argumentsText: string
  readonly meta: RequestMeta
  readonly headers: CallHeaders
  /** What comes back of an upstream's questions (MCP 2026-07-28 basic/patterns/mrtr); `undefined` for a first request. */
  readonly resumption: Resumption | undefined
  /** Of a task request, once state/ has opened its id; the caller goes on seeing the sealed one. */
  readonly task: { readonly sealedId: string; readonly upstreamId: string } | undefined
}

export interface Resumption {
  /** JSON text of `inputResponses`, as received; `undefined` when absent. */
  readonly inputResponsesText: string | undefined
  readonly inputResponses: JsonObject | undefined
  /** Sealed by us; state/ opens it. */
  readonly requestState: string | undefined
  /** The gateway asked a legacy client itself, in the middle of its one request; it sent nothing of this. */
  readonly isOurs?: boolean
}
