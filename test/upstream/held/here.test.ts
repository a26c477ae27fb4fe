import { describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../../src/core/clock.ts'
import { createMemoryStore } from '../../../src/store/index.ts'
import { PostError } from '../../../src/upstream/post.ts'
import { eventuallyHolds } from '../../support/eventually.ts'
import { createCaller, intentOf, PROMPT } from '../room.ts'
import { asks, done, fakeCall, legOf, openHeld, questionsOf, refusedBy } from './room.ts'

const open = (limits = {}) => openHeld(createMemoryStore({ clock: systemClock }), limits)
const YES = '{"action":"accept","content":{"city":"Bern"}}'

describe('a call of a legacy server', () => {
  it('that asks nothing is answered as it comes', async () => {
    const call = fakeCall(done())
    const { answer } = await open().held.follow(call, intentOf(), createCaller())
    expect(answer).toMatchObject({ kind: 'result' })
    expect(call.isHeld).toBe(false)
  })

  it('that asks waits, its time and its progress with it, and goes on with the answer', async () => {
    const { held, events } = open()
    const question = asks()
    const call = fakeCall(question)
    const first = await held.follow(call, intentOf(), createCaller())
    expect(questionsOf(first).inputRequests).toEqual({ question: { method: 'elicitation/create', params: question.params } })
    expect(first.bytes).toBe(JSON.stringify(question.params).length)
    expect(held.isHeld(questionsOf(first).requestState)).toBe(true)
    expect([call.isHeld, call.audience]).toEqual([true, undefined])
    const caller = createCaller()
    const going = held.resume(legOf(questionsOf(first)), caller)
    await eventuallyHolds(() => expect(call.responses).toEqual([{ kind: 'result', text: YES, to: question.id }]))
    expect(call.isHeld).toBe(false)
    await call.audience?.notify('progress')
    expect(caller.heard).toEqual(['progress'])
    call.give(done('Bern'))
    expect((await going).answer).toMatchObject({ result: { content: [{ text: 'Bern' }] } })
    expect(events).toEqual([])
  })

  it('may ask again, and what answered an earlier question answers no later one', async () => {
    const { held } = open()
    const call = fakeCall(asks('one'), asks('two'), done())
    const one = questionsOf(await held.follow(call, intentOf(), createCaller()))
    const two = questionsOf(await held.resume(legOf(one), createCaller()))
    expect(two.inputRequests).toMatchObject({ question: { params: { message: 'two' } } })
    expect(two.requestState).not.toBe(one.requestState)
    expect(await refusedBy(held.resume(legOf(one), createCaller()))).toMatchObject({
      code: 'UPSTREAM_INVALID',
      open: { effect: 'unknown' },
      detail: { reason: 'held_call_gone' },
    })
    expect((await held.resume(legOf(two), createCaller())).answer).toMatchObject({ kind: 'result' })
    expect(call.responses).toHaveLength(2)
  })

  it.each([
    ['nothing', undefined, 'missing'],
    ['an answer to something else', { role: 'user', content: { type: 'text', text: 'x' }, model: 'm' }, 'kind'],
    ['roots', { roots: [] }, 'kind'],
    ['an empty object', {}, 'kind'],
  ])('takes %s for no answer, uses nothing up, and waits on', async (_, answer, key) => {
    const { held } = open()
    const call = fakeCall(asks(), done())
    const question = questionsOf(await held.follow(call, intentOf(), createCaller()))
    const onDispatch = vi.fn()
    const leg = legOf(question, { answer, onDispatch })
    if (answer === undefined) Object.assign(leg.ticket.admission.checked.grant.call.resumption ?? {}, { inputResponses: {} })
    expect(await refusedBy(held.resume(leg, createCaller()))).toMatchObject({
      code: 'MCP_PARAMS_INVALID',
      open: { notProcessed: true },
      detail: { reason: 'inputResponses', key },
    })
    expect(onDispatch).not.toHaveBeenCalled()
    expect((await held.resume(legOf(question, { onDispatch }), createCaller())).answer).toMatchObject({ kind: 'result' })
    expect(onDispatch).toHaveBeenCalledOnce()
    expect(call.responses).toHaveLength(1)
  })

  it.each([
    ['sampling/createMessage', { role: 'assistant', content: { type: 'text', text: 'x' }, model: 'm' }],
    ['roots/list', { roots: [{ uri: 'file:///a' }] }],
    ['elicitation/create', { action: 'decline' }],
    ['elicitation/create', { action: 'cancel' }],
  ])('may ask by %s', async (method, answer) => {
    const { held } = open()
    const call = fakeCall(asks('m', method), done())
    const question = questionsOf(await held.follow(call, intentOf(), createCaller()))
    await held.resume(legOf(question, { answer }), createCaller())
    expect(call.responses).toMatchObject([{ kind: 'result', text: JSON.stringify(answer) }])
  })

  it('is answered once, however many bring an answer at once', async () => {
    const { held } = open()
    const call = fakeCall(asks(), done())
    const question = questionsOf(await held.follow(call, intentOf({ effect: 'read' }), createCaller()))
    const attempts = await Promise.allSettled([1, 2, 3].map(() => held.resume(legOf(question, { effect: 'read' }), createCaller())))
    expect(attempts.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(call.responses).toHaveLength(1)
  })

  it.each([
    ['write', { effect: 'unknown' }],
    ['read', {}],
  ] as const)('that cannot be given the answer is lost: a %s', async (effect, openDetail) => {
    const { held } = open()
    const call = fakeCall(asks())
    call.respond = () => Promise.reject(new PostError('not_sent', false))
    const question = questionsOf(await held.follow(call, intentOf({ effect }), createCaller()))
    const refusal = await refusedBy(held.resume(legOf(question, { effect }), createCaller()))
    expect(refusal).toMatchObject({ code: 'UPSTREAM_INVALID', detail: { reason: 'answer_not_taken' } })
    expect(refusal.open).toEqual(openDetail)
    expect(call.cancelled).toBe('now')
  })

  it.each([
    ['a completion', asks(), { method: 'completion/complete', effect: 'read' }, { kind: 'result', text: '{"action":"decline"}' }],
    ['a request nobody knows', asks('m', 'tasks/get'), {}, { kind: 'error', code: -32_601 }],
    ['a ping', asks('m', 'ping'), {}, { kind: 'error', code: -32_601 }],
  ] as const)('is told no and goes on where nobody can be asked: %s', async (_, question, shape, expected) => {
    const call = fakeCall(question, done())
    const { answer } = await open().held.follow(call, intentOf(shape), createCaller())
    expect(answer).toMatchObject({ kind: 'result' })
    expect(call.responses).toMatchObject([expected])
  })

  it('that asks on and on when told no is given up', async () => {
    const call = fakeCall(...Array.from({ length: 300 }, () => asks('m', 'tools/call')))
    const refusal = await refusedBy(open().held.follow(call, intentOf(), createCaller()))
    expect(refusal).toMatchObject({ code: 'UPSTREAM_INVALID', open: { effect: 'unknown' }, detail: { reason: 'questions' } })
    expect(call.responses.length).toBeLessThan(10)
    expect(call.cancelled).toBe('now')
  })

  it.each([
    ['one person', { perPerson: 2 }],
    ['a process', { perProcess: 2 }],
  ])('is told no beyond what %s may hold, until there is room again', async (_, limits) => {
    const { held, events } = open(limits)
    const follow = async (call = fakeCall(asks(), done())) => (await held.follow(call, intentOf(), createCaller())).answer.kind
    const first = fakeCall(asks(), done())
    const question = questionsOf(await held.follow(first, intentOf(), createCaller()))
    const beyond = fakeCall(asks(), done())
    expect([await follow(), await follow(beyond)]).toEqual(['input_required', 'result'])
    expect(beyond.responses).toMatchObject([{ text: '{"action":"decline"}' }])
    expect(events).toEqual([{ name: 'upstream.question_declined', alias: 'tickets', request: 'r', reason: 'full' }])
    await held.resume(legOf(question), createCaller())
    expect(await follow()).toBe('input_required')
  })
})

describe('a held call that nobody comes back for', () => {
  it.each([
    ['finishes all the same', done(), 'committed'],
    [
      'says that it did nothing',
      { kind: 'answer', answer: { kind: 'error', code: -32_601, message: '', dataText: undefined, ran: false }, bytes: 1 },
      'not_started',
    ],
    ['breaks', new Error('broken'), 'unknown'],
  ] as const)('is cancelled when its time is over, and its end written down: the server %s', async (_, step, effect) => {
    const { held, events } = open({ waitMs: 20 })
    const call = fakeCall(asks())
    const question = questionsOf(await held.follow(call, intentOf(), createCaller()))
    await eventuallyHolds(() => expect(call.responses).toMatchObject([{ kind: 'result', text: '{"action":"cancel"}' }]))
    expect([call.isHeld, call.cancelled]).toEqual([false, 1_000])
    call.give(step)
    expect(await question.held?.abandoned).toBe(effect)
    expect(events).toEqual([{ name: 'upstream.held_call', alias: 'tickets', request: 'r', reason: 'deadline', effect }])
    expect(await refusedBy(held.resume(legOf(question), createCaller()))).toMatchObject({ detail: { reason: 'held_call_gone' } })
    expect(await question.held?.refuse('decline')).toBeUndefined()
  })

  it('and only reads is stopped at once', async () => {
    const { held, events } = open({ waitMs: 20 })
    const call = fakeCall(asks())
    const question = questionsOf(await held.follow(call, intentOf(PROMPT), createCaller()))
    expect(await question.held?.abandoned).toBe('none')
    expect([call.responses.length, call.cancelled]).toEqual([1, 'now'])
    expect(events).toMatchObject([{ reason: 'deadline', effect: 'none' }])
  })

  it('since the question may not be asked is told no, and what it did then is known', async () => {
    const { held, events } = open()
    const call = fakeCall(asks(), asks('again'), done())
    const question = questionsOf(await held.follow(call, intentOf(), createCaller()))
    expect(await question.held?.refuse('decline')).toBe('committed')
    expect(call.responses).toMatchObject([{ text: '{"action":"decline"}' }, { text: '{"action":"decline"}' }])
    expect(events).toMatchObject([{ reason: 'refused', effect: 'committed' }])
  })

  it('since its caller has left with the question is cancelled', async () => {
    const { held, events } = open()
    const call = fakeCall(asks(), done())
    const caller = createCaller()
    const question = questionsOf(await held.follow(call, intentOf(), caller))
    caller.leave()
    expect(await question.held?.abandoned).toBe('committed')
    expect(events).toMatchObject([{ reason: 'caller_gone' }])
  })

  it('since the process ends is cancelled, and waited for a little', async () => {
    const { held, events } = open()
    const call = fakeCall(asks())
    const question = questionsOf(await held.follow(call, intentOf(), createCaller()))
    const closed = held.close()
    await eventuallyHolds(() => expect(call.responses).toMatchObject([{ text: '{"action":"cancel"}' }]))
    call.give(done())
    await closed
    expect(await question.held?.abandoned).toBe('committed')
    expect(events).toMatchObject([{ reason: 'drain' }])
  })

  it('is one that somebody has the end of, once it has ended', async () => {
    const { held } = open()
    const question = questionsOf(await held.follow(fakeCall(asks(), done()), intentOf(), createCaller()))
    await held.resume(legOf(question), createCaller())
    expect(await question.held?.abandoned).toBeUndefined()
    expect(await question.held?.refuse('decline')).toBeUndefined()
  })
})

describe('whoever waits for a held call and leaves', () => {
  it.each([
    ['read', 'now'],
    ['write', 1_000],
  ] as const)('stops a %s: %s', async (effect, cancelled) => {
    const { held } = open()
    const call = fakeCall(asks())
    const question = questionsOf(await held.follow(call, intentOf({ effect }), createCaller()))
    const caller = createCaller()
    const going = held.resume(legOf(question, { effect }), caller).catch(() => 'refused')
    await eventuallyHolds(() => expect(call.responses).toHaveLength(1))
    caller.leave()
    expect(call.cancelled).toBe(cancelled)
    if (effect === 'write') call.give(done())
    await going
  })

  it('before the answer is given has changed nothing', async () => {
    const { held } = open()
    const call = fakeCall(asks(), done())
    const question = questionsOf(await held.follow(call, intentOf(), createCaller()))
    const caller = createCaller()
    caller.leave()
    expect(await refusedBy(held.resume(legOf(question), caller))).toMatchObject({ code: 'CALLER_GONE', open: { notProcessed: true } })
    expect((await held.resume(legOf(question), createCaller())).answer).toMatchObject({ kind: 'result' })
  })
})
