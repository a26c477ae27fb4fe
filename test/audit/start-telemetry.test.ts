import { execFile } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { SpanKind } from '@opentelemetry/api'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTelemetry, startTelemetry } from '../../src/audit/index.ts'
import { createMemoryTrail } from '../support/audit-trail.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { createTestAudit, runCall } from './desk.ts'
import { productsOf } from './products.ts'

/** Takes what an OTLP exporter sends. */
let collector: Server
const received: { readonly path: string; readonly body: Buffer }[] = []
beforeAll(async () => {
  collector = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      received.push({ path: request.url ?? '', body: Buffer.concat(chunks) })
      response.end()
    })
  })
  await new Promise<void>(resolve => collector.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  vi.unstubAllEnvs()
  collector.close()
})

describe('telemetry', () => {
  it.each([
    ['nothing is configured', {}],
    ['only a name is configured', { OTEL_SERVICE_NAME: 'x' }],
    ['it is disabled', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' }],
  ])('is off when %s', async (_, env) => {
    expect(await startTelemetry({ version: '1', env })).toBeUndefined()
  })

  it.each([
    ['debug', {}],
    ['nonsense', { OTEL_PROPAGATORS: 'nonsense', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'localhost:4318' }],
    ['none', { OTEL_CONFIG_FILE: '/nowhere.yaml' }],
  ])('with OTEL_LOG_LEVEL %s leaves stdout to the audit trail', async (level, more) => {
    const start = `import { startTelemetry } from './src/audit/index.ts'
      await (await startTelemetry({ version: '1', env: process.env }))?.shutdown(1)`
    const env = { OTEL_LOG_LEVEL: level, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', ...more }
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', start], { env })
    expect(stdout).toBe('')
    for (const line of stderr.split('\n').filter(Boolean)) expect(line).toMatch(/^OpenTelemetry \(http:\/\/127\.0\.0\.1:1\): ./)
    expect(stderr === '').toBe(level === 'debug')
  })

  it('says that a collector is gone once, in a plain line with its address and no password', async () => {
    const start = `import { startTelemetry } from './src/audit/index.ts'
      const sdk = await startTelemetry({ version: '1', env: process.env })
      sdk.meter.createCounter('x').add(1)
      await new Promise(resolve => setTimeout(resolve, 2_500))
      process.exit()`
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://user:pa55@127.0.0.1:1/path',
      OTEL_METRIC_EXPORT_INTERVAL: '500',
      OTEL_METRIC_EXPORT_TIMEOUT: '300',
    }
    const { stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', start], { env })
    expect(stderr).toMatch(/^OpenTelemetry \(http:\/\/127\.0\.0\.1:1\): .*metrics export timed out after 300ms\n$/)
  })

  it('sends spans to the configured collector without the command line, and never fails a request when it is gone', async () => {
    vi.stubEnv('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`)
    vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '10')
    const sdk = await startTelemetry({ version: '1.2.3', env: process.env })
    if (sdk === undefined) throw new Error('telemetry did not start')
    expect(sdk.meter).toBeUndefined()
    const telemetry = createTelemetry({ tracer: sdk.tracer, trustCallerTrace: false })
    const audit = createTestAudit({ sink: createMemoryTrail().sink, telemetry })
    await runCall(audit, productsOf({}))
    await eventuallyHolds(() => expect(received.map(({ path }) => path)).toContain('/v1/traces'))
    const sent = Buffer.concat(received.map(({ body }) => body)).toString('latin1')
    expect(sent).toContain('tools/call tickets__create')
    expect(sent).toContain('wicketgate')
    expect(sent).toContain('1.2.3')
    for (const fact of ['process.command', 'process.executable', 'host.name', process.argv[1]]) expect(sent).not.toContain(fact)

    collector.closeAllConnections()
    await new Promise(resolve => collector.close(resolve))
    for (let index = 0; index < 5_000; index++) sdk.tracer.startSpan('lost', { kind: SpanKind.SERVER }).end()
    expect(await runCall(audit, productsOf({}))).toBeDefined()
    await sdk.shutdown(50)
  })
})
