/**
 * The products: what each step of the corridor takes and returns. Read this file first.
 *
 * A product is proof. `Principal` can only come from auth/, `Grant` only from policy/, and so on: the brand is a type that
 * only the maker casts to (a test greps for any other cast), so steps in the wrong order do not compile.
 *
 *   Principal → Grant → CheckedCall → Admission → Ticket → Intent → Answer → CheckedAnswer
 *   auth        policy  validation    limits      idempotency  audit  upstream  validation
 */
import type { Effect, ToolPolicy } from './configuration.ts'
import type { Json, JsonObject } from './json.ts'

declare const madeBy: unique symbol
type MadeBy<Room extends string> = { readonly [madeBy]: Room }

/** JSON-RPC id (MCP 2026-07-28 basic §Requests): a string of at most 256 characters, or a safe integer. */
export type RequestId = string | number

/** The identity a request acts under: one verified access token, or an endpoint's configured anonymous principal. */
export interface PrincipalFacts {
  readonly issuer: string
  readonly subject: string
  readonly clientId: string | undefined
  readonly tenant: string | undefined
  readonly scopes: ReadonlySet<string>
  readonly claims: JsonObject
  readonly anonymous: boolean
  /** Epoch milliseconds after which the token must not be honoured any more. */
  readonly expiresAtMs: number
  /** Injective text of issuer, subject, client id and tenant; only ever used under a keyed hash. */
  readonly identity: string
}
export type Principal = PrincipalFacts & MadeBy<'auth'>

/** One argument that the tool's pinned schema mirrors into a `Mcp-Param-*` header. */
export interface ParamHeader {
  /** The name portion as the descriptor spells it: `Region` of `Mcp-Param-Region`. */
  readonly name: string
  /** Chain of `properties` keys from the schema's root to the annotated property. */
  readonly path: readonly string[]
  readonly type: 'string' | 'integer' | 'boolean' | 'number'
}

/** A tool whose descriptor a person approved and whose live descriptor is still the same. Made by catalog/ only. */
export interface ApprovedToolFacts {
  readonly alias: string
  readonly upstreamName: string
  readonly exposedName: string
  /** `p1:` and 64 hex digits: the digest the approval binds to. */
  readonly pin: string
  /** The approved descriptor, under the upstream's own name. */
  readonly descriptor: JsonObject
  /** The descriptor as callers receive it, already JSON text, under the exposed name. */
  readonly listing: string
  readonly paramHeaders: readonly ParamHeader[]
}
export type ApprovedTool = ApprovedToolFacts & MadeBy<'catalog'>

/** Every header of the request that MCP or this gateway gives a meaning: lower-case name → each value as received, in order. */
export type CallHeaders = ReadonlyMap<string, readonly string[]>

/** RFC 5424 severities, least first (MCP 2026-07-28 server/utilities/logging §Log Levels). */
export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error' | 'critical' | 'alert' | 'emergency'

/** What a request says of itself in `params._meta` (MCP 2026-07-28 basic §_meta), checked. */
export interface RequestMeta {
  readonly protocolVersion: string
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

/** A well-formed `tools/call`: envelope, `_meta` and standard headers agree. Nothing is known of the tool yet. */
export interface ToolCall {
  readonly id: RequestId
  /** As the caller said it: an exposed name. */
  readonly name: string
  readonly arguments: JsonObject
  /** The bytes of `params.arguments` as received, decoded; `{}` when absent. This text is what is forwarded. */
  readonly argumentsText: string
  readonly meta: RequestMeta
  readonly headers: CallHeaders
}

/** A positive policy decision about one call. */
export interface GrantFacts {
  readonly principal: Principal
  readonly tool: ApprovedTool
  readonly call: ToolCall
  readonly effect: Effect
  /** Address of the rule that allowed it: `tools/github.yaml#/tools/create_issue/allow/0`. */
  readonly rule: string
  readonly policy: ToolPolicy
  /** Digest of the policy revision that decided. */
  readonly revision: string
}
export type Grant = GrantFacts & MadeBy<'policy'>

/** Arguments fit the pinned schema and the `Mcp-Param-*` headers agree with them. */
export interface CheckedCallFacts {
  readonly grant: Grant
  /** RFC 8785 text of the arguments, for keyed digests and fingerprints. */
  readonly canonicalArguments: string
  /** `Mcp-Param-*` for the upstream, regenerated from the checked arguments. */
  readonly paramHeaders: readonly (readonly [name: string, value: string])[]
}
export type CheckedCall = CheckedCallFacts & MadeBy<'validation'>

/** What a limit said of this call; `undefined` where policy sets none. */
export interface LimitState {
  /** Name of the limit for people and records, without any caller's text: `tools/github.yaml#/tools/create_issue/limit`. */
  readonly address: string
  readonly remaining: number
  readonly resetMs: number
  /** True while the store is lost and a local share of the limit is used instead. */
  readonly degraded: boolean
}
export interface AdmissionFacts {
  readonly checked: CheckedCall
  readonly limit: LimitState | undefined
}
export type Admission = AdmissionFacts & MadeBy<'limits'>

export type EffectStatus = 'none' | 'not_started' | 'committed' | 'unknown'

/** Permission to run the effect once. `record` is absent for a call without an idempotency key. */
export interface TicketFacts {
  readonly admission: Admission
  readonly record: { readonly key: string; readonly fence: number } | undefined
  /** Makes the outcome `dispatched`, durably. upstream/ awaits it before the first byte leaves. */
  readonly dispatch: () => Promise<void>
}
export type Ticket = TicketFacts & MadeBy<'idempotency'>

/** The audit trail says that this call is about to happen; only such a call can be sent. */
export interface IntentFacts {
  readonly ticket: Ticket
  readonly recordId: string
}
export type Intent = IntentFacts & MadeBy<'audit'>

/** The caller's side of a call in flight: where notifications go, and whether the caller is still there. */
export interface CallerStream {
  /** True once the caller's connection is closed. */
  readonly gone: boolean
  /** Runs `run` once, when the caller leaves; at once if it already has. One listener: a later call replaces the earlier. */
  onGone(run: () => void): void
  /** Turns the answer into an event stream now: status and headers are flushed. Idempotent. */
  open(): void
  /** Sends one JSON-RPC notification; resolves when the caller can take more. */
  notify(message: string): Promise<void> | void
}

/** JSON text of a result without its braces, `_meta` apart, so that it can be completed without re-serialization. */
export interface ResultText {
  /** `"content":[…],"isError":false`: every member but `_meta`, as the upstream wrote it. May be empty. */
  readonly members: string
  /** Members of `_meta` that travel on, as text without braces. May be empty. */
  readonly meta: string
}

/** What an upstream answered: one JSON-RPC response that belongs to this call. */
export interface AnswerFacts {
  readonly intent: Intent
  readonly answer: UpstreamResult | UpstreamError
  /** Size of that response as it came, without the notifications before it. */
  readonly bytes: number
}
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
}
export type Answer = AnswerFacts & MadeBy<'upstream'>

/** An answer that may be shown to the caller. */
export interface CheckedAnswerFacts {
  readonly answer: UpstreamResult | UpstreamError
  readonly isError: boolean
  /** Why the upstream's own answer was replaced by a notice; the call ran all the same. */
  readonly withheld: 'VALIDATION_RESULT' | undefined
  /** How the upstream's answer differs from what was approved, withheld or not (`result.schema: warn`): paths the schema names, no values. */
  readonly mismatch?: string
}
export type CheckedAnswer = CheckedAnswerFacts & MadeBy<'validation'>

/** How a call ended, for the caller and for the record. */
export interface Settled {
  readonly outcome: CheckedAnswerFacts
  readonly effect: EffectStatus
  /** True when the upstream was not asked: an earlier call with this key already ran. */
  readonly replayed: boolean
}
