/**
 * What happened, without what was said.
 * Takes the facts of a request as its steps produce them; writes one record when it is over, and an intent before each side effect. Throws AUDIT_UNAVAILABLE.
 * Keeps a bounded queue to its sink, the metrics, and the names of everything that is shown to OpenTelemetry.
 * Never writes an argument, a result, a token or a key: keyed digests and the fields policy lists.
 */
import type { EndpointConfig } from '../core/configuration.ts'
import type {
  Admission,
  Answer,
  ApprovedTool,
  CheckedAnswer,
  CheckedCall,
  Grant,
  Intent,
  Principal,
  RequestId,
  Settled,
  Ticket,
} from '../core/model.ts'

/** Step name → what the step returns. A step's name is its room's name; validation is visited twice, the second time as `result`. */
export interface Steps {
  auth: Principal
  catalog: ApprovedTool
  policy: Grant
  validation: CheckedCall
  limits: Admission
  idempotency: Settled
  audit: Intent
  upstream: Answer
  result: CheckedAnswer
}

/** One request's record in the making: opened at the street door, filled by the steps, closed once whatever happens. */
export interface Trace {
  readonly recordId: string
  /** Runs one step, times it, notes its product or its refusal, and (when tracing is on) wraps it in a span. */
  step<Name extends keyof Steps>(name: Name, run: () => Steps[Name] | Promise<Steps[Name]>): Promise<Steps[Name]>
  /** What the message says of itself, once it is parsed: only known methods, ids by type and keyed digest. */
  message(facts: {
    readonly method: string
    readonly id: RequestId | undefined
    readonly protocolVersion: string | undefined
    readonly exposedName?: string
    readonly traceparent?: string | undefined
    readonly tracestate?: string | undefined
  }): void
  /** `traceparent` for the upstream hop, when tracing is on. */
  traceparent(): string | undefined
  /** Something failed: a Refusal's code and detail, or INTERNAL for anything else. */
  fail(error: unknown): void
  /** Writes the record. Further calls do nothing. */
  close(outcome: { readonly status: number; readonly bytes: number; readonly cancelled: boolean }): void
}

export interface Audit {
  /** `address` is the peer's; recorded as a keyed digest. */
  begin(facts: {
    readonly endpoint: EndpointConfig | undefined
    readonly httpMethod: string
    readonly address: string
    readonly revision: string
  }): Trace
  /** For a side effect, makes the intent durable first; for a read, only names the record. */
  intend(ticket: Ticket, trace: Trace): Promise<Intent>
  /** Pins, reloads and other things that are not requests. */
  event(name: string, facts: Readonly<Record<string, string | number | boolean>>): void
  /** True while the sink takes records. */
  healthy(): boolean
  close(): Promise<void>
}
