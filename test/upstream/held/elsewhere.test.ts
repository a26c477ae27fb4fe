import { afterEach, describe, expect, it } from 'vitest'
import { Refusal } from '../../../src/core/errors.ts'
import type { FinalStep } from '../../../src/upstream/running-call.ts'
import { KINDS, sleep, withStore } from '../../store/harness.ts'
import { eventuallyHolds } from '../../support/eventually.ts'
import { createCaller, type IntentShape, intentOf } from '../room.ts'
import { asks, done, type FakeCall, fakeCall, type Holding, legOf, openHeld, questionsOf, refusedBy } from './room.ts'

const MIB = 1_048_576

describe.each(KINDS)('a held call that is answered in another process, with messages in %s', kind => {
  const { subject } = withStore(kind)
  const opened: Holding[] = []
  const open = (limits = {}): Holding => {
    const holding = openHeld(subject().store, limits)
    opened.push(holding)
    return holding
  }
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(({ held }) => held.close()))
  })

  /** A call that waits in one process, and another process. */
  async function scene(call: FakeCall, shape: IntentShape = {}, limits = {}) {
    const [here, there] = [open(limits), open(limits)]
    const question = questionsOf(await here.held.follow(call, intentOf(shape), createCaller()))
    return { here, there, question }
  }

  it('goes on there, with its progress, and its end comes back', async () => {
    const call = fakeCall(asks())
    const { there, question } = await scene(call)
    const caller = createCaller()
    const meta = { progressToken: 'p', logLevel: 'info', capabilities: {}, carried: {} }
    const leg = legOf(question)
    Object.assign(leg.ticket.admission.checked.grant.call, { meta })
    const going = there.held.resume(leg, caller)
    await eventuallyHolds(() =>
      expect(call.responses).toMatchObject([{ kind: 'result', text: '{"action":"accept","content":{"city":"Bern"}}' }]),
    )
    expect(call.audience).toMatchObject({ progressToken: 'p', logLevel: 'info' })
    for (const notice of ['one', 'two']) {
      await call.audience?.notify(notice)
      await eventuallyHolds(() => expect(caller.heard.at(-1)).toBe(notice))
    }
    call.give(done('Bern'))
    const { answer, bytes } = await going
    expect(bytes).toBe(100)
    expect(answer).toEqual(done('Bern').answer)
    expect(await question.held?.abandoned).toBeUndefined()
  })

  it('may ask again, and be answered by a third', async () => {
    const call = fakeCall(asks('one'), asks('two'), done())
    const { there, question } = await scene(call)
    const two = questionsOf(await there.held.resume(legOf(question), createCaller()))
    expect(two.inputRequests).toMatchObject({ question: { params: { message: 'two' } } })
    expect((await open().held.resume(legOf(two), createCaller())).answer).toMatchObject({ kind: 'result' })
    expect(call.responses).toHaveLength(2)
  })

  it.each([
    ['an error of the server', { code: -32_000, message: 'no', dataText: '{"a":1.10}', ran: true }],
    ['an error without data', { code: -32_601, message: 'no', dataText: undefined, ran: false }],
  ])('brings %s', async (_, error) => {
    const step: FinalStep = { kind: 'answer', answer: { kind: 'error', ...error }, bytes: 3 }
    const { there, question } = await scene(fakeCall(asks(), step))
    expect(await there.held.resume(legOf(question), createCaller())).toEqual(step)
  })

  it('brings a refusal, with what is certain of the effect', async () => {
    const refusal = new Refusal('UPSTREAM_TIMEOUT', { effect: 'unknown' }, { reason: 'timeout', status: 3 })
    const { there, question } = await scene(fakeCall(asks(), refusal))
    const { code, open: told, detail } = await refusedBy(there.held.resume(legOf(question), createCaller()))
    expect({ code, told, detail }).toEqual({ code: refusal.code, told: refusal.open, detail: refusal.detail })
  })

  it('keeps the digits of numbers and the spelling of results', async () => {
    const text = { members: '"content":[],"structuredContent":{"n":12345678901234567890.10}', meta: '"x":"\\u00e9"' }
    const step: FinalStep = { kind: 'answer', answer: { kind: 'result', result: {}, text }, bytes: 3 }
    const { there, question } = await scene(fakeCall(asks(), step))
    expect((await there.held.resume(legOf(question), createCaller())).answer).toMatchObject({ text })
  })

  it('is answered once: whoever comes second is told that it is over', async () => {
    const call = fakeCall(asks(), done())
    const { there, question } = await scene(call, { effect: 'read' })
    const legs = [1, 2].map(() => there.held.resume(legOf(question, { effect: 'read' }), createCaller()))
    const attempts = await Promise.allSettled(legs)
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(call.responses).toHaveLength(1)
  })

  it.each([
    ['read', 'now'],
    ['write', 1_000],
  ] as const)('is stopped where it is when whoever waits for a %s leaves: %s', async (effect, cancelled) => {
    const call = fakeCall(asks())
    const { there, question } = await scene(call, { effect })
    const caller = createCaller()
    const going = there.held.resume(legOf(question, { effect }), caller).catch(() => 'refused')
    await eventuallyHolds(() => expect(call.responses).toHaveLength(1))
    caller.leave()
    await eventuallyHolds(() => expect(call.cancelled).toBe(cancelled))
    if (effect === 'write') call.give(done())
    await going
  })

  it('is not stopped by somebody who came second and leaves', async () => {
    const call = fakeCall(asks())
    const { there, question } = await scene(call, { effect: 'read' })
    const going = there.held.resume(legOf(question, { effect: 'read' }), createCaller())
    await eventuallyHolds(() => expect(call.responses).toHaveLength(1))
    const second = createCaller()
    const third = open()
    expect(await refusedBy(third.held.resume(legOf(question, { effect: 'read' }), second))).toMatchObject({ code: 'UPSTREAM_INVALID' })
    second.leave()
    await sleep(100)
    expect(call.cancelled).toBe('no')
    call.give(done())
    expect((await going).answer).toMatchObject({ kind: 'result' })
  })

  it('whose next question may not be asked is told no from there', async () => {
    const call = fakeCall(asks('one'), asks('two'), done())
    const { there, question } = await scene(call)
    const two = questionsOf(await there.held.resume(legOf(question), createCaller()))
    expect(await two.held?.refuse('decline')).toBe('committed')
    expect(call.responses.at(-1)).toMatchObject({ text: '{"action":"decline"}' })
    expect(await question.held?.abandoned).toBe('committed')
  })

  it('whose next question reaches nobody is told no', async () => {
    const call = fakeCall(asks('one'))
    const { here, there, question } = await scene(call)
    const caller = createCaller()
    const going = there.held.resume(legOf(question), caller)
    await eventuallyHolds(() => expect(call.responses).toHaveLength(1))
    caller.leave()
    call.give(asks('two'))
    call.give(done())
    await going
    expect(await question.held?.abandoned).toBe('committed')
    expect(here.events).toMatchObject([{ reason: 'unanswered', effect: 'committed' }])
    expect(call.responses.at(-1)).toMatchObject({ text: '{"action":"cancel"}' })
  })

  it('with an answer too large to go from one to the other has run, and says so', async () => {
    const large = 'x'.repeat(5 * MIB)
    const { there, question } = await scene(fakeCall(asks(), done(large)))
    expect(await refusedBy(there.held.resume(legOf(question), createCaller()))).toMatchObject({
      code: 'UPSTREAM_INVALID',
      open: { effect: 'committed' },
      detail: { reason: 'not_handed_over' },
    })
  })

  it.each([
    ['write', { effect: 'unknown' }],
    ['read', {}],
  ] as const)('is lost when the process that holds it is gone, and a %s is not made again', async (effect, told) => {
    const call = fakeCall(asks())
    const { here, there, question } = await scene(call, { effect })
    // Gone without a word: nothing of it is told to anybody.
    await here.held.close()
    opened.splice(opened.indexOf(here), 1)
    const refusal = await refusedBy(there.held.resume(legOf(question, { effect }), createCaller()))
    expect(refusal).toMatchObject({ code: 'UPSTREAM_INVALID', detail: { reason: 'holder_lost' } })
    expect(refusal.open).toEqual(told)
  })

  it('is found even where nobody has held anything for a while', async () => {
    const { there, question } = await scene(fakeCall(asks(), done()))
    await subject().pass(200)
    expect((await there.held.resume(legOf(question), createCaller())).answer).toMatchObject({ kind: 'result' })
  })
})

describe('a process that is killed while somebody waits for what it holds', () => {
  const { subject } = withStore('memory')

  it.each([
    ['write', { effect: 'unknown' }],
    ['read', {}],
  ] as const)('is missed soon, and a %s is not made again', async (effect, told) => {
    let isDead = false
    const { store } = subject()
    const mortal = new Proxy(store, {
      get: (target, name: keyof typeof store) =>
        isDead && name !== 'watch' ? () => Promise.reject(new Error('dead')) : target[name].bind(target),
    })
    const call = fakeCall(asks())
    const [here, there] = [openHeld(mortal), openHeld(store)]
    const question = questionsOf(await here.held.follow(call, intentOf({ effect }), createCaller()))
    const refused = refusedBy(there.held.resume(legOf(question, { effect }), createCaller()))
    await eventuallyHolds(() => expect(call.responses).toHaveLength(1))
    isDead = true
    await subject().pass(10_000)
    const refusal = await refused
    expect(refusal).toMatchObject({ code: 'UPSTREAM_INVALID', detail: { reason: 'holder_lost' } })
    expect(refusal.open).toEqual(told)
    await there.held.close()
  })
})
