import { describe, expect, it } from 'vitest'
import { createMemoryTrail } from '../support/audit-trail.ts'
import { begin, createTestAudit, runCall } from './desk.ts'
import { answerTo, productsOf } from './products.ts'

describe('an intent', () => {
  it.each(['write', 'destructive'] as const)('of a %s is on the sink before the call is made', async effect => {
    const trail = createMemoryTrail()
    let seen: unknown[] = []
    await runCall(createTestAudit({ sink: trail.sink }), productsOf({ effect }), {
      answer: intent => {
        seen = trail.intents()
        return answerTo(intent, {})
      },
    })
    expect(seen).toMatchObject([{ kind: 'intent', request: trail.last().id, effect, rule: 'tools/tickets.yaml#/tools/create/allow/0' }])
  })

  it('of a read is not written; it only names the record', async () => {
    const trail = createMemoryTrail()
    const audit = createTestAudit({ sink: trail.sink })
    const trace = begin(audit)
    const { ticket } = productsOf({ effect: 'read' })
    expect(await audit.intend(ticket, trace)).toEqual({ ticket, recordId: trace.recordId })
    expect(trail.intents()).toEqual([])
  })

  it('A-114: that cannot be written refuses the side effect, and the upstream sees nothing', async () => {
    const trail = createMemoryTrail()
    const audit = createTestAudit({ sink: trail.sink })
    let calls = 0
    trail.sink.fail(true)
    const trace = begin(audit)
    const intent = audit.intend(productsOf({}).ticket, trace).then(() => {
      calls += 1
    })
    await expect(intent).rejects.toMatchObject({ code: 'AUDIT_UNAVAILABLE', open: { notProcessed: true }, detail: { reason: 'ENOSPC' } })
    expect(calls).toBe(0)
    expect(audit.problem()).toBeDefined()
  })

  it('A-114: reads pass while the sink fails', async () => {
    const trail = createMemoryTrail()
    const audit = createTestAudit({ sink: trail.sink })
    trail.sink.fail(true)
    expect(await runCall(audit, productsOf({ effect: 'read' }))).toMatchObject({ effect: 'committed' })
  })

  it('may be missing when the operator does not require it', async () => {
    const trail = createMemoryTrail()
    const audit = createTestAudit({ sink: trail.sink, required: false })
    trail.sink.fail(true)
    expect(await runCall(audit, productsOf({}))).toMatchObject({ effect: 'committed' })
  })
})

describe('records that were lost', () => {
  it('are counted in the trail as soon as it can be written again', async () => {
    const trail = createMemoryTrail()
    const audit = createTestAudit({ sink: trail.sink })
    trail.sink.fail(true)
    for (let count = 0; count < 3; count++) begin(audit).close({ status: 200, bytes: 0, cancelled: false })
    trail.sink.fail(false)
    begin(audit).close({ status: 200, bytes: 0, cancelled: false })
    expect(trail.records().at(-1)).toMatchObject({ event: 'records_lost', detail: { count: 3 } })
  })
})
