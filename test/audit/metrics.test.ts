import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createMetrics, createPrometheus, type Metrics, type Prometheus } from '../../src/audit/index.ts'
import type { RequestMeasures } from '../../src/audit/metrics.ts'
import { DURATION_BUCKETS_S } from '../../src/audit/names.ts'
import { Refusal } from '../../src/core/errors.ts'
import { createMemoryTrail } from '../support/audit-trail.ts'
import { begin, callMessage, createTestAudit, createTestClock, runCall } from './desk.ts'
import { answerTo, productsOf } from './products.ts'

const opened: Prometheus[] = []
afterEach(() => Promise.all(opened.splice(0).map(prometheus => prometheus.close())))

function openPrometheus(): Prometheus {
  const prometheus = createPrometheus('1.2.3')
  opened.push(prometheus)
  return prometheus
}

/** The text over a real socket. */
async function scrape(prometheus: Prometheus): Promise<string> {
  const server = createServer((request, response) => prometheus.handle(request, response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const text = await new Promise<string>((resolve, reject) => {
    get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false }, response => {
      let body = ''
      response.on('data', chunk => {
        body += String(chunk)
      })
      response.on('end', () => resolve(body))
    }).on('error', reject)
  })
  await new Promise(resolve => server.close(resolve))
  return text
}

const measures = (facts: Partial<RequestMeasures> = {}): RequestMeasures => ({
  method: 'tools/call',
  protocolVersion: '2026-07-28',
  alias: 'tickets',
  outcome: 'OK',
  errorType: undefined,
  durationMs: 15,
  upstreamMs: undefined,
  upstreamErrorType: undefined,
  reason: undefined,
  idempotency: undefined,
  isEffectUnknown: false,
  isLimitDegraded: false,
  ...facts,
})

async function textAfter(act: (metrics: Metrics) => void): Promise<string> {
  const prometheus = openPrometheus()
  act(createMetrics([prometheus.meter]))
  return scrape(prometheus)
}

describe('metrics', () => {
  it("measure both hops with the convention's buckets, in seconds", async () => {
    const prometheus = openPrometheus()
    const clock = createTestClock()
    const audit = createTestAudit({ sink: createMemoryTrail().sink, clock, meters: [prometheus.meter] })
    await runCall(audit, productsOf({}), {
      answer: intent => {
        clock.advance(15)
        return answerTo(intent, {})
      },
    })
    const text = await scrape(prometheus)
    const labels =
      'mcp_method_name="tools/call",mcp_protocol_version="2026-07-28",wicketgate_upstream="tickets",gen_ai_operation_name="execute_tool"'
    for (const name of ['mcp_server_operation_duration', 'mcp_client_operation_duration']) {
      expect(text).toContain(`${name}_sum{${labels}} 0.015`)
      expect(text).toContain(`${name}_bucket{${labels},le="0.01"} 0`)
      expect(text).toContain(`${name}_bucket{${labels},le="0.02"} 1`)
      const bounds = [...text.matchAll(new RegExp(`${name}_bucket\\{[^}]*le="([^"]+)"`, 'g'))].map(([, bound]) => bound)
      expect(bounds).toEqual([...DURATION_BUCKETS_S.map(String), '+Inf'])
    }
  })

  it.each([
    [
      'decisions',
      measures({ outcome: 'POLICY_REFUSED' }),
      'wicketgate_decisions_total{wicketgate_outcome="POLICY_REFUSED",wicketgate_upstream="tickets"} 1',
    ],
    [
      'authentication failures',
      measures({ outcome: 'AUTH_TOKEN_INVALID', reason: 'expired' }),
      'wicketgate_auth_failures_total{wicketgate_outcome="AUTH_TOKEN_INVALID",wicketgate_reason="expired"} 1',
    ],
    [
      'a reason that is not a word',
      measures({ outcome: 'AUTH_TOKEN_INVALID', reason: 'eyJ.secret token' }),
      'wicketgate_auth_failures_total{wicketgate_outcome="AUTH_TOKEN_INVALID",wicketgate_reason="other"} 1',
    ],
    [
      'limit refusals',
      measures({ outcome: 'LIMITS_EXCEEDED' }),
      'wicketgate_limits_refusals_total{wicketgate_outcome="LIMITS_EXCEEDED",wicketgate_upstream="tickets"} 1',
    ],
    ['degraded limits', measures({ isLimitDegraded: true }), 'wicketgate_limits_degraded_total{wicketgate_upstream="tickets"} 1'],
    [
      'idempotency decisions',
      measures({ idempotency: 'replay' }),
      'wicketgate_idempotency_decisions_total{wicketgate_decision="replay",wicketgate_upstream="tickets"} 1',
    ],
    ['unknown effects', measures({ isEffectUnknown: true }), 'wicketgate_effects_unknown_total{wicketgate_upstream="tickets"} 1'],
  ])('count %s', async (_, facts, line) => {
    expect((await textAfter(metrics => metrics.request(facts))).split('\n')).toContain(line)
  })

  it('show what other rooms say when they are read', async () => {
    const text = await textAfter(metrics => {
      metrics.watchUpstreams(
        () => [
          { alias: 'tickets', variant: 'shared', approved: 3, pending: 2, drifted: 1, rejected: 5, missing: 0, stale: 4 },
          { alias: 'tickets', variant: 'acme', approved: 7, pending: 0, drifted: 0, rejected: 0, missing: 0, stale: 0 },
        ],
        () => [
          { alias: 'tickets', variant: 'shared', era: 'legacy', sessions: 7 },
          { alias: 'tickets', variant: 'acme', era: 'modern', sessions: 0 },
          { alias: 'away', variant: 'shared', era: undefined, sessions: 0 },
        ],
      )
      metrics.watchStore(() => true)
      metrics.watchAudit(() => ({ depth: 12, lost: 4 }))
      metrics.streamOpened()
      metrics.streamOpened()
      metrics.streamClosed()
      metrics.storeError('take')
      metrics.reload(true, 30)
      metrics.reload(false, 10)
    })
    expect(text).not.toContain('away')
    expect(text.split('\n')).toEqual(
      expect.arrayContaining([
        'wicketgate_build{version="1.2.3"} 1',
        'wicketgate_catalog_descriptors{wicketgate_upstream="tickets",wicketgate_state="pending"} 2',
        'wicketgate_catalog_descriptors{wicketgate_upstream="tickets",wicketgate_variant="acme",wicketgate_state="approved"} 7',
        'wicketgate_catalog_descriptors{wicketgate_upstream="tickets",wicketgate_state="drifted"} 1',
        'wicketgate_catalog_descriptors{wicketgate_upstream="tickets",wicketgate_state="rejected"} 5',
        'wicketgate_catalog_descriptors{wicketgate_upstream="tickets",wicketgate_state="stale"} 4',
        'wicketgate_upstream_era{wicketgate_upstream="tickets",wicketgate_era="legacy"} 1',
        'wicketgate_upstream_era{wicketgate_upstream="tickets",wicketgate_variant="acme",wicketgate_era="modern"} 1',
        'wicketgate_upstream_sessions{wicketgate_upstream="tickets"} 7',
        'wicketgate_store_degraded 1',
        'wicketgate_audit_queue 12',
        'wicketgate_audit_lost 4',
        'wicketgate_streams_open 1',
        'wicketgate_store_errors_total{wicketgate_store_verb="take"} 1',
        'wicketgate_policy_reloads_total{wicketgate_result="ok"} 1',
        'wicketgate_policy_reloads_total{wicketgate_result="failed"} 1',
        'wicketgate_policy_reload_time_sum{wicketgate_result="ok"} 0.03',
      ]),
    )
  })

  it('have as many series after a thousand strange requests as after one', async () => {
    const series = async (count: number): Promise<number> => {
      const prometheus = openPrometheus()
      const audit = createTestAudit({ sink: createMemoryTrail().sink, meters: [prometheus.meter] })
      for (let index = 0; index < count; index++) {
        const trace = begin(audit)
        trace.message(callMessage({ method: `m/${index}`, protocolVersion: `v${index}`, exposedName: `t${index}`, id: `id${index}` }))
        trace.fail(new Refusal('AUTH_TOKEN_INVALID', {}, { reason: `strange reason ${index}` }))
        trace.close({ status: 401, bytes: 0, cancelled: false })
      }
      return (await scrape(prometheus)).split('\n').length
    }
    expect(await series(1_000)).toBe(await series(1))
  })

  it('stop growing when a label takes ever new values', async () => {
    const text = await textAfter(metrics => {
      for (let index = 0; index < 5_000; index++) metrics.storeError(`verb${index}`)
    })
    const lines = text.split('\n').filter(line => line.startsWith('wicketgate_store_errors_total{'))
    expect(lines.length).toBe(1_901)
    expect(lines).toContain('wicketgate_store_errors_total{wicketgate_store_verb="other"} 3100')
  })
})
