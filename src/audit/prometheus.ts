import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Meter } from '@opentelemetry/api'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { MeterProvider } from '@opentelemetry/sdk-metrics'

export interface Prometheus {
  readonly meter: Meter
  /** Answers with every metric in the text format; the operator's listener is its server. */
  handle(request: IncomingMessage, response: ServerResponse): void
  close(): Promise<void>
}

/** A meter of its own, apart from the SDK's global one, so that `/metrics` is there whether or not telemetry is configured. */
export function createPrometheus(version: string): Prometheus {
  const exporter = new PrometheusExporter({ preventServerStart: true, withoutScopeInfo: true, withoutTargetInfo: true })
  const provider = new MeterProvider({ readers: [exporter] })
  const meter = provider.getMeter('wicketgate', version)
  meter.createObservableGauge('wicketgate.build', { description: 'Always 1; the version that runs.' }).addCallback(result => {
    result.observe(1, { version })
  })
  return {
    meter,
    handle: (request, response) => exporter.getMetricsRequestHandler(request, response),
    close: () => provider.shutdown().catch(() => undefined),
  }
}
