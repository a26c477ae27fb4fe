import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSealer } from '../../src/store/index.ts'
import { KINDS, startRedisStore, withStore } from '../store/harness.ts'
import { createTestClock } from '../support/clock.ts'
import {
  type CallSetting,
  callOf,
  checkedAnswer,
  checkedCall,
  endpointOf,
  intentOf,
  openRoom,
  principalOf,
  question,
  refusalOf,
  SECRET,
  stateFor,
  taskIdFor,
} from './room.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const MINUTE_MS = 60_000

const resume = (room: ReturnType<typeof openRoom>, requestState: string, setting: CallSetting = {}, endpoint = endpointOf()) =>
  room.state.resume(endpoint, checkedCall({ ...setting, requestState }))

describe('a state', () => {
  it('that comes back with the same call is opened, in any process with the secret', () => {
    const room = openRoom()
    const other = openRoom({ clock: room.clock })
    fc.assert(
      fc.property(fc.option(fc.string({ unit: 'grapheme', maxLength: 200 }), { nil: null }), inner => {
        const { leg } = resume(other, stateFor(room, {}, inner))
        expect(leg).toMatchObject({ number: 1, innerState: inner ?? undefined, expiresAtMs: room.clock.now() + 10 * MINUTE_MS })
      }),
    )
  })

  it.each([
    ['a record', { key: 'k', fence: 7 }],
    ['none', undefined],
  ])('of a call that goes on meanwhile brings back the record it was begun under: %s', (_, record) => {
    const room = openRoom()
    const intent = intentOf(checkedCall())
    Object.assign(intent.ticket, { record })
    const asked = question('inner')
    Object.assign(asked.answer, { held: {} })
    const { answer } = room.state.seal(endpointOf(), intent, asked)
    const requestState = answer.kind === 'input_required' ? (answer.requestState ?? '') : ''
    expect(resume(room, requestState).leg).toMatchObject({ innerState: 'inner', held: { record } })
    expect(resume(room, stateFor(room)).leg).not.toHaveProperty('held')
  })

  it('stands in the answer with the questions, and everything else is as it was', () => {
    const { state } = openRoom()
    const inputRequests = { who: { method: 'elicitation/create', params: { message: 'tickets: who?' } } }
    const sealed = state.seal(endpointOf(), intentOf(checkedCall()), question('inner', inputRequests))
    if (sealed.answer.kind !== 'input_required') throw new Error('no question')
    const { requestState, text } = sealed.answer
    expect(requestState).toMatch(/^w1\.[\w-]{8}\.[\w-]+$/)
    expect(requestState).not.toContain('inner')
    expect(JSON.parse(`{${text.members}}`)).toEqual({ inputRequests, requestState })
    expect(text.meta).toBe('"x":1')
    expect(sealed).toMatchObject({ isError: false, withheld: undefined, answer: { inputRequests } })
  })

  it('is there although the upstream gave none, and alone where there is nothing to ask', () => {
    const room = openRoom()
    const { answer } = room.state.seal(endpointOf(), intentOf(checkedCall()), question(undefined, {}))
    if (answer.kind !== 'input_required') throw new Error('no question')
    expect(Object.keys(JSON.parse(`{${answer.text.members}}`))).toEqual(['requestState'])
    expect(resume(room, answer.requestState ?? '').leg).toMatchObject({ number: 1, innerState: undefined })
  })

  it('is another each time', () => {
    const room = openRoom()
    const [one, other] = [stateFor(room), stateFor(room)]
    expect(one).not.toBe(other)
    expect(resume(room, one).leg?.jti).not.toBe(resume(room, other).leg?.jti)
  })

  //
  it('of which any one character was exchanged for any other is refused, always in the same words', () => {
    const room = openRoom()
    const sealed = stateFor(room, {}, 's')
    let tried = 0
    for (let place = 0; place < sealed.length; place += 1) {
      for (const character of ALPHABET) {
        if (sealed[place] === character) continue
        const refusal = refusalOf(() => resume(room, sealed.slice(0, place) + character + sealed.slice(place + 1)))
        expect([refusal.code, refusal.open, refusal.detail]).toEqual(['STATE_INVALID', { notProcessed: true }, { reason: 'seal' }])
        tried += 1
      }
    }
    // The two dots are no characters of the alphabet.
    expect(tried).toBe(63 * (sealed.length - 2) + 64 * 2)
  })

  it.each<[what: string, spoil: (sealed: string) => string]>([
    ['nothing', () => ''],
    ['its last character less', sealed => sealed.slice(0, -1)],
    ['a character more', sealed => `${sealed}A`],
    ['padding', sealed => `${sealed}==`],
    ['a line break', sealed => `${sealed}\n`],
    ['base64 of the other alphabet', sealed => sealed.replaceAll('-', '+').replaceAll('_', '/').concat('+')],
    ['another version', sealed => sealed.replace('w1', 'w2')],
    ['no key id', sealed => sealed.replace(/\.[\w-]{8}\./, '..')],
    ['a key id of nobody', sealed => sealed.replace(/\.[\w-]{8}\./, '.AAAAAAAA.')],
    ['a part more', sealed => `${sealed}.A`],
    ['too little to be one', () => 'w1.AAAAAAAA.AAAA'],
    ['more than is looked at', sealed => sealed + 'A'.repeat(16_384)],
    ['what an upstream would take', () => 'inner'],
  ])('that is %s is refused', (_what, spoil) => {
    const room = openRoom()
    const { code, open } = refusalOf(() => resume(room, spoil(stateFor(room))))
    expect([code, open]).toEqual(['STATE_INVALID', { notProcessed: true }])
  })

  //
  it.each<[what: string, other: CallSetting, reason: string]>([
    ['another subject', { subject: 'bob' }, 'principal'],
    ['another client of the subject', { clientId: 'c2' }, 'principal'],
    ['another tool', { tool: 'delete', name: 'tickets__create' }, 'target'],
    ['the tool of another upstream', { alias: 'crm', name: 'tickets__create' }, 'target'],
    ['another method', { method: 'prompts/get' }, 'method'],
    ['other arguments', { arguments: { title: 'x' } }, 'arguments'],
    ['another instance of a template', { name: 'tickets+file:///other' }, 'arguments'],
    ['another policy revision', { revision: 'fedcba9876543210' }, 'revision'],
    ['another pin', { pin: 'p1:0' }, 'pin'],
    ['another class, of what has no pin', { variant: 'acme' }, 'variant'],
    ['another protocol version', { protocolVersion: '2027-01-01' }, 'seal'],
  ])('brought back by or for %s is refused, in the same words', (_what, other, reason) => {
    const room = openRoom()
    const sealed = stateFor(room)
    const { code, open, detail } = refusalOf(() => resume(room, sealed, other))
    expect([code, open, detail]).toEqual(['STATE_INVALID', { notProcessed: true }, { reason }])
    expect(resume(room, sealed).leg?.innerState).toBe('inner')
  })

  it('is bound to arguments by their value, not their spelling', () => {
    const room = openRoom()
    const sealed = stateFor(room, { arguments: { a: 1, b: 2 } })
    expect(resume(room, sealed, { arguments: { b: 2, a: 1 } }).leg).toBeDefined()
  })

  //
  it('is good for ten minutes, to the millisecond', () => {
    const room = openRoom()
    const sealed = stateFor(room)
    room.clock.advance(10 * MINUTE_MS - 1)
    expect(resume(room, sealed).leg).toBeDefined()
    room.clock.advance(1)
    expect(refusalOf(() => resume(room, sealed)).detail).toEqual({ reason: 'expired' })
    room.clock.advance(1000)
    expect(refusalOf(() => resume(room, sealed)).open).toEqual({ notProcessed: true })
  })

  it('opens at its endpoint only', () => {
    const room = openRoom()
    const elsewhere = endpointOf('https://gateway.test/other')
    expect(refusalOf(() => resume(room, stateFor(room), {}, elsewhere)).detail).toEqual({ reason: 'seal' })
  })

  it('never opens as a task id, nor a task id as a state', () => {
    const room = openRoom()
    const open = (name: string) => room.state.openTask(endpointOf(), principalOf(), callOf({ method: 'tasks/get', name }))
    expect(refusalOf(() => open(stateFor(room))).detail).toEqual({ reason: 'seal' })
    expect(refusalOf(() => resume(room, taskIdFor(room))).detail).toEqual({ reason: 'seal' })
  })

  it('sealed with the old secret opens while that is listed behind the new one, and not without it', () => {
    const [old, next] = [SECRET, randomBytes(32)]
    const before = openRoom({ secrets: [old] })
    const during = openRoom({ secrets: [next, old], clock: before.clock })
    const after = openRoom({ secrets: [next], clock: before.clock })
    const sealed = stateFor(before)
    expect(resume(during, sealed).leg?.innerState).toBe('inner')
    expect(refusalOf(() => resume(after, sealed)).detail).toEqual({ reason: 'seal' })
    // What is sealed meanwhile is the new secret's.
    expect(resume(after, stateFor(during)).leg).toBeDefined()
    expect(refusalOf(() => resume(before, stateFor(during))).detail).toEqual({ reason: 'seal' })
  })

  it('is no stored answer, and needs a secret', () => {
    const room = openRoom()
    const stored = Buffer.from(createSealer(SECRET).seal(Buffer.from('[]'), 'record')).toString('base64url')
    const head = stateFor(room).slice(0, 'w1.12345678.'.length)
    expect(refusalOf(() => resume(room, head + stored)).detail).toEqual({ reason: 'seal' })
    expect(() => openRoom({ secrets: [] })).toThrow(RangeError)
  })
})

describe('a request', () => {
  it.each<[what: string, setting: CallSetting]>([
    ['without anything that came back', {}],
    ['with answers but no state', { answers: { name: { action: 'accept' } } }],
  ])('%s is a first one', (_what, setting) => {
    const checked = checkedCall(setting)
    const resumed = openRoom().state.resume(endpointOf(), checked)
    expect(resumed).toEqual({ checked, leg: undefined })
    expect(resumed.checked).toBe(checked)
  })

  it('may be answered with questions eight times, and the ninth ends it', () => {
    const room = openRoom()
    let sealed = stateFor(room)
    for (let number = 1; number <= 8; number += 1) {
      const { leg } = resume(room, sealed)
      expect(leg?.number).toBe(number)
      if (number < 8) sealed = stateFor(room, {}, `inner-${number}`, leg)
      else
        expect(refusalOf(() => stateFor(room, {}, 'again', leg))).toMatchObject({ code: 'VALIDATION_QUESTION', detail: { reason: 'legs' } })
    }
  })

  it('whose state is too large to travel ends there, and the largest that is not comes back', () => {
    const room = openRoom()
    let largest = 10_000
    while (stateFor(room, {}, 'x'.repeat(largest + 3)).length < 16_384 - 3) largest += 3
    const sealed = stateFor(room, {}, 'x'.repeat(largest))
    expect(resume(room, sealed).leg?.innerState).toHaveLength(largest)
    expect(refusalOf(() => stateFor(room, {}, 'x'.repeat(largest + 8)))).toMatchObject({
      code: 'VALIDATION_QUESTION',
      detail: { reason: 'state_size' },
    })
  })
})

describe('an answer without anything to seal', () => {
  it.each([
    checkedAnswer({ kind: 'result', result: { taskId: 'mine' }, text: { members: '"taskId":"mine"', meta: '' } }),
    checkedAnswer({ kind: 'error', code: -32602, message: 'no', dataText: undefined, ran: true }),
  ])('passes as the same object: %j', answer => {
    expect(openRoom().state.seal(endpointOf(), intentOf(checkedCall()), answer)).toBe(answer)
  })
})

describe.each(KINDS)('a state that is used up, with records in %s', kind => {
  const { subject } = withStore(kind)

  //
  it('works once, also in parallel and in two processes', async () => {
    const { store } = subject()
    const rooms = [openRoom({ store }), openRoom({ store })]
    const [first] = rooms
    const sealed = first === undefined ? '' : stateFor(first)
    const attempts = Array.from({ length: 20 }, async (_, index) => {
      const room = rooms[index % 2] ?? openRoom({ store })
      const { leg } = resume(room, sealed)
      if (leg !== undefined) await room.state.spend(leg, 'ann')
    })
    const results = await Promise.allSettled(attempts)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of results) {
      if (result.status === 'rejected') {
        expect(result.reason).toMatchObject({ code: 'STATE_INVALID', open: { notProcessed: true }, detail: { reason: 'spent' } })
      }
    }
  })
})

describe('a state that was used', () => {
  it('is not good again in a process whose clock is behind, nor under a new secret', async () => {
    const clock = createTestClock()
    const room = openRoom({ clock })
    const sealed = stateFor(room)
    const { leg } = resume(room, sealed)
    if (leg === undefined) throw new Error('no leg')
    clock.advance(10 * MINUTE_MS - 1)
    await room.state.spend(leg, 'ann')
    // Five minutes later the store still knows, for somebody whose clock says that the state is good.
    clock.advance(5 * MINUTE_MS)
    const behind = openRoom({ secrets: [randomBytes(32), SECRET], clock: createTestClock(), store: room.store })
    const again = resume(behind, sealed).leg
    if (again === undefined) throw new Error('no leg')
    await expect(behind.state.spend(again, 'ann')).rejects.toMatchObject({ code: 'STATE_INVALID' })
  })

  it('cannot be used while the store is lost', async () => {
    const { redis, store, close } = await startRedisStore()
    const room = openRoom({ store })
    const { leg } = resume(room, stateFor(room))
    await redis.kill()
    if (leg === undefined) throw new Error('no leg')
    await expect(room.state.spend(leg, 'ann')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', open: { notProcessed: true } })
    await close()
  })
})
