/**
 * The products: what each step of the corridor takes and returns. Read this file first.
 *
 * A product is proof. `Principal` can only come from auth/, `Grant` only from policy/, and so on: the brand is a type that
 * only the maker casts to (a test greps for any other cast), so steps in the wrong order do not compile.
 *
 *   Principal → Grant → CheckedCall → ResumedCall → Admission → Ticket → Intent → Answer → CheckedAnswer → SealedAnswer
 *   auth        policy  validation    state         limits      idempotency  audit  upstream  validation   state
 */
import type { Effect, ItemPolicy } from './configuration.ts'
import type { JsonObject } from './json.ts'
import type { Call } from './request.ts'
import type { UpstreamAnswer } from './upstream-answer.ts'

export type * from './request.ts'
export type * from './upstream-answer.ts'

declare const madeBy: unique symbol
type MadeBy<Room extends string> = { readonly [madeBy]: Room }

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

/** What an upstream offers, by the list that shows it. */
export type ItemKind = 'tool' | 'prompt' | 'resource' | 'resourceTemplate'

/**
 * Something of an upstream that may be offered: its descriptor was approved by a person and the live one is still the same. The
 * exception is a resource that no list names (`listed: false`): it has no descriptor, and policy decides whether such may be read.
 * Made by catalog/ only.
 */
export interface ApprovedItemFacts {
  readonly kind: ItemKind
  readonly alias: string
  /** Whose credential shows it, and is sent with a call of it: `shared`, or the principal class it is for. */
  readonly variant: string
  /** What the upstream calls it: a name; the URI of a resource; the URI template of a template, whatever URI was asked for. */
  readonly upstreamName: string
  /** What callers of this endpoint call it, in the same form. */
  readonly exposedName: string
  /** What stands before a URI of this upstream at this endpoint: `docs+`; empty where names are the upstream's own. */
  readonly uriPrefix: string
  /** `p1:` and 64 hex digits: the digest the approval binds to. Empty for what no list names. */
  readonly pin: string
  readonly listed: boolean
  /** The approved descriptor, under the upstream's own name; `{}` for what no list names. */
  readonly descriptor: JsonObject
  /** The descriptor as callers receive it, already JSON text, under the exposed name. */
  readonly listing: string
  /** Of a tool; empty for everything else. */
  readonly paramHeaders: readonly ParamHeader[]
}
export type ApprovedItem = ApprovedItemFacts & MadeBy<'catalog'>

/** A positive policy decision about one call. */
export interface GrantFacts {
  readonly principal: Principal
  readonly item: ApprovedItem
  readonly call: Call
  readonly effect: Effect
  /** Address of the rule that allowed it: `tools/github.yaml#/tools/create_issue/allow/0`. */
  readonly rule: string
  readonly policy: ItemPolicy
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

/** One leg of a request that an upstream answers with questions first. */
export interface Leg {
  /** 1 for the first retry. */
  readonly number: number
  /** The upstream's own state, as it gave it; `undefined` when it gave none. */
  readonly innerState: string | undefined
  /** Of the state that was sent back: it works once where there is an effect. */
  readonly jti: string
  readonly expiresAtMs: number
  /** The call was begun, and waits at its server; this leg goes on with it. */
  readonly held?: HeldLeg
}

/** The record that a held call was begun under, where it had a key: it stays begun until the last leg, whatever key that brings. */
export interface HeldLeg {
  readonly record: { readonly key: string; readonly fence: number } | undefined
}

/** What a caller sent back belongs to this caller, this target and these arguments. */
export interface ResumedCallFacts {
  readonly checked: CheckedCall
  /** `undefined` for a first request, and for one that repeats answers without a state. */
  readonly leg: Leg | undefined
}
export type ResumedCall = ResumedCallFacts & MadeBy<'state'>

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
  readonly leg: Leg | undefined
  readonly limit: LimitState | undefined
}
export type Admission = AdmissionFacts & MadeBy<'limits'>

/** `in_progress`: the upstream asked a question first, or goes on with it as a task. */
export type EffectStatus = 'none' | 'not_started' | 'in_progress' | 'committed' | 'unknown'

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
  /** False for a caller that accepts no event stream: then `open` and `notify` do nothing. */
  readonly canStream: boolean
  /** Runs `run` once, when the caller leaves; at once if it already has. One listener: a later call replaces the earlier. */
  onGone(run: () => void): void
  /** Turns the answer into an event stream now: status and headers are flushed. Idempotent. */
  open(): void
  /** Sends one JSON-RPC notification; resolves when the caller can take more. */
  notify(message: string): Promise<void> | void
}

/** What an upstream answered: one JSON-RPC response that belongs to this call. */
export interface AnswerFacts {
  readonly intent: Intent
  readonly answer: UpstreamAnswer
  /** Size of that response as it came, without the notifications before it. */
  readonly bytes: number
}
export type Answer = AnswerFacts & MadeBy<'upstream'>

/** An answer that may be shown to the caller. */
export interface CheckedAnswerFacts {
  readonly answer: UpstreamAnswer
  readonly isError: boolean
  /** Why the upstream's own answer was replaced by a notice; the call ran all the same. */
  readonly withheld: 'VALIDATION_RESULT' | undefined
  /** How the upstream's answer differs from what was approved, withheld or not (`result.schema: warn`): paths the schema names, no values. */
  readonly mismatch?: string
  /** How many links were replaced by a word that says so, where there were some. */
  readonly linksWithheld?: number
  /** How many hidden or control characters the upstream's answer has, where it has some; whatever policy made of them. */
  readonly hiddenCharacters?: number
  /** How many bytes of its texts were left out, where some were. */
  readonly truncatedBytes?: number
}
export type CheckedAnswer = CheckedAnswerFacts & MadeBy<'validation'>

/** An answer in which nothing is left that only the upstream may see again unchanged. */
export type SealedAnswer = CheckedAnswerFacts & MadeBy<'state'>

/** How a call ended, for the caller and for the record. */
export interface Settled {
  readonly outcome: CheckedAnswerFacts
  readonly effect: EffectStatus
  /** True when the upstream was not asked: an earlier call with this key already ran. */
  readonly replayed: boolean
}
