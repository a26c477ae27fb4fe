import { InMemorySpanExporter, type ReadableSpan, type Sampler, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { createTelemetry, type Telemetry } from '../../src/audit/index.ts'

export interface SpanRecorder {
  readonly telemetry: Telemetry
  spans(): ReadableSpan[]
  named(name: string): ReadableSpan
}

/** The real SDK with an exporter that keeps the spans. */
export function recordSpans(
  settings: { readonly trustCallerTrace?: boolean; readonly sampler?: Sampler; readonly isProcess?: boolean } = {},
): SpanRecorder {
  const exporter = new InMemorySpanExporter()
  const provider = new TracerProvider({
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
    ...(settings.sampler && { sampler: settings.sampler }),
  })
  const spans = (): ReadableSpan[] => exporter.getFinishedSpans()
  return {
    telemetry: createTelemetry({
      tracer: provider.getTracer('test'),
      trustCallerTrace: settings.trustCallerTrace ?? false,
      serverOf: alias =>
        settings.isProcess === true ? 'process' : alias === 'tickets' ? { host: 'tickets.example.com', port: 8443 } : undefined,
    }),
    spans,
    named(name) {
      const found = spans().find(span => span.name === name)
      if (found === undefined) throw new Error(`no span ${name} among ${spans().map(span => span.name)}`)
      return found
    },
  }
}
