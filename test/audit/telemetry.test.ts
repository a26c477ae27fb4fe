import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { AlwaysOffSampler } from '@opentelemetry/sdk-trace'
import { describe, expect, it } from 'vitest'
import { parseTraceparent } from '../../src/audit/trace-context.ts'
import { Refusal } from '../../src/core/errors.ts'
import { createMemoryTrail } from '../support/audit-trail.ts'
import { begin, callMessage, createTestAudit, createTestClock, runCall } from './desk.ts'
import { answerTo, errorTo, productsOf } from './products.ts'
import { recordSpans, type SpanRecorder } from './spans.ts'

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${TRACE_ID}-00f067aa0ba902b7-01`

function open(spans: SpanRecorder) {
  const trail = createMemoryTrail()
  const clock = createTestClock()
  return { trail, clock, audit: createTestAudit({ sink: trail.sink, clock, telemetry: spans.telemetry }) }
}

describe('spans of a call', () => {
  it('are a SERVER span, a CLIENT span for the upstream and a child for each other step', async () => {
    const spans = recordSpans()
    const { audit, trail, clock } = open(spans)
    await runCall(audit, productsOf({}), {
      answer: intent => {
        clock.advance(40)
        return answerTo(intent, {})
      },
    })
    const server = spans.named('tools/call tickets__create')
    const client = spans.named('tools/call create')
    expect(server).toMatchObject({ kind: SpanKind.SERVER, parentSpanContext: undefined, duration: [0, 40_000_000], links: [] })
    expect(server.attributes).toEqual({
      'mcp.method.name': 'tools/call',
      'mcp.protocol.version': '2026-07-28',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'tickets__create',
      'jsonrpc.request.id': '1',
      'network.transport': 'tcp',
      'network.protocol.name': 'http',
      'wicketgate.record.id': trail.last().id,
      'wicketgate.endpoint': '/mcp',
      'wicketgate.outcome': 'OK',
      'wicketgate.upstream': 'tickets',
      'wicketgate.policy.rule': 'tools/tickets.yaml#/tools/create/allow/0',
      'wicketgate.policy.revision': '0123456789abcdef',
    })
    expect(client).toMatchObject({ kind: SpanKind.CLIENT, duration: [0, 40_000_000] })
    expect(client.attributes).toEqual({
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'create',
      'network.transport': 'tcp',
      'network.protocol.name': 'http',
      'server.address': 'tickets.example.com',
      'server.port': 8443,
      'wicketgate.upstream': 'tickets',
    })
    const children = spans.spans().filter(span => span.parentSpanContext?.spanId === server.spanContext().spanId)
    expect(children.map(span => span.name).sort()).toEqual(
      ['audit', 'auth', 'catalog', 'idempotency', 'limits', 'policy', 'result', 'tools/call create', 'validation'].sort(),
    )
    expect(trail.last().traceId).toBe(server.spanContext().traceId)
  })

  it('say of a process that it is spoken to through a pipe', async () => {
    const spans = recordSpans({ isProcess: true })
    await runCall(open(spans).audit, productsOf({}), { answer: intent => answerTo(intent, {}) })
    const { attributes } = spans.named('tools/call create')
    expect(attributes).toMatchObject({ 'network.transport': 'pipe' })
    expect(attributes).not.toHaveProperty('server.address')
    expect(attributes).not.toHaveProperty('network.protocol.name')
  })

  it('name the session by the name it has in the record', async () => {
    const spans = recordSpans()
    const { audit, trail } = open(spans)
    const trace = begin(audit)
    await trace.step('sessions', () => ({ name: 'a-name', protocolVersion: '2025-06-18' }))
    trace.message({ method: 'ping', id: 1, protocolVersion: '2025-06-18' })
    trace.close({ status: 200, bytes: 0, cancelled: false })
    expect(spans.named('ping').attributes).toMatchObject({ 'mcp.session.id': 'a-name', 'mcp.protocol.version': '2025-06-18' })
    expect(trail.last()).toMatchObject({ session: 'a-name', protocolVersion: '2025-06-18' })
  })

  it('give the upstream the CLIENT span as its parent', async () => {
    const spans = recordSpans()
    const { audit } = open(spans)
    const trace = begin(audit)
    trace.message(callMessage())
    let sent: string | undefined
    const upstream = trace.step('upstream', async () => {
      sent = trace.traceparent()
      throw new Refusal('UPSTREAM_TIMEOUT')
    })
    await expect(upstream).rejects.toThrow('UPSTREAM_TIMEOUT')
    trace.close({ status: 504, bytes: 0, cancelled: false })
    const client = spans.named('tools/call')
    expect(sent).toBe(`00-${client.spanContext().traceId}-${client.spanContext().spanId}-01`)
    expect(client.attributes['error.type']).toBe('UPSTREAM_TIMEOUT')
  })

  it.each([
    ['a refusal on the JSON-RPC level', () => Promise.reject(new Refusal('UPSTREAM_TIMEOUT')), '-32603', '-32603'],
    ['a refusal as a tool result', () => Promise.reject(new Refusal('LIMITS_EXCEEDED')), 'tool_error', undefined],
    ['an unforeseen error', () => Promise.reject(new Error('x')), '-32603', '-32603'],
    ['an error of the upstream', (intent: never) => errorTo(intent, -32602, 'no'), '-32602', '-32602'],
    ['an error of the upstream with a number of its own', (intent: never) => errorTo(intent, 123456, 'no'), '_OTHER', undefined],
  ])('carry the error of %s', async (_, answer, errorType, status) => {
    const spans = recordSpans()
    await runCall(open(spans).audit, productsOf({}), { answer: answer as never })
    const server = spans.named('tools/call tickets__create')
    expect(server.attributes['error.type']).toBe(errorType)
    expect(server.attributes['rpc.response.status_code']).toBe(status)
    expect(server.status.code).toBe(SpanStatusCode.ERROR)
  })

  it('exist for a request that was refused before its message was read', () => {
    const spans = recordSpans()
    const trace = begin(open(spans).audit)
    trace.fail(new Refusal('AUTH_TOKEN_MISSING'))
    trace.close({ status: 401, bytes: 0, cancelled: false })
    expect(spans.named('other').attributes).toMatchObject({ 'error.type': '401', 'wicketgate.outcome': 'AUTH_TOKEN_MISSING' })
  })

  it('do not exist without sampling, while the upstream still gets the context', async () => {
    const spans = recordSpans({ sampler: new AlwaysOffSampler() })
    const { audit } = open(spans)
    let sent: string | undefined
    const trace = begin(audit)
    trace.message(callMessage())
    const upstream = () =>
      trace.step('upstream', () => {
        sent = trace.traceparent()
        throw new Error('x')
      })
    expect(upstream).toThrow('x')
    trace.close({ status: 500, bytes: 0, cancelled: false })
    expect(sent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
    expect(spans.spans()).toEqual([])
  })

  it('do not exist when telemetry is off', () => {
    const trace = begin(createTestAudit({ sink: createMemoryTrail().sink }))
    trace.message(callMessage())
    expect(trace.traceparent()).toBeUndefined()
  })
})

describe("the caller's trace", () => {
  it('is linked, not trusted as parent', async () => {
    const spans = recordSpans()
    const { audit, trail } = open(spans)
    await runCall(audit, productsOf({}), { message: callMessage({ traceparent, tracestate: 'vendor=secret' }) })
    const server = spans.named('tools/call tickets__create')
    expect(server.parentSpanContext).toBeUndefined()
    expect(server.spanContext().traceId).not.toBe(TRACE_ID)
    expect(server.links).toMatchObject([{ context: { traceId: TRACE_ID, spanId: '00f067aa0ba902b7' } }])
    expect(server.links[0]?.context.traceState).toBeUndefined()
    expect(trail.last().callerTraceId).toBe(TRACE_ID)
  })

  it('is the parent when the operator trusts it', async () => {
    const spans = recordSpans({ trustCallerTrace: true })
    await runCall(open(spans).audit, productsOf({}), { message: callMessage({ traceparent, tracestate: 'vendor=1' }) })
    const server = spans.named('tools/call tickets__create')
    expect(server.parentSpanContext).toMatchObject({ traceId: TRACE_ID, spanId: '00f067aa0ba902b7', isRemote: true })
    expect(server.spanContext().traceState?.get('vendor')).toBe('1')
    expect(server.links).toEqual([])
  })

  it.each([
    ['an all-zero trace id', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
    ['an all-zero span id', `00-${TRACE_ID}-${'0'.repeat(16)}-01`],
    ['upper case', `00-${TRACE_ID.toUpperCase()}-00f067aa0ba902b7-01`],
    ['something behind it', `${traceparent}-x`],
    ['nothing', ''],
  ])('is ignored when it is malformed: %s', (_, text) => {
    expect(parseTraceparent(text)).toBeUndefined()
  })
})
