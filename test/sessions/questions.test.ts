import { randomBytes } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { Refusal } from '../../src/core/errors.ts'
import { parseCapabilities } from '../../src/mcp/index.ts'
import { createQuestions, type QuestionsOptions } from '../../src/sessions/questions.ts'
import type { ClientResponse, Session } from '../../src/sessions/session.ts'
import { createSealer, createStoreKeys, StoreUnavailable } from '../../src/store/index.ts'
import { KINDS, withStore } from '../store/harness.ts'
import { createTestClock } from '../support/clock.ts'
import { createGate, eventuallyHolds } from '../support/eventually.ts'

const SECRET = randomBytes(32)
const QUESTION = { method: 'elicitation/create', params: { message: 'Which city?' }, untilMs: Number.MAX_SAFE_INTEGER }
const BERN: ClientResponse = { kind: 'result', result: { action: 'accept', content: { city: 'Bern' } } }
const NEVER = new AbortController().signal

let serial = 0
const sessionOf = (name = `session-${++serial}`): Session => ({
  name,
  owner: 'ann',
  expiresAtMs: Number.MAX_SAFE_INTEGER,
  protocolVersion: '2025-11-25',
  capabilities: parseCapabilities({}),
  logLevel: undefined,
  uris: [],
})

const reasonOf = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => 'answered',
    error => (error instanceof Refusal ? `${error.code} ${error.detail.reason}` : error),
  )

describe.each(KINDS)('a question to a legacy client, with records in %s', kind => {
  const { subject } = withStore(kind)

  function open(options: Partial<QuestionsOptions> = {}) {
    const ends = new Map<string, () => void>()
    const questions = createQuestions({
      store: subject().store,
      keys: createStoreKeys(SECRET),
      sealer: createSealer(SECRET),
      clock: systemClock,
      watchSession: (session, run) => {
        ends.set(session.name, () => run(undefined))
        return () => ends.delete(session.name)
      },
      ...options,
    })
    return { questions, endSession: (session: Session) => ends.get(session.name)?.() }
  }

  /** Asks, and waits until it is said. */
  async function ask(questions: ReturnType<typeof open>['questions'], session: Session, question = QUESTION, signal = NEVER) {
    const said: { id?: string; method: string; params: Record<string, unknown> }[] = []
    const gate = createGate()
    const send = (message: string): void => {
      said.push(JSON.parse(message))
      gate.open()
    }
    const answered = questions.ask(session, question, send, signal)
    answered.catch(() => {})
    await gate.opened
    return { answered, said, id: said[0]?.id ?? '' }
  }

  it('is said under an id that nobody can guess, and answered by whatever process the answer reaches', async () => {
    const [here, there] = [open().questions, open().questions]
    for (const receiver of [here, there]) {
      const session = sessionOf()
      const { answered, said, id } = await ask(here, session)
      expect(said).toEqual([{ jsonrpc: '2.0', id, method: 'elicitation/create', params: { message: 'Which city?' } }])
      expect(id).toMatch(/^[\w-]{24}$/)
      await receiver.answer(session, id, BERN)
      expect(await answered).toEqual(BERN)
    }
  })

  it('may be answered by an error, and by numbers that no double holds', async () => {
    const [here, there] = [open().questions, open().questions]
    const session = sessionOf()
    const failed = await ask(here, session)
    await there.answer(session, failed.id, { kind: 'error', code: -1, message: 'no' })
    expect(await failed.answered).toEqual({ kind: 'error', code: -1, message: 'no' })
  })

  it('is answered by way of another process also when the store has forgotten it meanwhile', async () => {
    const [here, there] = [open().questions, open().questions]
    const session = sessionOf()
    const { answered, id } = await ask(here, session)
    const { store } = subject()
    const key = createStoreKeys(SECRET).key('question', [session.name, id])
    await store.setField(key, 'asked', undefined, 60_000, 'ann')
    await eventuallyHolds(async () => expect([...(await store.fields(key)).keys()]).toEqual(['asked']))
    await there.answer(session, id, BERN)
    expect(await answered).toEqual(BERN)
    await eventuallyHolds(async () => expect((await store.fields(key)).size).toBe(0))
  })

  it('is answered once: what comes later is passed over', async () => {
    const [here, there] = [open().questions, open().questions]
    const session = sessionOf()
    const { answered, id } = await ask(here, session)
    await there.answer(session, id, BERN)
    await answered
    await there.answer(session, id, { kind: 'result', result: { action: 'decline' } })
    await here.answer(session, id, { kind: 'result', result: { action: 'decline' } })
    expect(await answered).toEqual(BERN)
  })

  it('is answered by the first of two, though nobody has looked yet', async () => {
    let look = (): void => {}
    const store: QuestionsOptions['store'] = {
      setField: (...given) => subject().store.setField(...given),
      fields: key => subject().store.fields(key),
      watch(_key, run) {
        look = run
        return () => {}
      },
    }
    const [here, there] = [open({ store }).questions, open().questions]
    const session = sessionOf()
    const { answered, id } = await ask(here, session)
    await there.answer(session, id, BERN)
    await there.answer(session, id, { kind: 'result', result: { action: 'decline' } })
    look()
    expect(await answered).toEqual(BERN)
  })

  it('is not answered by another session, nor under an id that is not its own, and nothing of that is kept', async () => {
    const [here, there] = [open(), open()]
    const session = sessionOf()
    const { answered, id } = await ask(here.questions, session)
    const setField = vi.spyOn(subject().store, 'setField')
    for (const { questions } of [here, there]) {
      await questions.answer(sessionOf(), id, BERN)
      for (const forged of [1, '', 'x', randomBytes(18).toString('base64url'), 'x'.repeat(200)]) {
        await questions.answer(session, forged, BERN)
      }
    }
    expect(setField).not.toHaveBeenCalled()
    setField.mockRestore()
    here.endSession(session)
    expect(await reasonOf(answered)).toBe('VALIDATION_QUESTION session_ended')
  })

  it('ends in time, with the session, with its caller, and with the process; the client is told that nobody waits', async () => {
    const ended = new AbortController()
    const cases = [
      ['deadline', open({ timeoutMs: 30 }), NEVER, QUESTION, () => {}],
      ['until', open(), NEVER, { ...QUESTION, untilMs: systemClock.now() + 30 }, () => {}],
      ['session_ended', open(), NEVER, QUESTION, (room: ReturnType<typeof open>, session: Session) => room.endSession(session)],
      ['cancelled', open(), ended.signal, QUESTION, () => ended.abort()],
      ['drain', open(), NEVER, QUESTION, (room: ReturnType<typeof open>) => room.questions.close()],
    ] as const
    for (const [reason, room, signal, question, end] of cases) {
      const session = sessionOf()
      const { answered, said, id } = await ask(room.questions, session, question, signal)
      end(room, session)
      expect(await reasonOf(answered)).toBe(`VALIDATION_QUESTION ${reason}`)
      expect(said[1]).toEqual({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } })
      // Nothing waits for it any more, anywhere.
      const key = createStoreKeys(SECRET).key('question', [session.name, id])
      await eventuallyHolds(async () => expect((await subject().store.fields(key)).size).toBe(0))
      const setField = vi.spyOn(subject().store, 'setField')
      await open().questions.answer(session, id, BERN)
      expect(setField).not.toHaveBeenCalled()
      setField.mockRestore()
    }
  })

  it('is not asked of whoever has left, nor by a process that ends', async () => {
    const { questions } = open()
    const send = vi.fn()
    expect(await reasonOf(questions.ask(sessionOf(), QUESTION, send, AbortSignal.abort()))).toBe('VALIDATION_QUESTION cancelled')
    questions.close()
    expect(await reasonOf(questions.ask(sessionOf(), QUESTION, send, NEVER))).toBe('VALIDATION_QUESTION drain')
    expect(send).not.toHaveBeenCalled()
  })

  it('is one of a few that a session has open at once', async () => {
    const { questions } = open({ maxOpen: 2 })
    const session = sessionOf()
    const [first] = await Promise.all([ask(questions, session), ask(questions, session)])
    expect(await reasonOf(questions.ask(session, QUESTION, () => {}, NEVER))).toBe('VALIDATION_QUESTION too_many_open')
    await ask(questions, sessionOf())
    await questions.answer(session, first.id, BERN)
    await first.answered
    expect((await ask(questions, session)).id).not.toBe(first.id)
  })

  it('is not asked while nobody could say where its answer is', async () => {
    const store = { ...subject().store, setField: () => Promise.reject(new StoreUnavailable('lost')) }
    const send = vi.fn()
    const { questions } = open({ store })
    expect(await reasonOf(questions.ask(sessionOf(), QUESTION, send, NEVER))).toBe('VALIDATION_QUESTION store')
    expect(send).not.toHaveBeenCalled()
  })

  it('that cannot be looked for is unavailable, not unanswered', async () => {
    const store = { ...subject().store, fields: () => Promise.reject(new StoreUnavailable('lost')) }
    const id = randomBytes(18).toString('base64url')
    expect(await reasonOf(open({ store }).questions.answer(sessionOf(), id, BERN))).toBe('STORE_UNAVAILABLE lost')
  })

  it('that is answered with more than a person writes has no answer', async () => {
    const [here, there] = [open().questions, open().questions]
    const session = sessionOf()
    const { answered, id } = await ask(here, session)
    await there.answer(session, id, { kind: 'result', result: { action: 'accept', content: { text: 'x'.repeat(1_048_577) } } })
    expect(await answered).toMatchObject({ kind: 'error' })
  })
})

describe('the time until a token is over', () => {
  const { subject } = withStore('memory')

  it('is told by the clock of the house', async () => {
    const clock = createTestClock()
    const questions = createQuestions({
      store: subject().store,
      keys: createStoreKeys(SECRET),
      sealer: createSealer(SECRET),
      clock,
      watchSession: () => () => {},
    })
    clock.advance(60_000)
    const untilMs = clock.now() - 1
    expect(await reasonOf(questions.ask(sessionOf(), { ...QUESTION, untilMs }, () => {}, NEVER))).toBe('VALIDATION_QUESTION until')
  })
})
