import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createPrometheus, type Prometheus } from '../../src/audit/index.ts'
import { Refusal } from '../../src/core/errors.ts'
import type { Answer, Intent } from '../../src/core/model.ts'
import { createMemoryTrail, faultsOf } from '../support/audit-trail.ts'
import { begin, type CallOptions, callMessage, createTestAudit, runCall } from './desk.ts'
import { answerTo, errorTo, principalOf, productsOf } from './products.ts'
import { recordSpans } from './spans.ts'

const CANARY = 'CANARY-5up3r53cr37'
const secret = (where: string): string => `${CANARY}-${where}`

/** The metrics as text, without a socket. */
function metricsText(prometheus: Prometheus): Promise<string> {
  return new Promise(resolve => {
    prometheus.handle({} as never, { setHeader() {}, end: resolve } as never)
  })
}

const principal = principalOf({ claims: { token: secret('claim'), nested: { deep: secret('claim') } }, identity: secret('identity') })
const args = { password: secret('argument'), list: [secret('argument')], shown: 'visible', [secret('key')]: 1 }
const products = () => {
  const made = productsOf({ principal, args, keep: ['/shown', '/list'], key: secret('idempotency-key') })
  Object.assign(made.grant.call, { meta: { token: secret('meta') }, headers: new Map([['authorization', [secret('header')]]]) })
  return made
}
const message = callMessage({ id: secret('id'), traceparent: secret('traceparent'), tracestate: `v=${secret('tracestate')}` })

const ways: readonly (readonly [string, CallOptions])[] = [
  ['a result', { message, answer: intent => answerTo(intent, { content: [{ type: 'text', text: secret('result') }] }) }],
  ['a tool error', { message, isError: true, answer: intent => answerTo(intent, { isError: true, text: secret('result') }) }],
  ['an upstream error', { message, answer: intent => errorTo(intent, -32000, secret('error message')) }],
  ['a thrown error', { message, answer: () => Promise.reject(Object.assign(new Error(secret('message')), { token: secret('property') })) }],
  ['a thrown text', { message, answer: () => Promise.reject(secret('thrown')) }],
  ['a renamed error', { message, answer: () => Promise.reject(Object.assign(new Error('x'), { name: secret('name') })) }],
  ['a refusal with a cause', { message, answer: () => refuse(new Error(secret('cause'))) }],
  ['a withheld result', { message, withheld: 'VALIDATION_RESULT', answer: (intent: Intent) => answerTo(intent, { x: secret('result') }) }],
]
const refuse = (cause: Error): Promise<Answer> => Promise.reject(new Refusal('UPSTREAM_INVALID', {}, { reason: 'shape' }, { cause }))

describe('A-116: secrets planted everywhere are nowhere in the evidence', () => {
  it.each(ways)('after %s', async (_, options) => {
    const trail = createMemoryTrail()
    const spans = recordSpans({ trustCallerTrace: true })
    const prometheus = createPrometheus('1')
    const audit = createTestAudit({ sink: trail.sink, telemetry: spans.telemetry, meters: [prometheus.meter] })
    await runCall(audit, products(), options)
    const evidence = [
      ...trail.sink.lines,
      ...spans
        .spans()
        .map(({ name, attributes, events, links, status }) => inspect({ name, attributes, events, links, status }, { depth: null })),
      await metricsText(prometheus),
    ].join('\n')
    expect(evidence).not.toContain(CANARY)
    expect(evidence).toContain('visible')
    expect(spans.spans().length).toBeGreaterThan(5)
    for (const record of trail.records()) expect(faultsOf(record)).toEqual([])
    await prometheus.close()
  })

  it('and the name of an unknown tool, line feed and all, stays in one record and out of spans and metrics', async () => {
    const trail = createMemoryTrail()
    const spans = recordSpans()
    const prometheus = createPrometheus('1')
    const audit = createTestAudit({ sink: trail.sink, telemetry: spans.telemetry, meters: [prometheus.meter] })
    const trace = begin(audit)
    trace.message(callMessage({ exposedName: `${CANARY}\n{"level":"info"}`, method: `tools/${CANARY}`, protocolVersion: CANARY }))
    trace.fail(new Refusal('CATALOG_UNKNOWN_TOOL', { name: CANARY }))
    trace.close({ status: 200, bytes: 1, cancelled: false })
    expect(trail.requests()).toHaveLength(1)
    expect(
      inspect(
        spans.spans().map(({ name, attributes }) => ({ name, attributes })),
        { depth: null },
      ),
    ).not.toContain(CANARY)
    expect(await metricsText(prometheus)).not.toContain(CANARY)
    await prometheus.close()
  })
})
