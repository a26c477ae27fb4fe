import type { Attributes, Meter } from '@opentelemetry/api'
import { variantFact } from '../core/variant.ts'
import { ATTR, DURATION_BUCKETS_S, METRIC, OTHER } from './names.ts'
import { createTotal } from './totals.ts'

/** What the metrics need of a finished request: every text from a table or from the configuration. */
export interface RequestMeasures {
  readonly method: string
  readonly protocolVersion: string
  readonly alias: string
  readonly outcome: string
  readonly errorType: string | undefined
  readonly durationMs: number
  /** `undefined` when no upstream was asked. */
  readonly upstreamMs: number | undefined
  readonly upstreamErrorType: string | undefined
  readonly reason: string | undefined
  readonly idempotency: string | undefined
  readonly isEffectUnknown: boolean
  readonly isLimitDegraded: boolean
}

/** Descriptors of one variant of an upstream by state, as the catalog counts them. */
interface UpstreamCounts {
  readonly alias: string
  readonly variant: string
  readonly approved: number
  readonly pending: number
  readonly drifted: number
  readonly rejected: number
  readonly missing: number
  /** Some of the approved ones, counted again. */
  readonly stale: number
}

/** What one variant of an upstream speaks, and how many sessions it keeps for us. */
interface UpstreamEra {
  readonly alias: string
  readonly variant: string
  readonly era: string | undefined
  readonly sessions: number
}

export interface Metrics {
  request(measures: RequestMeasures): void
  reload(isOk: boolean, tookMs: number): void
  storeError(verb: string): void
  streamOpened(): void
  streamClosed(): void
  /** Read at each collection; given later because those rooms are made later. */
  watchUpstreams(states: () => readonly UpstreamCounts[], eras: () => readonly UpstreamEra[]): void
  watchStore(isDegraded: () => boolean): void
  watchAudit(state: () => { readonly depth: number; readonly lost: number }): void
}

function whose({ alias, variant: name }: { readonly alias: string; readonly variant: string }): Attributes {
  const { variant } = variantFact(name)
  return { [ATTR.upstream]: alias, ...(variant !== undefined && { [ATTR.variant]: variant }) }
}

const STATES = ['approved', 'pending', 'drifted', 'rejected', 'missing', 'stale'] as const
/** A reason is a word of ours; anything longer or stranger would be somebody's text. */
const REASON = /^[a-z][a-z0-9_.-]{0,39}$/i

export function createMetrics(meters: readonly Meter[]): Metrics {
  const duration = (name: string, description: string) => {
    const options = { description, unit: 's', advice: { explicitBucketBoundaries: [...DURATION_BUCKETS_S] } }
    const histograms = meters.map(meter => meter.createHistogram(name, options))
    return (seconds: number, attributes: Attributes): void => {
      for (const histogram of histograms) histogram.record(seconds, attributes)
    }
  }
  const total = createTotal.bind(undefined, meters)
  const gauge = (name: string, description: string, read: (observe: (value: number, attributes?: Attributes) => void) => void): void => {
    for (const meter of meters) {
      meter
        .createObservableGauge(name, { description })
        .addCallback(result => read((value, attributes) => result.observe(value, attributes)))
    }
  }

  const serverDuration = duration(METRIC.serverDuration, 'MCP requests as the caller sees them.')
  const clientDuration = duration(METRIC.clientDuration, 'MCP requests to upstreams.')
  const reloadTime = duration(METRIC.reloadTime, 'Time to load a policy revision.')
  let states: () => readonly UpstreamCounts[] = () => []
  const aliases = (): readonly string[] => states().map(({ alias }) => alias)
  // Faults that one count of is worth an alert begin at 0.
  const faults = () => [OTHER, ...aliases()].map(alias => ['INTERNAL', alias] as const)
  const decisions = total(METRIC.decisions, 'Requests by outcome and upstream.', [ATTR.outcome, ATTR.upstream], faults)
  const authFailures = total(METRIC.authFailures, 'Refused authentications by reason.', [ATTR.outcome, ATTR.reason])
  const limitRefusals = total(METRIC.limitRefusals, 'Requests over a limit.', [ATTR.outcome, ATTR.upstream])
  const limitDegraded = total(METRIC.limitDegraded, 'Calls counted by a local share because the store was lost.', [ATTR.upstream])
  const idempotency = total(METRIC.idempotency, 'Idempotency decisions.', [ATTR.decision, ATTR.upstream])
  const effectsUnknown = total(METRIC.effectsUnknown, 'Side effects whose outcome is not known.', [ATTR.upstream], () =>
    aliases().map(alias => [alias]),
  )
  const storeErrors = total(METRIC.storeErrors, 'Store operations that failed.', [ATTR.storeVerb])
  const reloads = total(METRIC.reloads, 'Policy reloads by result.', [ATTR.result], () => [['ok'], ['failed']])

  let openStreams = 0
  let eras: () => readonly UpstreamEra[] = () => []
  let isStoreDegraded = (): boolean => false
  let auditState = (): { depth: number; lost: number } => ({ depth: 0, lost: 0 })
  gauge(METRIC.openStreams, 'Event streams that are open.', observe => observe(openStreams))
  gauge(METRIC.storeDegraded, '1 while the store does not answer.', observe => observe(isStoreDegraded() ? 1 : 0))
  gauge(METRIC.auditQueue, 'Bytes of audit records that wait to be written.', observe => observe(auditState().depth))
  gauge(METRIC.auditLost, 'Audit records let go since the start.', observe => observe(auditState().lost))
  gauge(METRIC.descriptors, 'Descriptors by upstream and state; those that are stale are approved, too.', observe => {
    for (const counts of states()) for (const state of STATES) observe(counts[state], { ...whose(counts), [ATTR.state]: state })
  })
  gauge(METRIC.upstreamEra, '1 for each upstream, under the era it speaks.', observe => {
    for (const each of eras()) if (each.era !== undefined) observe(1, { ...whose(each), [ATTR.era]: each.era })
  })
  gauge(METRIC.upstreamSessions, 'Sessions that upstreams with sessions keep for this process.', observe => {
    for (const each of eras()) if (each.era === 'legacy') observe(each.sessions, whose(each))
  })

  // `gen_ai.tool.name`, which the convention asks for, is left out: ten thousand tools would be as many histograms.
  const labels = new Map<string, Attributes>()
  const labelsOf = ({ method, protocolVersion, alias }: RequestMeasures, errorType: string | undefined): Attributes => {
    const key = `${method} ${protocolVersion} ${alias} ${errorType}`
    let found = labels.get(key)
    if (found === undefined) {
      found = { [ATTR.method]: method, [ATTR.protocolVersion]: protocolVersion, [ATTR.upstream]: alias }
      if (errorType !== undefined) found[ATTR.errorType] = errorType
      if (method === 'tools/call') found[ATTR.operation] = 'execute_tool'
      labels.set(key, found)
    }
    return found
  }

  return {
    request(measures) {
      if (meters.length === 0) return
      const { alias, outcome } = measures
      serverDuration(measures.durationMs / 1000, labelsOf(measures, measures.errorType))
      if (measures.upstreamMs !== undefined) clientDuration(measures.upstreamMs / 1000, labelsOf(measures, measures.upstreamErrorType))
      decisions.add(outcome, alias)
      if (outcome.startsWith('AUTH_')) authFailures.add(outcome, REASON.test(measures.reason ?? '') ? measures.reason : OTHER)
      if (outcome.startsWith('LIMITS_')) limitRefusals.add(outcome, alias)
      if (measures.isLimitDegraded) limitDegraded.add(alias)
      if (measures.idempotency !== undefined) idempotency.add(measures.idempotency, alias)
      if (measures.isEffectUnknown) effectsUnknown.add(alias)
    },
    reload(isOk, tookMs) {
      reloads.add(isOk ? 'ok' : 'failed')
      reloadTime(tookMs / 1000, { [ATTR.result]: isOk ? 'ok' : 'failed' })
    },
    storeError: verb => storeErrors.add(verb),
    streamOpened() {
      openStreams += 1
    },
    streamClosed() {
      openStreams -= 1
    },
    watchUpstreams(readStates, readEras) {
      states = readStates
      eras = readEras
    },
    watchStore(read) {
      isStoreDegraded = read
    },
    watchAudit(read) {
      auditState = read
    },
  }
}
