import { createTraceState, type SpanContext } from '@opentelemetry/api'

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/
const MAX_TRACESTATE = 512

/** A caller's `traceparent` (W3C Trace Context §3.2, version 00), or `undefined` when it is absent or malformed. */
export function parseTraceparent(traceparent: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = (traceparent !== undefined && TRACEPARENT.exec(traceparent)) || []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
}

export function formatTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-0${traceFlags & 1}`
}

/** The caller's vendor state; only for a trusted parent, because it is free text that would travel into our traces. */
export function withTracestate(context: SpanContext, tracestate: string | undefined): SpanContext {
  if (tracestate === undefined || tracestate.length > MAX_TRACESTATE) return context
  return { ...context, traceState: createTraceState(tracestate) }
}
