import type { Clock } from '../core/clock.ts'
import { Refusal } from '../core/errors.ts'
import type { Report } from '../core/facts.ts'
import type { Intent, Ticket } from '../core/model.ts'
import { createAddressDigest, createDigests } from './digest.ts'
import { quote } from './escape.ts'
import type { Metrics } from './metrics.ts'
import { callText, endingOf, measure, recordHead, requestRecord, traceEnding } from './outcome.ts'
import { createRecordParts, mapText, type RecordParts } from './record.ts'
import { createRecordIds } from './record-id.ts'
import { type Opening, RequestTrace, type TraceDesk } from './request-trace.ts'
import { type Sink, SinkUnavailable } from './sink.ts'
import type { Telemetry } from './telemetry.ts'

export interface AuditSettings {
  readonly sink: Sink
  /** The process's secret; digest keys are derived from it. */
  readonly digestKey: Buffer
  readonly clock: Clock
  /** A side effect that cannot be recorded first is not made. */
  readonly required: boolean
  readonly metrics: Metrics
  readonly telemetry?: Telemetry | undefined
  readonly version: string
}

export function createAuditRoom(settings: AuditSettings) {
  const { sink, clock, required, metrics, telemetry, version } = settings
  const digests = createDigests(settings.digestKey)
  const addressDigest = createAddressDigest(digests)
  const parts = createRecordParts(digests)
  const nextId = createRecordIds()
  const isoTime = createIsoTime()
  let toldLost = 0

  const emitEvent: Report = (name, facts) => {
    const nowMs = clock.now()
    sink.write(`${recordHead('event', isoTime(nowMs), nextId(nowMs))},"event":${quote(name)},"detail":${mapText(facts)}}`)
  }
  /** A gap in the trail is itself recorded, as soon as something can be. */
  const tellLost = (): void => {
    const lost = sink.lost()
    if (lost === toldLost || sink.problem() !== undefined) return
    emitEvent('records_lost', { count: lost - toldLost })
    toldLost = lost
  }
  metrics.watchAudit(() => ({ depth: sink.depth(), lost: sink.lost() }))

  const desk: TraceDesk = {
    clock,
    telemetry,
    finish(trace, closing) {
      const ending = endingOf(trace, closing)
      if (telemetry !== undefined) traceEnding(telemetry, ending, shownId(trace, digests))
      sink.write(requestRecord(parts, ending, isoTime(trace.openedAtMs), addressDigest(trace.opening.address), digests.keyId))
      measure(metrics, ending)
      tellLost()
    },
  }

  async function intendEffect(ticket: Ticket, trace: RequestTrace): Promise<Intent> {
    const nowMs = clock.now()
    const line = intentRecord(parts, ticket, trace, recordHead('intent', isoTime(nowMs), nextId(nowMs)), digests.keyId)
    try {
      await sink.writeDurably(line)
    } catch (error) {
      const reason = error instanceof SinkUnavailable ? error.message : 'error'
      if (required) throw new Refusal('AUDIT_UNAVAILABLE', { notProcessed: true, retryAfterMs: 1_000 }, { reason }, { cause: error })
    }
    return makeIntent(ticket, trace.recordId)
  }

  emitEvent('started', { version })
  return {
    begin(opening: Opening) {
      const nowMs = clock.now()
      return new RequestTrace(desk, nextId(nowMs), nowMs, opening)
    },
    intend(ticket: Ticket, trace: { readonly recordId: string }): Promise<Intent> {
      if (ticket.admission.checked.grant.effect === 'read') return Promise.resolve(makeIntent(ticket, trace.recordId))
      return intendEffect(ticket, ownTrace(trace))
    },
    event: emitEvent,
    problem: () => sink.problem(),
    async close(): Promise<void> {
      emitEvent('stopped', { version })
      await sink.close()
    },
  }
}

/** The one maker of an `Intent`. */
function makeIntent(ticket: Ticket, recordId: string): Intent {
  return { ticket, recordId } as Intent
}

function ownTrace(trace: object): RequestTrace {
  if (trace instanceof RequestTrace) return trace
  throw new TypeError('This trace was not made by begin().')
}

function intentRecord(parts: RecordParts, { admission }: Ticket, trace: RequestTrace, head: string, keyId: string): string {
  const { grant } = admission.checked
  return `${head},"request":"${trace.recordId}"${parts.who(grant.principal)}${parts.item(grant.item)},"revision":${quote(grant.revision)}${parts.decision(
    grant,
  )}${parts.limit(admission)}${callText(parts, trace, admission.checked)},"keyId":"${keyId}"}`
}

/** Numbers as they are; a text is the caller's and is shown as a keyed digest. */
function shownId({ requestId }: RequestTrace, digests: { of(purpose: 'id', text: string): string }): string | undefined {
  return typeof requestId === 'string' ? digests.of('id', requestId) : requestId?.toString()
}

/** Many requests begin in the same millisecond. */
function createIsoTime(): (epochMs: number) => string {
  let lastMs = NaN
  let text = ''
  return epochMs => {
    if (epochMs !== lastMs) {
      lastMs = epochMs
      text = new Date(epochMs).toISOString()
    }
    return text
  }
}
