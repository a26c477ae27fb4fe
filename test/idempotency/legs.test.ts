import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../src/core/errors.ts'
import type { JsonObject } from '../../src/core/json.ts'
import { KINDS, withStore } from '../store/harness.ts'
import { admitted, type CallSetting, freshLeg, openRoom, question, stubUpstream, task, textAnswer } from './room.ts'

const codeOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'no refusal',
    (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
  )

let serial = 0
const freshKey = (): string => `leg-key-${++serial}`
const YES: JsonObject = { confirm: { action: 'accept' } }
const NO: JsonObject = { confirm: { action: 'decline' } }

describe.each(KINDS)('a leg, with records in %s', kind => {
  const { subject } = withStore(kind)
  const open = () => openRoom(subject().store).room

  //
  it.each([
    ['with a key of its own', true],
    ['without a key', false],
  ])('%s of a call with an effect is sent once, in parallel and on two processes too', async (_what, keyed) => {
    const leg = freshLeg()
    const rooms = [open(), open()]
    const upstream = stubUpstream(async () => {
      await sleep(20)
      return textAnswer('done')
    })
    const attempts = Array.from({ length: 20 }, (_, index) =>
      rooms[index % 2]?.once(admitted({ leg, answers: YES, ...(keyed && { key: freshKey() }) }), upstream.run),
    )
    const codes = await Promise.all(attempts.map(attempt => codeOf(Promise.resolve(attempt))))
    expect(codes.filter(code => code === 'no refusal')).toHaveLength(1)
    expect(codes.filter(code => code === 'STATE_INVALID')).toHaveLength(19)
    expect(upstream.runs()).toBe(1)
    expect(await codeOf(open().once(admitted({ leg, answers: YES }), upstream.run))).toBe('STATE_INVALID')
  })

  it('of a read is sent as often as it comes', async () => {
    const leg = freshLeg()
    const upstream = stubUpstream()
    for (let runs = 1; runs <= 2; runs += 1) {
      for (const key of [undefined, freshKey()]) {
        expect(await open().once(admitted({ effect: 'read', leg, answers: YES, key }), upstream.run)).toMatchObject({ effect: 'none' })
      }
    }
    expect(upstream.runs()).toBe(4)
  })

  it('that was used before leaves its key free, and no record says for a moment that it was sent', async () => {
    const leg = freshLeg()
    const key = freshKey()
    await open().once(admitted({ leg, answers: YES }), stubUpstream().run)
    let dispatches = 0
    const { store } = subject()
    const watched = openRoom({
      ...store,
      dispatch: (...args) => {
        dispatches += 1
        return store.dispatch(...args)
      },
    }).room
    expect(await codeOf(watched.once(admitted({ key, leg, answers: YES }), stubUpstream().run))).toBe('STATE_INVALID')
    expect(dispatches).toBe(0)
    expect(await open().once(admitted({ key }), stubUpstream().run)).toMatchObject({ effect: 'committed', replayed: false })
  })

  it.each([
    ['write', 'in_progress'],
    ['read', 'none'],
  ] as const)('of a %s that is asked something has effect %s, and its key goes on to the answers', async (effect, told) => {
    const key = freshKey()
    const first = await open().once(admitted({ effect, key }), stubUpstream(() => question('s1')).run)
    expect(first).toMatchObject({ effect: told, replayed: false, outcome: { answer: { kind: 'input_required' } } })
    const second = await open().once(admitted({ effect, key, leg: freshLeg(), answers: YES }), stubUpstream().run)
    expect(second).toMatchObject({ effect: effect === 'read' ? 'none' : 'committed', replayed: false })
  })

  it('under a key replays, without using its state up again', async () => {
    const setting: CallSetting = { key: freshKey(), leg: freshLeg(), answers: YES }
    const upstream = stubUpstream()
    await open().once(admitted(setting), upstream.run)
    // The same state in another envelope, as whoever asked the same twice holds it, makes the same call too.
    const again = { ...setting, leg: freshLeg() }
    for (const repeat of [setting, again]) expect(await open().once(admitted(repeat), upstream.run)).toMatchObject({ replayed: true })
    expect(upstream.runs()).toBe(1)
  })

  it.each<[what: string, other: Partial<CallSetting>]>([
    ['other answers', { answers: NO }],
    ['no answers', { answers: undefined }],
    ['empty answers', { answers: {} }],
    ['another state', { leg: freshLeg({ innerState: 'other' }) }],
    ['an empty state', { leg: freshLeg({ innerState: '' }) }],
    ['no state of the server', { leg: freshLeg({ innerState: undefined }) }],
    ['the first request', { leg: undefined, answers: undefined }],
  ])('with %s under the same key is another call', async (_what, other) => {
    const setting: CallSetting = { key: freshKey(), leg: freshLeg(), answers: YES }
    const upstream = stubUpstream()
    await open().once(admitted(setting), upstream.run)
    expect(await codeOf(open().once(admitted({ ...setting, ...other }), upstream.run))).toBe('IDEMPOTENCY_MISMATCH')
    expect(upstream.runs()).toBe(1)
  })

  it.each<[what: string, one: Partial<CallSetting>, other: Partial<CallSetting>]>([
    ['no answers are not empty ones', { answers: undefined }, { answers: {} }],
    ['no state is not an empty one', { leg: freshLeg({ innerState: undefined }) }, { leg: freshLeg({ innerState: '' }) }],
  ])('knows that %s', async (_what, one, other) => {
    const setting: CallSetting = { effect: 'read', key: freshKey(), leg: freshLeg(), answers: YES }
    await open().once(admitted({ ...setting, ...one }), stubUpstream().run)
    expect(await codeOf(open().once(admitted({ ...setting, ...other }), stubUpstream().run))).toBe('IDEMPOTENCY_MISMATCH')
  })

  it('whose answers are written in another order is the same call', async () => {
    const setting: CallSetting = { key: freshKey(), leg: freshLeg(), answers: { a: { x: 1, y: 2 }, b: {} } }
    await open().once(admitted(setting), stubUpstream().run)
    const reordered = admitted({ ...setting, answers: { b: {}, a: { y: 2, x: 1 } } })
    expect(await open().once(reordered, stubUpstream().run)).toMatchObject({ replayed: true })
  })

  it('of a call whose arguments are its key tells a model that starts over what happened', async () => {
    const setting: CallSetting = { idempotency: { key: 'derived' }, arguments: { title: freshKey() } }
    const upstream = stubUpstream()
    await open().once(admitted(setting), stubUpstream(() => question('s1')).run)
    await open().once(admitted({ ...setting, leg: freshLeg(), answers: YES }), upstream.run)
    const refusal: unknown = await open()
      .once(admitted(setting), upstream.run)
      .catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH', open: { deliver: 'tool', notProcessed: true } })
    expect(refusal instanceof Refusal && refusal.open.text).toContain('was made a moment ago')
    expect(upstream.runs()).toBe(1)
  })

  it('that becomes a task is an outcome: its key gives the same task again', async () => {
    const setting: CallSetting = { key: freshKey() }
    const upstream = stubUpstream(() => task('w1.sealed'))
    const first = await open().once(admitted(setting), upstream.run)
    const again = await open().once(admitted(setting), upstream.run)
    expect(upstream.runs()).toBe(1)
    expect(first).toMatchObject({ effect: 'in_progress', replayed: false })
    expect(again).toMatchObject({
      effect: 'in_progress',
      replayed: true,
      outcome: { answer: { kind: 'task', task: { taskId: 'w1.sealed' } } },
    })
    expect(again.outcome.answer).toMatchObject({ text: first.outcome.answer.kind === 'task' ? first.outcome.answer.text : {} })
  })

  it.each([
    ['with a key', true],
    ['without a key', false],
  ])('whose question is not passed on, %s, ends there: nothing is remembered, and nothing is claimed', async (_what, keyed) => {
    const setting: CallSetting = keyed ? { key: freshKey() } : {}
    const refused = stubUpstream(() => Promise.reject(new Refusal('VALIDATION_QUESTION', {}, { reason: 'legs' })))
    const refusal: unknown = await open()
      .once(admitted(setting), refused.run)
      .catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'VALIDATION_QUESTION', open: { effect: 'in_progress' }, detail: { reason: 'legs' } })
    expect(await open().once(admitted(setting), stubUpstream().run)).toMatchObject({ effect: 'committed', replayed: false })
  })

  it.each(['prompts/get', 'resources/read', 'completion/complete', 'tasks/get', 'tasks/update', 'tasks/cancel'] as const)(
    '%s has no key, whatever is sent along and whatever the tool needs',
    async method => {
      const setting: CallSetting = { method, key: freshKey(), idempotency: { required: true } }
      const upstream = stubUpstream()
      for (let runs = 1; runs <= 2; runs += 1) {
        const { effect, replayed } = await open().once(admitted(setting), upstream.run)
        expect([effect, replayed]).toEqual(['committed', false])
        expect(upstream.runs()).toBe(runs)
      }
    },
  )
})
