import { type Attributes, isSpanContextValid } from '@opentelemetry/api'
import { Refusal } from '../core/errors.ts'
import { type Conclusion, conclude } from './conclusion.ts'
import { quote } from './escape.ts'
import { RECORD_VERSION } from './fields.ts'
import type { Metrics } from './metrics.ts'
import { ATTR, knownHttpMethod, knownVersion, OTHER, targetOf } from './names.ts'
import { mapText, type RecordParts } from './record.ts'
import { type Closing, type RequestTrace, upstreamErrorType } from './request-trace.ts'
import { STEP_NAMES, stepMs } from './steps.ts'
import type { Telemetry } from './telemetry.ts'
import { parseTraceparent } from './trace-context.ts'

export function recordHead(kind: 'request' | 'intent' | 'event', time: string, id: string): string {
  return `{"v":${RECORD_VERSION},"kind":"${kind}","time":"${time}","id":"${id}"`
}

interface Ending {
  readonly trace: RequestTrace
  readonly closing: Closing
  readonly conclusion: Conclusion
  readonly totalMs: number
}

export function endingOf(trace: RequestTrace, closing: Closing): Ending {
  return { trace, closing, conclusion: conclude(trace, closing.status, closing.cancelled), totalMs: trace.elapsedMs() }
}

/** The record of a request: the parts that are known already, then what this one request adds. */
export function requestRecord(parts: RecordParts, ending: Ending, time: string, address: string, keyId: string): string {
  const { trace, closing, conclusion, totalMs } = ending
  const { products, opening } = trace
  const principal = products.auth ?? products.policy?.principal
  const { catalog: item, policy: grant, validation: checked, limits: admission } = products
  let text = recordHead('request', time, trace.recordId)
  text += `,"outcome":"${conclusion.outcome}"`
  if (principal !== undefined) text += parts.who(principal)
  if (opening.endpoint !== undefined) text += parts.endpoint(opening.endpoint)
  text += `,"httpMethod":"${knownHttpMethod(opening.httpMethod)}","address":"${address}"`
  if (trace.method !== undefined) text += `,"method":"${trace.method}"`
  const revision = revisionOf(trace)
  if (revision !== undefined) text += `,"protocolVersion":"${revision}"`
  if (products.sessions !== undefined) text += `,"session":"${products.sessions.name}"`
  if (trace.requestId !== undefined) text += parts.requestId(trace.requestId)
  if (item !== undefined) text += parts.item(item)
  else if (trace.exposedName !== undefined) text += `,"exposedName":${quote(trace.exposedName)}`
  text += `,"revision":${quote(opening.revision)}`
  if (conclusion.detail !== undefined) text += `,"detail":${mapText(conclusion.detail)}`
  if (grant !== undefined) text += parts.decision(grant)
  if (admission !== undefined) text += parts.limit(admission)
  if (checked !== undefined) text += callText(parts, trace, checked)
  text += `,"keyId":"${keyId}"`
  if (conclusion.idempotency !== undefined) text += `,"idempotency":"${conclusion.idempotency}"`
  if (conclusion.withheld !== undefined) text += `,"withheld":"${conclusion.withheld}"`
  if (conclusion.shown !== undefined) text += parts.found(conclusion.shown)
  if (conclusion.effectStatus !== undefined) text += `,"effectStatus":"${conclusion.effectStatus}"`
  if (conclusion.resultType !== undefined) text += `,"resultType":"${conclusion.resultType}"`
  if (conclusion.upstreamErrorCode !== undefined) text += `,"upstreamErrorCode":${conclusion.upstreamErrorCode}`
  if (products.upstream !== undefined) text += `,"upstreamBytes":${products.upstream.bytes}`
  text += `,"status":${closing.status},"bytes":${closing.bytes},"cancelled":${closing.cancelled}`
  text += `,"latencyUs":${latencyText(trace, totalMs)}`
  const traceId = trace.server?.spanContext()
  if (traceId !== undefined && isSpanContextValid(traceId)) text += `,"traceId":"${traceId.traceId}"`
  const caller = parseTraceparent(trace.traceparentText)
  if (caller !== undefined) text += `,"callerTraceId":"${caller.traceId}"`
  return `${text}}`
}

/** Digest and kept fields are written once for the intent and the outcome. */
export function callText(parts: RecordParts, trace: RequestTrace, checked: Parameters<RecordParts['call']>[0]): string {
  if (trace.callText?.of !== checked) trace.callText = { of: checked, text: parts.call(checked) }
  return trace.callText.text
}

function latencyText(trace: RequestTrace, totalMs: number): string {
  let text = `{"total":${Math.round(totalMs * 1000)}`
  for (const step of STEP_NAMES) {
    const tookMs = stepMs(trace.times, step)
    if (tookMs >= 0) text += `,"${step}":${Math.round(tookMs * 1000)}`
  }
  return `${text}}`
}

/** `_OTHER`, as the conventions say, until a message is known to be of a method we have. */
function methodOf(trace: RequestTrace): string {
  return trace.method ?? OTHER
}

/** The message's own word, or else what its session agreed on; GET and DELETE bring no message. */
function revisionOf({ protocolVersion, products, error }: RequestTrace): string | undefined {
  return protocolVersion ?? products.sessions?.protocolVersion ?? refusedRevision(error)
}

/** The protocol version for which a message was refused: its own, or that of its session. */
function refusedRevision(error: unknown): string | undefined {
  if (!(error instanceof Refusal)) return undefined
  const version = error.code === 'SESSION_UNKNOWN' ? error.detail.protocolVersion : error.open.requested
  return typeof version === 'string' ? knownVersion(version) : undefined
}

export function measure(metrics: Metrics, { trace, conclusion, totalMs }: Ending): void {
  const upstreamMs = stepMs(trace.times, 'upstream')
  metrics.request({
    method: methodOf(trace),
    protocolVersion: revisionOf(trace) ?? OTHER,
    alias: trace.products.catalog?.alias ?? OTHER,
    outcome: conclusion.withheld ?? conclusion.outcome,
    errorType: conclusion.errorType,
    durationMs: totalMs,
    upstreamMs: upstreamMs >= 0 ? upstreamMs : undefined,
    upstreamErrorType: upstreamMs >= 0 ? upstreamErrorType(trace) : undefined,
    reason: typeof conclusion.detail?.reason === 'string' ? conclusion.detail.reason : undefined,
    idempotency: conclusion.idempotency,
    isEffectUnknown: conclusion.effectStatus === 'unknown',
    isLimitDegraded: trace.products.limits?.limit?.degraded === true,
  })
}

/** Ends the SERVER span, which begins here when no message was ever read. */
export function traceEnding(telemetry: Telemetry, { trace, conclusion, totalMs }: Ending, requestId: string | undefined): void {
  const method = methodOf(trace)
  trace.server ??= telemetry.startServer(method, trace.openedAtMs, undefined, undefined)
  const { server, products } = trace
  telemetry.steps(server, trace.times, ms => trace.toEpochMs(ms))
  const target = targetOf(method, products.catalog)
  const attributes: Attributes = server.isRecording()
    ? {
        [ATTR.recordId]: trace.recordId,
        [ATTR.endpoint]: trace.opening.endpoint?.path,
        [ATTR.outcome]: conclusion.outcome,
        [ATTR.revision]: trace.opening.revision,
        [ATTR.protocolVersion]: revisionOf(trace),
        [ATTR.session]: products.sessions?.name,
        [ATTR.requestId]: requestId,
        ...target.attributes,
        [ATTR.upstream]: products.catalog?.alias,
        [ATTR.rule]: products.policy?.rule,
        [ATTR.rpcStatus]: conclusion.errorType?.startsWith('-') ? conclusion.errorType : undefined,
      }
    : {}
  telemetry.endServer(server, target.spanName, attributes, conclusion.errorType, trace.openedAtMs + totalMs)
}
