import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../src/core/errors.ts'
import type { HeldEnd, HeldLeg, SealedAnswer } from '../../src/core/model.ts'
import { KINDS, withStore } from '../store/harness.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { admitted, type CallSetting, freshLeg, openRoom, sealed, stubUpstream, textAnswer } from './room.ts'

/** Long enough to look at what is leased, however busy the machine is. */
const LEASE_MS = 2_000

let serial = 0
const freshKey = (): string => `held-key-${++serial}`
const YES = { question: { action: 'accept' } }

/** A question of a call that goes on at its server, until `end` says how. */
function heldQuestion() {
  let end!: (how: HeldEnd | undefined) => void
  const abandoned = new Promise<HeldEnd | undefined>(resolve => {
    end = resolve
  })
  const held = { refuse: async () => undefined, abandoned }
  const answer = sealed({ kind: 'input_required', inputRequests: {}, requestState: 's', text: { members: '', meta: '' }, held })
  return { answer, end }
}

const outcomeOf = (attempt: Promise<unknown>): Promise<unknown> => attempt.catch((error: unknown) => error)

describe.each(KINDS)('a call that is held at its server, with records in %s', kind => {
  const { subject } = withStore(kind)
  const open = (leaseMs?: number) => openRoom(subject().store, leaseMs).room

  /** The first leg of a call under this key: its question, and the leg that comes back for it. */
  async function begin(setting: CallSetting, answer: SealedAnswer, room = open()) {
    let record: HeldLeg['record']
    const settled = await room.once(admitted(setting), async ticket => {
      await ticket.dispatch()
      record = ticket.record
      return answer
    })
    return { settled, leg: freshLeg({ held: { record } }) }
  }

  it('keeps its key busy, and whoever brings the answer, with or without that key, ends it under the key', async () => {
    for (const later of [{ key: true }, { key: false }]) {
      const key = freshKey()
      const { answer } = heldQuestion()
      const { settled, leg } = await begin({ key }, answer)
      expect(settled).toMatchObject({ effect: 'in_progress', replayed: false })
      const other = stubUpstream()
      expect(await outcomeOf(open().once(admitted({ key }), other.run))).toMatchObject({ code: 'IDEMPOTENCY_BUSY' })
      const upstream = stubUpstream()
      const second: CallSetting = { leg, answers: YES, key: later.key ? key : undefined }
      expect(await open().once(admitted(second), upstream.run)).toMatchObject({ effect: 'committed', replayed: false })
      expect(await open().once(admitted({ key }), other.run)).toMatchObject({ effect: 'committed', replayed: true })
      // The same leg once more is told what became of it, and nothing is used up for that.
      expect(await open().once(admitted(second), upstream.run)).toMatchObject({ effect: 'committed', replayed: true })
      expect([upstream.runs(), other.runs()]).toEqual([1, 0])
    }
  })

  it('may ask again and again: its key stays busy until the last leg', async () => {
    const key = freshKey()
    const first = heldQuestion()
    const { leg } = await begin({ key }, first.answer)
    const again = await begin({ key, leg, answers: YES }, heldQuestion().answer)
    expect(again.settled).toMatchObject({ effect: 'in_progress' })
    expect(await outcomeOf(open().once(admitted({ key }), stubUpstream().run))).toMatchObject({ code: 'IDEMPOTENCY_BUSY' })
    const last = freshLeg({ held: again.leg.held ?? { record: undefined } })
    expect(await open().once(admitted({ key, leg: last, answers: YES }), stubUpstream().run)).toMatchObject({ effect: 'committed' })
    first.end(undefined)
    expect(await open().once(admitted({ key }), stubUpstream().run)).toMatchObject({ replayed: true })
  })

  it.each([
    ['committed', { replayed: true, effect: 'committed' }],
    ['unknown', { code: 'IDEMPOTENCY_UNKNOWN' }],
    ['not_started', { replayed: false, effect: 'committed' }],
  ] as const)('that nobody comes back for is settled by its own end: %s', async (how, then) => {
    const key = freshKey()
    const { answer, end } = heldQuestion()
    await begin({ key }, answer)
    end(how)
    await eventuallyHolds(async () => {
      expect(await outcomeOf(open().once(admitted({ key }), stubUpstream().run))).toMatchObject(then)
    })
  })

  it('stays begun when a leg is refused before it comes to the server', async () => {
    const key = freshKey()
    const { leg } = await begin({ key }, heldQuestion().answer)
    const refused = async (): Promise<SealedAnswer> => {
      throw new Refusal('MCP_PARAMS_INVALID', { notProcessed: true })
    }
    expect(await outcomeOf(open().once(admitted({ key, leg, answers: YES }), refused))).toMatchObject({ code: 'MCP_PARAMS_INVALID' })
    expect(await outcomeOf(open().once(admitted({ key }), stubUpstream().run))).toMatchObject({ code: 'IDEMPOTENCY_BUSY' })
    expect(await open().once(admitted({ key, leg, answers: YES }), stubUpstream().run)).toMatchObject({ effect: 'committed' })
  })

  it('that is lost with a leg under way is unknown, and never made again', async () => {
    const key = freshKey()
    const { leg } = await begin({ key }, heldQuestion().answer)
    const upstream = stubUpstream(() => Promise.reject(new Refusal('UPSTREAM_INVALID', { effect: 'unknown' })))
    expect(await outcomeOf(open().once(admitted({ key, leg, answers: YES }), upstream.run))).toMatchObject({ open: { effect: 'unknown' } })
    expect(await outcomeOf(open().once(admitted({ key }), upstream.run))).toMatchObject({ code: 'IDEMPOTENCY_UNKNOWN' })
    expect(upstream.runs()).toBe(1)
  })

  it('is renewed while it is held, and left to its lease when it was handed over', async () => {
    const key = freshKey()
    const { answer, end } = heldQuestion()
    await begin({ key }, answer, open(LEASE_MS))
    for (let round = 0; round < 5; round += 1) {
      await sleep(LEASE_MS / 4)
      await subject().pass(LEASE_MS / 4)
    }
    const first = () => outcomeOf(open(LEASE_MS).once(admitted({ key }), stubUpstream().run))
    expect(await first()).toMatchObject({ code: 'IDEMPOTENCY_BUSY' })
    end(undefined)
    await sleep(10)
    await subject().pass(LEASE_MS + 100)
    expect(await first()).toMatchObject({ code: 'IDEMPOTENCY_UNKNOWN' })
  })

  it('without a key has none later either: its state is used up once', async () => {
    const { leg } = await begin({}, heldQuestion().answer)
    const key = freshKey()
    expect(await open().once(admitted({ leg, answers: YES, key }), stubUpstream().run)).toMatchObject({ effect: 'committed' })
    expect(await outcomeOf(open().once(admitted({ leg, answers: YES, key }), stubUpstream().run))).toMatchObject({ code: 'STATE_INVALID' })
  })

  it.each([
    ['unknown', { code: 'IDEMPOTENCY_UNKNOWN' }],
    ['committed', { replayed: true }],
  ] as const)('whose question is not passed on says how it ended: %s', async (effect, then) => {
    const key = freshKey()
    const refused = stubUpstream(() => Promise.reject(new Refusal('VALIDATION_QUESTION', { effect })))
    expect(await outcomeOf(open().once(admitted({ key }), refused.run))).toMatchObject({ code: 'VALIDATION_QUESTION', open: { effect } })
    expect(await outcomeOf(open().once(admitted({ key }), stubUpstream().run))).toMatchObject(then)
  })
})

describe('a legacy client that was asked in the middle of its request', () => {
  const { subject } = withStore('memory')

  it('repeats that request, and is told how it ended, whatever was answered meanwhile', async () => {
    const key = freshKey()
    const { room } = openRoom(subject().store)
    const later = admitted({ key, leg: freshLeg(), answers: YES })
    Object.assign(later.checked.grant.call.resumption ?? {}, { isOurs: true })
    await room.once(later, stubUpstream(() => textAnswer('done')).run)
    expect(await room.once(admitted({ key }), stubUpstream().run)).toMatchObject({ replayed: true, effect: 'committed' })
  })
})
