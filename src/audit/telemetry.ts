import { type Attributes, type HrTime, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api'
import type { ApprovedItem } from '../core/model.ts'
import { ATTR, targetOf } from './names.ts'
import { STEP_NAMES, STEP_PLACE, type StepTimes } from './steps.ts'
import { parseTraceparent, withTracestate } from './trace-context.ts'

interface ServerAddress {
  readonly host: string
  readonly port: number
}

interface TelemetrySettings {
  readonly tracer: Tracer
  /** The caller's trace becomes our parent and its sampling decision ours; otherwise it is only linked. */
  readonly trustCallerTrace: boolean
  /** Where the upstream of an alias stands; `process`: it is one that is spoken to through its pipes. */
  readonly serverOf?: (alias: string) => ServerAddress | 'process' | undefined
}

/** Spans by hand, without an ambient context: what is not passed here cannot end up in a trace. Times are epoch milliseconds. */
export interface Telemetry {
  startServer(method: string, startMs: number, traceparent: string | undefined, tracestate: string | undefined): Span
  endServer(server: Span, name: string, attributes: Attributes, errorType: string | undefined, endMs: number): void
  startClient(server: Span, method: string, item: ApprovedItem | undefined, startMs: number): Span
  endClient(client: Span, errorType: string | undefined, endMs: number): void
  /** One child span for each step that ran, all at once when the request is over; upstream has its CLIENT span. */
  steps(server: Span, times: StepTimes, toEpochMs: (monotonicMs: number) => number): void
}

/** Exact to the microsecond, and never taken for a reading of the monotonic clock as a small number would be. */
function hrTime(epochMs: number): HrTime {
  return [Math.trunc(epochMs / 1000), Math.round((epochMs % 1000) * 1_000_000)]
}

const NETWORK: Attributes = { [ATTR.networkTransport]: 'tcp', [ATTR.networkProtocol]: 'http' }
const PIPE: Attributes = { [ATTR.networkTransport]: 'pipe' }

export function createTelemetry({ tracer, trustCallerTrace, serverOf }: TelemetrySettings): Telemetry {
  const end = (span: Span, errorType: string | undefined, endMs: number): void => {
    if (errorType !== undefined) {
      span.setAttribute(ATTR.errorType, errorType)
      span.setStatus({ code: SpanStatusCode.ERROR })
    }
    span.end(hrTime(endMs))
  }
  const addressOf = (alias: string | undefined): Attributes => {
    const server = alias === undefined ? undefined : serverOf?.(alias)
    if (server === 'process') return PIPE
    return server === undefined ? NETWORK : { ...NETWORK, [ATTR.serverAddress]: server.host, [ATTR.serverPort]: server.port }
  }

  return {
    startServer(method, startMs, traceparent, tracestate) {
      const caller = parseTraceparent(traceparent)
      const attributes = { ...NETWORK, [ATTR.method]: method }
      const options = { kind: SpanKind.SERVER, startTime: hrTime(startMs), attributes }
      if (caller === undefined) return tracer.startSpan(method, options, ROOT_CONTEXT)
      if (!trustCallerTrace) return tracer.startSpan(method, { ...options, links: [{ context: caller }] }, ROOT_CONTEXT)
      return tracer.startSpan(method, options, trace.setSpanContext(ROOT_CONTEXT, withTracestate(caller, tracestate)))
    },
    endServer(server, name, attributes, errorType, endMs) {
      if (server.isRecording()) server.updateName(name).setAttributes(attributes)
      end(server, errorType, endMs)
    },
    startClient(server, method, item, startMs) {
      const target = targetOf(method, item, item?.upstreamName)
      const attributes = server.isRecording()
        ? {
            ...addressOf(item?.alias),
            ...target.attributes,
            [ATTR.method]: method,
            [ATTR.upstream]: item?.alias,
          }
        : {}
      return tracer.startSpan(
        target.spanName,
        { kind: SpanKind.CLIENT, startTime: hrTime(startMs), attributes },
        trace.setSpan(ROOT_CONTEXT, server),
      )
    },
    endClient: end,
    steps(server, times, toEpochMs) {
      if (!server.isRecording()) return
      const parent = trace.setSpan(ROOT_CONTEXT, server)
      for (const step of STEP_NAMES) {
        const place = STEP_PLACE[step]
        const [startMs = NaN, endMs = NaN] = [times[place], times[place + 1]]
        if (step === 'upstream' || Number.isNaN(startMs) || Number.isNaN(endMs)) continue
        const options = { startTime: hrTime(toEpochMs(startMs)), attributes: { [ATTR.step]: step } }
        tracer.startSpan(step, options, parent).end(hrTime(toEpochMs(endMs)))
      }
    },
  }
}
