import { randomBytes } from 'node:crypto'
import type { Refusal } from '../../../src/core/errors.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import type { Intent, UpstreamAnswer, UpstreamQuestions } from '../../../src/core/model.ts'
import { createSealer, createStoreKeys, type Store } from '../../../src/store/index.ts'
import { createHeldCalls, type HeldCalls, type HeldLimits } from '../../../src/upstream/held/index.ts'
import type { Audience, CallStep, FinalStep, QuestionResponse, RunningCall, ServerQuestion } from '../../../src/upstream/running-call.ts'
import { fitsForm } from '../../../src/validation/index.ts'
import { type IntentShape, intentOf } from '../room.ts'

const SECRET = randomBytes(32)

export const FAST: Partial<HeldLimits> = { beatMs: 20, pollMs: 30, drainMs: 1_000 }

export interface Holding {
  readonly held: HeldCalls
  readonly events: JsonObject[]
}

/** One process's held calls, on a store that others share. */
export function openHeld(store: Store, limits: Partial<HeldLimits> = {}): Holding {
  const events: JsonObject[] = []
  const held = createHeldCalls({
    store,
    keys: createStoreKeys(SECRET),
    sealer: createSealer(SECRET),
    fitsForm,
    report: (name, facts) => events.push({ name, ...facts }),
    limits: { ...FAST, ...limits },
  })
  return { held, events }
}

export const done = (text = 'done'): FinalStep => {
  const result = { content: [{ type: 'text', text }] }
  const answer: UpstreamAnswer = { kind: 'result', result, text: { members: JSON.stringify(result).slice(1, -1), meta: '' } }
  return { kind: 'answer', answer, bytes: 100 }
}

let questions = 0
export const asks = (message = 'Which city?', method = 'elicitation/create'): ServerQuestion => ({
  kind: 'question',
  id: ++questions,
  method,
  params: { message, requestedSchema: { type: 'object', properties: {} } },
})

/** A call at a server that does what it is told, one step behind each answer. */
export interface FakeCall extends RunningCall {
  readonly responses: (QuestionResponse & { readonly to: unknown })[]
  readonly audience: Audience | undefined
  readonly isHeld: boolean
  readonly cancelled: 'no' | 'now' | number
  give(step: CallStep | Error): void
}

export function fakeCall(...script: (CallStep | Error)[]): FakeCall {
  const steps = [...script]
  let wake = (): void => {}
  let audience: Audience | undefined
  let isHeld = false
  let cancelled: FakeCall['cancelled'] = 'no'
  const responses: FakeCall['responses'] = []
  const give = (step: CallStep | Error): void => {
    steps.push(step)
    wake()
  }
  return {
    responses,
    get audience() {
      return audience
    },
    get isHeld() {
      return isHeld
    },
    get cancelled() {
      return cancelled
    },
    give,
    async next() {
      while (steps.length === 0) {
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
      const step = steps.shift() as CallStep | Error
      if (step instanceof Error) throw step
      return step
    },
    async respond(question, response) {
      responses.push({ ...response, to: question.id })
    },
    setAudience(next) {
      audience = next
    },
    hold(next) {
      isHeld = next
    },
    cancel() {
      if (cancelled !== 'now') give(new Error('cancelled'))
      cancelled = 'now'
    },
    cancelIn(delayMs) {
      cancelled = delayMs
    },
  }
}

export function questionsOf({ answer }: FinalStep): UpstreamQuestions {
  if (answer.kind !== 'input_required') throw new Error(`no question but ${answer.kind}`)
  return answer
}

export interface Leg extends IntentShape {
  /** What it brings; by default a yes. */
  readonly answer?: JsonObject | undefined
  readonly onDispatch?: () => void
}

/** The call again, with an answer to that question. */
export function legOf({ requestState = '' }: UpstreamQuestions, { answer, onDispatch, ...shape }: Leg = {}): Intent {
  const inputResponses = { question: answer ?? { action: 'accept', content: { city: 'Bern' } } }
  const resumption = { inputResponses, inputResponsesText: JSON.stringify(inputResponses), requestState: 'sealed' }
  const intent = intentOf({ ...shape, innerState: requestState, call: { ...shape.call, resumption } })
  Object.assign(intent.ticket, { dispatch: async () => onDispatch?.() })
  return intent
}

export const refusedBy = (attempt: Promise<unknown>): Promise<Refusal> =>
  attempt.then(
    () => Promise.reject(new Error('not refused')),
    error => error,
  )
