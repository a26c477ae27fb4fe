import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FIELDS } from '../../src/audit/fields.ts'
import { Refusal } from '../../src/core/errors.ts'
import { ExactNumber } from '../../src/core/json.ts'
import { createMemoryTrail, faultsOf } from '../support/audit-trail.ts'
import { begin, callMessage, createTestAudit, createTestClock, runCall, walk } from './desk.ts'
import { answerTo, checkedAnswer, errorTo, principalOf, productsOf, settledWith, tool } from './products.ts'

describe('the record of a request', () => {
  it('tells who, what, the decision and the end of a call that ran', async () => {
    const trail = createMemoryTrail()
    const clock = createTestClock()
    const audit = createTestAudit({ sink: trail.sink, clock })
    const limit = { address: 'tools/tickets.yaml#/tools/create/limit', remaining: 28.7, resetMs: 10, degraded: false }
    const products = productsOf({ args: { repo: 'acme/site', body: 'secret' }, keep: ['/repo'], limit, key: 'k' })
    await runCall(audit, products, {
      answer: intent => {
        clock.advance(12.5)
        return answerTo(intent, { content: [] }, 77)
      },
    })
    expect(trail.last()).toMatchObject({
      v: 1,
      kind: 'request',
      time: '2026-11-30T00:00:00.000Z',
      outcome: 'OK',
      issuer: 'https://login.example.com',
      subject: 'user-1',
      clientId: 'client-1',
      tenant: 'acme',
      anonymous: false,
      scopes: 'tickets:read tickets:write',
      endpoint: '/mcp',
      httpMethod: 'POST',
      method: 'tools/call',
      protocolVersion: '2026-07-28',
      requestId: 1,
      exposedName: 'tickets__create',
      alias: 'tickets',
      upstreamName: 'create',
      pin: tool.pin,
      revision: '0123456789abcdef',
      effect: 'write',
      rule: 'tools/tickets.yaml#/tools/create/allow/0',
      limit: limit.address,
      limitRemaining: 28,
      limitDegraded: false,
      idempotency: 'first',
      kept: { '/repo': 'acme/site' },
      effectStatus: 'committed',
      resultType: 'result',
      upstreamBytes: 77,
      status: 200,
      bytes: 321,
      cancelled: false,
      latencyUs: {
        total: 12500,
        auth: 0,
        catalog: 0,
        policy: 0,
        validation: 0,
        limits: 0,
        idempotency: 0,
        audit: 0,
        upstream: 12500,
        result: 0,
      },
    })
    expect(trail.intents()).toMatchObject([{ request: trail.last().id, alias: 'tickets', kept: { '/repo': 'acme/site' } }])
    expect(trail.intents()[0]?.argumentsDigest).toBe(trail.last().argumentsDigest)
  })

  it('exists for a request that never got past the door', () => {
    const trail = createMemoryTrail()
    const trace = createTestAudit({ sink: trail.sink }).begin({
      endpoint: undefined,
      httpMethod: 'BREW',
      address: '192.0.2.7',
      revision: 'r',
    })
    trace.fail(new Refusal('HTTP_HOST_REFUSED', {}, { reason: 'host' }))
    trace.close({ status: 403, bytes: 0, cancelled: false })
    expect(trail.last()).toMatchObject({ outcome: 'HTTP_HOST_REFUSED', httpMethod: 'other', detail: { reason: 'host' }, status: 403 })
    expect(trail.last()).not.toHaveProperty('endpoint')
    expect(trail.last()).not.toHaveProperty('subject')
  })

  it('is written once, however often it is closed', () => {
    const trail = createMemoryTrail()
    const trace = begin(createTestAudit({ sink: trail.sink }))
    trace.close({ status: 200, bytes: 1, cancelled: false })
    trace.close({ status: 500, bytes: 2, cancelled: true })
    expect(trail.requests()).toHaveLength(1)
    expect(trail.last()).toMatchObject({ status: 200, bytes: 1 })
  })

  it('waits for a side effect that goes on after its caller has left', async () => {
    const trail = createMemoryTrail()
    const audit = createTestAudit({ sink: trail.sink })
    const products = productsOf({})
    const trace = begin(audit)
    await walk(trace, products)
    const upstream = Promise.withResolvers<void>()
    const call = trace.step('idempotency', async () => {
      const intent = await trace.step('audit', () => audit.intend(products.ticket, trace))
      await upstream.promise
      return settledWith(checkedAnswer(answerTo(intent, {})))
    })
    await new Promise(setImmediate)
    trace.close({ status: 499, bytes: 0, cancelled: true })
    expect(trail.requests()).toHaveLength(0)
    upstream.resolve()
    await call
    await new Promise(setImmediate)
    expect(trail.last()).toMatchObject({ cancelled: true, outcome: 'OK', effectStatus: 'committed', resultType: 'result' })
  })

  it('does not miss the steps that follow the one in which the caller left', async () => {
    const trail = createMemoryTrail()
    const products = productsOf({})
    const trace = begin(createTestAudit({ sink: trail.sink }))
    await trace.step('catalog', () => tool)
    const limited = Promise.withResolvers<void>()
    const pipeline = (async () => {
      await trace.step('limits', async () => {
        await limited.promise
        return products.admission
      })
      await trace.step('idempotency', async () => {
        await new Promise(setImmediate)
        throw new Refusal('CALLER_GONE')
      })
    })()
    trace.close({ status: 499, bytes: 0, cancelled: true })
    limited.resolve()
    await expect(pipeline).rejects.toThrow()
    await new Promise(setImmediate)
    await new Promise(setImmediate)
    expect(trail.requests()).toMatchObject([{ outcome: 'CALLER_GONE', latencyUs: { idempotency: expect.anything() } }])
  })

  it.each([
    ['a name with a line feed and an object', 'x\n{"level":"info"}', 'x\\u{a}{"level":"info"}'],
    ['a name that turns the text around', 'a\u202Eb\u200B', 'a\\u{202e}b\\u{200b}'],
    ['a name that imitates an escape', 'a\\u{a}', 'a\\u{5c}u{a}'],
    ['a lone surrogate', 'a\uD800', 'a\\u{d800}'],
    ['a long name', 'n'.repeat(300), `${'n'.repeat(256)}…+44`],
  ])('A-116: shows %s escaped and capped', (_, name, shown) => {
    const trail = createMemoryTrail()
    const trace = begin(createTestAudit({ sink: trail.sink }))
    trace.message(callMessage({ exposedName: name }))
    trace.fail(new Refusal('CATALOG_UNKNOWN_TOOL', { name }))
    trace.close({ status: 200, bytes: 10, cancelled: false })
    expect(trail.last().exposedName).toBe(shown)
  })

  it('shows a text id as a keyed digest, and a method or version it does not know as other', () => {
    const trail = createMemoryTrail()
    const trace = begin(createTestAudit({ sink: trail.sink }))
    trace.message(callMessage({ id: 'my-secret-id', method: 'evil/method', protocolVersion: '1999-01-01' }))
    trace.close({ status: 200, bytes: 10, cancelled: false })
    expect(trail.last()).toMatchObject({ method: 'other', protocolVersion: 'other', requestId: expect.stringMatching(/^[\w-]{22}$/) })
  })

  it('keeps scalars that policy lists, and of everything else type, length and digest', async () => {
    const trail = createMemoryTrail()
    const args = {
      text: 'a\u0000b',
      flag: true,
      none: null,
      big: new ExactNumber('12345678901234567890'),
      list: ['x', 'y'],
      deep: { a: { b: 1 } },
      secret: 'not listed',
    }
    const keep = ['/text', '/flag', '/none', '/big', '/list', '/deep', '/deep/a/b', '/list/1', '/absent']
    await runCall(createTestAudit({ sink: trail.sink }), productsOf({ args, keep }))
    const digest = expect.stringMatching(/^[\w-]{22}$/)
    expect(trail.last().kept).toEqual({
      '/text': 'a\\u{0}b',
      '/flag': true,
      '/none': null,
      '/big': new ExactNumber('12345678901234567890'),
      '/list': { type: 'array', length: 2, digest },
      '/deep': { type: 'object', length: 1, digest },
      '/deep/a/b': 1,
      '/list/1': 'y',
    })
  })

  it('tells of an unexpected error its class and place in the code, not its message', async () => {
    const trail = createMemoryTrail()
    const audit = createTestAudit({ sink: trail.sink })
    await runCall(audit, productsOf({ effect: 'read' }), {
      answer: () => {
        throw new TypeError('secret text\n    at forged (evil.js:1:1)')
      },
    })
    expect(trail.last()).toMatchObject({
      outcome: 'INTERNAL',
      detail: { error: 'TypeError', at: expect.stringMatching(/^record\.test\.ts:\d+:\d+$/) },
    })
    expect(trail.sink.lines.join()).not.toMatch(/secret|forged|evil/)
  })
})

describe('the schema', () => {
  it('holds for every kind of record and every way a request ends', async () => {
    const trail = createMemoryTrail()
    const audit = createTestAudit({ sink: trail.sink })
    const limit = { address: 'a', remaining: 1, resetMs: 1, degraded: true }
    const leg = { number: 1, innerState: 'secret', jti: 'j', expiresAtMs: 0 }
    await runCall(audit, productsOf({ args: { a: [1] }, keep: ['/a'], limit, leg, key: 'k' }))
    await runCall(
      audit,
      productsOf({ effect: 'read', principal: principalOf({ clientId: undefined, tenant: undefined, anonymous: true }) }),
    )
    await runCall(audit, productsOf({ variant: 'acme' }), { isError: true })
    await runCall(audit, productsOf({}), {
      withheld: 'VALIDATION_RESULT',
      found: { mismatch: '\n- in /a:\n- /n must be a number\n- /m is required', linksWithheld: 1, hiddenCharacters: 2, truncatedBytes: 3 },
    })
    expect(trail.last()).toMatchObject({
      mismatch: 'in /a: /n must be a number; /m is required',
      linksWithheld: 1,
      hiddenCharacters: 2,
      truncatedBytes: 3,
    })
    await runCall(audit, productsOf({}), { answer: intent => errorTo(intent, -32602, 'no') })
    await runCall(audit, productsOf({}), {
      answer: () => Promise.reject(new Refusal('UPSTREAM_TIMEOUT', { effect: 'unknown' }, { alias: 'tickets', afterMs: 3, late: true })),
    })
    await runCall(audit, productsOf({}), {
      message: callMessage({ id: 'text', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }),
      answer: () => Promise.reject(new Error('x')),
    })
    const inSession = begin(audit)
    await inSession.step('sessions', () => ({ name: 'a-name', protocolVersion: '2025-11-25' }))
    inSession.close({ status: 404, bytes: 0, cancelled: true })
    audit.event('reload', { revision: 'r', ok: true, tookMs: 1.5, bad: Number.NaN })
    await audit.close()
    for (const record of trail.records()) expect(faultsOf(record), JSON.stringify(record)).toEqual([])
    const seen = new Set(trail.records().flatMap(record => Object.keys(record)))
    const never = Object.keys(FIELDS).filter(name => !seen.has(name) && name !== 'traceId')
    expect(never, 'fields of the table that no record of this test carries').toEqual([])
  })

  it('is what docs/audit.md describes, field by field', () => {
    const [fields = ''] = readFileSync(new URL('../../docs/audit.md', import.meta.url), 'utf8').split('\n## Events\n')
    const documented = fields.matchAll(/^\| `(\w+)` \|/gm)
    expect([...documented].map(([, name]) => name).sort()).toEqual(Object.keys(FIELDS).sort())
  })
})
