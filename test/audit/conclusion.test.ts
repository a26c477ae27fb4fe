import { describe, expect, it } from 'vitest'
import { type ErrorCode, Refusal } from '../../src/core/errors.ts'
import { createMemoryTrail } from '../support/audit-trail.ts'
import { begin, callMessage, createTestAudit, runCall, walk } from './desk.ts'
import { answerTo, checkedAnswer, errorTo, productsOf, settledWith } from './products.ts'

async function endOf(run: (audit: ReturnType<typeof createTestAudit>) => Promise<unknown> | unknown) {
  const trail = createMemoryTrail()
  await run(createTestAudit({ sink: trail.sink }))
  return trail.last()
}

describe('the status of a side effect', () => {
  it.each([
    ['not_started', 'write', new Refusal('UPSTREAM_UNREACHABLE', { notProcessed: true })],
    ['unknown', 'write', new Refusal('UPSTREAM_TIMEOUT')],
    ['unknown', 'destructive', new Error('anything')],
    ['committed', 'write', new Refusal('UPSTREAM_INVALID', { effect: 'committed' })],
    ['none', 'read', new Refusal('UPSTREAM_TIMEOUT')],
    ['not_started', 'read', new Refusal('UPSTREAM_UNREACHABLE', { notProcessed: true })],
  ] as const)('is %s when a %s fails at the upstream with %s', async (status, effect, error) => {
    const record = await endOf(audit => runCall(audit, productsOf({ effect }), { answer: () => Promise.reject(error) }))
    expect(record.effectStatus).toBe(status)
  })

  it.each(['read', 'write', 'destructive'] as const)('is not_started when a %s is refused behind policy', async effect => {
    const record = await endOf(async audit => {
      const trace = begin(audit)
      await walk(trace, productsOf({ effect }))
      trace.fail(new Refusal('LIMITS_EXCEEDED'))
      trace.close({ status: 200, bytes: 1, cancelled: false })
    })
    expect(record).toMatchObject({ outcome: 'LIMITS_EXCEEDED', effectStatus: 'not_started' })
  })

  it.each([
    ['not_started', 'a call', 'tools/call'],
    [undefined, 'a list', 'tools/list'],
    [undefined, 'a message that could not be read', undefined],
  ])('is %s when %s is refused before there is a tool', async (status, _, method) => {
    const record = await endOf(audit => {
      const trace = begin(audit)
      if (method !== undefined) trace.message(callMessage({ method }))
      trace.fail(new Refusal('CATALOG_UNKNOWN_TOOL'))
      trace.close({ status: 200, bytes: 1, cancelled: false })
    })
    expect(record.effectStatus).toBe(status)
  })
})

describe('the idempotency decision', () => {
  it.each([
    ['IDEMPOTENCY_BUSY', 'busy'],
    ['IDEMPOTENCY_MISMATCH', 'mismatch'],
    ['IDEMPOTENCY_UNKNOWN', 'unknown'],
    ['IDEMPOTENCY_KEY_REQUIRED', 'key_required'],
    ['IDEMPOTENCY_KEY_INVALID', 'key_invalid'],
  ] as const)('%s is recorded as %s', async (code: ErrorCode, decision) => {
    const record = await endOf(async audit => {
      const trace = begin(audit)
      await walk(trace, productsOf({}))
      await expect(trace.step('idempotency', () => Promise.reject(new Refusal(code)))).rejects.toThrow(code)
      trace.close({ status: 409, bytes: 1, cancelled: false })
    })
    expect(record).toMatchObject({ outcome: code, idempotency: decision })
  })

  it('is replay when an earlier answer was given again', async () => {
    const record = await endOf(async audit => {
      const trace = begin(audit)
      const products = productsOf({ key: 'k' })
      await walk(trace, products)
      const intent = await audit.intend(products.ticket, trace)
      await trace.step('idempotency', () => settledWith(checkedAnswer(answerTo(intent, {})), { replayed: true }))
      trace.close({ status: 200, bytes: 1, cancelled: false })
    })
    expect(record).toMatchObject({ outcome: 'OK', idempotency: 'replay' })
  })

  it.each([
    ['none', undefined],
    ['first', 'k'],
  ])('is %s for a call that ran with key %s', async (decision, key) => {
    const record = await endOf(audit => runCall(audit, productsOf(key === undefined ? {} : { key })))
    expect(record.idempotency).toBe(decision)
  })
})

describe('the outcome', () => {
  it('is that of the call when a step inside it failed and was dealt with', async () => {
    const record = await endOf(async audit => {
      const trace = begin(audit)
      const products = productsOf({})
      await walk(trace, products)
      const intent = await audit.intend(products.ticket, trace)
      await trace.step('idempotency', async () => {
        await expect(trace.step('upstream', () => Promise.reject(new Refusal('UPSTREAM_INVALID')))).rejects.toThrow('UPSTREAM_INVALID')
        return settledWith(checkedAnswer(answerTo(intent, {})))
      })
      trace.close({ status: 200, bytes: 1, cancelled: false })
    })
    expect(record.outcome).toBe('OK')
  })

  it('is INTERNAL for a status that nobody explained', async () => {
    expect((await endOf(audit => begin(audit).close({ status: 500, bytes: 0, cancelled: false }))).outcome).toBe('INTERNAL')
  })

  it('is CALLER_GONE when the caller left before there was an answer', async () => {
    expect((await endOf(audit => begin(audit).close({ status: 200, bytes: 0, cancelled: true }))).outcome).toBe('CALLER_GONE')
  })

  it('keeps a failed step apart from what the upstream itself said', async () => {
    const tool = await endOf(audit => runCall(audit, productsOf({}), { isError: true }))
    const rpc = await endOf(audit => runCall(audit, productsOf({}), { answer: intent => errorTo(intent, -32602, 'no') }))
    const withheld = await endOf(audit => runCall(audit, productsOf({}), { withheld: 'VALIDATION_RESULT' }))
    expect(tool).toMatchObject({ outcome: 'OK', resultType: 'isError' })
    expect(rpc).toMatchObject({ outcome: 'OK', resultType: 'error', upstreamErrorCode: -32602 })
    expect(withheld).toMatchObject({ outcome: 'OK', withheld: 'VALIDATION_RESULT' })
  })
})
