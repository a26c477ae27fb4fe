import { setTimeout } from 'node:timers/promises'
import { DiagLogLevel, diag, type Meter, metrics, type Tracer, trace } from '@opentelemetry/api'
import { systemClock } from '../core/clock.ts'
import { escapeText } from './escape.ts'

export interface TelemetrySdk {
  readonly tracer: Tracer
  /** Present when metrics are pushed too. */
  readonly meter: Meter | undefined
  /** Sends what is left, for at most `maxMs`: a collector that is gone must not hold up the end of the process. */
  shutdown(maxMs?: number): Promise<void>
}

type Environment = Readonly<Record<string, string | undefined>>
function isSet(env: Environment, ...names: readonly string[]): boolean {
  return names.some(name => (env[name] ?? '') !== '')
}

/**
 * Starts the OpenTelemetry SDK as the standard `OTEL_*` variables or `OTEL_CONFIG_FILE` say; returns `undefined`, and loads
 * nothing, when they say nothing. Spans leave in batches from a bounded queue: a collector that is slow or gone costs no request.
 */
export async function startTelemetry(settings: { readonly version: string; readonly env: Environment }): Promise<TelemetrySdk | undefined> {
  const { version, env } = settings
  const byFile = isSet(env, 'OTEL_CONFIG_FILE')
  const toCollector = isSet(env, 'OTEL_EXPORTER_OTLP_ENDPOINT')
  const traces = toCollector || isSet(env, 'OTEL_TRACES_EXPORTER', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')
  const pushed = toCollector || isSet(env, 'OTEL_METRICS_EXPORTER', 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT')
  if (!(byFile || traces || pushed) || env.OTEL_SDK_DISABLED === 'true') return undefined

  const { startNodeSdk } = await import('@opentelemetry/sdk-node')
  diag.setLogger(createDiagLogger(env), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  const sdk = keepingLogger(() =>
    startNodeSdk({
      // Detectors would publish the command line, the user and the host.
      resourceDetectors: [],
      resourceAttributes: { ...serviceName(env), 'service.version': version },
      // An empty list switches a signal off; without it the SDK would send to localhost unasked.
      ...(traces ? {} : { spanProcessors: [] }),
      ...(pushed ? {} : { metricReaders: [] }),
      logRecordProcessors: [],
    }),
  )
  return {
    tracer: trace.getTracer('wicketgate', version),
    meter: byFile || pushed ? metrics.getMeter('wicketgate', version) : undefined,
    shutdown: (maxMs = 2_000) => Promise.race([sdk.shutdown().catch(() => undefined), setTimeout(maxMs, undefined, { ref: false })]),
  }
}

/** The service detector is off with the others: its variable is read here, and `OTEL_RESOURCE_ATTRIBUTES` keeps its say. */
function serviceName(env: Environment): Record<string, string> {
  if (env.OTEL_SERVICE_NAME) return { 'service.name': env.OTEL_SERVICE_NAME }
  return /(?:^|,)\s*service\.name=/.test(env.OTEL_RESOURCE_ATTRIBUTES ?? '') ? {} : { 'service.name': 'wicketgate' }
}

/** The SDK starts by putting a logger of its own in the place of ours: it writes to stdout, where the audit trail may be. */
function keepingLogger<Made>(make: () => Made): Made {
  const { setLogger } = diag
  diag.setLogger = () => false
  try {
    return make()
  } finally {
    diag.setLogger = setLogger
  }
}

const SAY_AGAIN_MS = 600_000
/** Of different complaints, so many at most are told in that time. */
const MAX_COMPLAINTS = 20

/** A collector that is gone is a complaint every few seconds; the same one is said every ten minutes. */
function createDiagLogger(env: Environment) {
  const where = collectors(env)
  const saidMs = new Map<string, number>()
  const write = (message: string): void => {
    const nowMs = systemClock.monotonicMs()
    for (const [text, atMs] of saidMs) if (nowMs - atMs > SAY_AGAIN_MS) saidMs.delete(text)
    if (saidMs.has(message) || saidMs.size >= MAX_COMPLAINTS) return
    saidMs.set(message, nowMs)
    process.stderr.write(`OpenTelemetry${where}: ${escapeText(message)}\n`)
  }
  const silent = (): void => undefined
  return { error: write, warn: write, info: silent, debug: silent, verbose: silent }
}

/** Without user, path and query, where a key may be. */
function collectors(env: Environment): string {
  const set = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT']
  const origins = new Set(set.flatMap(name => URL.parse(env[name] ?? '')?.origin ?? []))
  // That of `localhost:4317`, whose scheme is missing.
  origins.delete('null')
  return origins.size === 0 ? '' : ` (${[...origins].join(', ')})`
}
