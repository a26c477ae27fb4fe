/**
 * What happened, without what was said.
 * Takes the facts of a request as its steps produce them; writes one record when it is over, and an intent before each side effect. Throws AUDIT_UNAVAILABLE.
 * Keeps a bounded queue to its sink, the metrics, and the names of everything that is shown to OpenTelemetry.
 * Never writes an argument, a result, a token or a key: keyed digests and the fields policy lists.
 */
import type { Report } from '../core/facts.ts'
import type { Intent, Ticket } from '../core/model.ts'
import { type AuditSettings, createAuditRoom } from './create-audit.ts'
import type { Closing, MessageFacts, Opening } from './request-trace.ts'
import type { Steps } from './steps.ts'

export { createFileSink, type FileSinkSettings } from './file-sink.ts'
export { createMemorySink, type MemorySink } from './memory-sink.ts'
export { createMetrics, type Metrics } from './metrics.ts'
export { createPrometheus, type Prometheus } from './prometheus.ts'
export type { Sink } from './sink.ts'
export { startTelemetry, type TelemetrySdk } from './start-telemetry.ts'
export type { Steps } from './steps.ts'
export { createStreamSink } from './stream-sink.ts'
export { createTelemetry, type Telemetry } from './telemetry.ts'

/** One request's record in the making: opened at the street door, filled by the steps, closed once whatever happens. */
export interface Trace {
  readonly recordId: string
  /** Runs one step, times it, notes its product or its refusal, and (when tracing is on) wraps it in a span. */
  step<Name extends keyof Steps, Made extends Steps[Name]>(name: Name, run: () => Made | Promise<Made>): Made | Promise<Made>
  /** What the message says of itself, once it is parsed: only known methods, ids by type and keyed digest. */
  message(facts: MessageFacts): void
  /** `traceparent` for the upstream hop, when tracing is on. */
  traceparent(): string | undefined
  /** Something failed: a Refusal's code and detail, or INTERNAL for anything else. */
  fail(error: unknown): void
  /** Writes the record. Further calls do nothing. */
  close(outcome: Closing): void
}

export interface Audit {
  /** `address` is the peer's; recorded as a keyed digest. */
  begin(facts: Opening): Trace
  /** For a side effect, makes the intent durable first; for a read, only names the record. */
  intend(ticket: Ticket, trace: Trace): Promise<Intent>
  /** Pins, reloads and other things that are not requests. */
  readonly event: Report
  /** Where records cannot be written, and why, while the sink takes none. */
  problem(): string | undefined
  close(): Promise<void>
}

/** Makes the room. The trail's first record says which version started, its last that it stopped. */
export function createAudit(settings: AuditSettings): Audit {
  return createAuditRoom(settings)
}
