import { randomBytes } from 'node:crypto'
import { Refusal } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import type { CallerStream, HeldEnd, Intent } from '../../core/model.ts'
import { createPlaces } from '../../core/places.ts'
import type { StoreKeys } from '../../store/index.ts'
import type { Audience, FinalStep, RunningCall, ServerQuestion } from '../running-call.ts'
import { type Abandoned, HeldCall, type No } from './held-call.ts'
import type { Place } from './link.ts'
import { isRead, judgeLoss } from './lost.ts'
import { asQuestions, formOf, isAskable, questionBytes, refusalTo } from './question.ts'
import { writeHeldState } from './state.ts'
import type { Party, Switchboard } from './switchboard.ts'

/** A server that is told no goes on, as a rule; one that asks this often in one call does not. */
const MAX_REFUSED = 8
const ID_BYTES = 18

export interface HolderOptions {
  readonly process: string
  readonly switchboard: Switchboard
  readonly keys: StoreKeys
  /** How long a question waits: as long as the state is good for that brings its answer. */
  readonly waitMs: number
  /** How long an effect may go on that nobody waits for. */
  readonly drainMs: number
  readonly perProcess: number
  readonly perPerson: number
  readonly onAbandoned: (intent: Intent, reason: Abandoned, end: HeldEnd) => void
  /** A call could not wait: this person, or everybody together, has as many waiting as may. */
  readonly onFull: (intent: Intent) => void
}

/** Calls that are held in this process. */
export interface Holder {
  /** A call that has just been made, until its answer or its first question. */
  follow(run: RunningCall, intent: Intent, caller: CallerStream): Promise<FinalStep>
  /** Gives the server the answer to its question and follows the call from there; `undefined` where that question does not wait in this process. */
  answer(place: Place, text: string, audience: Audience, caller: CallerStream): Promise<FinalStep> | undefined
  /** The form that it shows while it waits here. */
  formOf(place: Place): JsonObject | undefined
  close(): Promise<unknown>
}

interface Holding {
  readonly call: HeldCall
  readonly id: string
  readonly intent: Intent
  readonly owner: string
  number: number
  /** What ends that others hear of the question. */
  leave: () => void
}

export function createHolder(options: HolderOptions): Holder {
  const { process, switchboard, keys, waitMs, drainMs, perProcess, perPerson, onAbandoned, onFull } = options
  const holdings = new Map<string, Holding>()
  const places = createPlaces(perPerson, perProcess)

  function hold(run: RunningCall, intent: Intent): Holding | undefined {
    const { principal } = intent.ticket.admission.checked.grant
    const owner = keys.ownerOf(principal)
    if (!places.take(owner)) {
      onFull(intent)
      return undefined
    }
    const id = randomBytes(ID_BYTES).toString('base64url')
    const onEnd = (): void => {
      holding.leave()
      holdings.delete(id)
      places.giveBack(owner)
    }
    const call = new HeldCall({
      run,
      isRead: isRead(intent),
      waitMs,
      drainMs,
      onEnd,
      onAbandoned: (reason, end) => onAbandoned(intent, reason, end),
    })
    const holding: Holding = { call, id, intent, owner, number: 0, leave: () => {} }
    holdings.set(id, holding)
    return holding
  }

  /** The question, for the caller; it waits from here on. `caller`: who gets it from this process. */
  async function ask(holding: Holding, question: ServerQuestion, caller: CallerStream | undefined): Promise<FinalStep> {
    const { call, id } = holding
    holding.leave()
    const number = call.wait(question)
    holding.number = number
    const place: Place = { process, id, number }
    const { left, ready } = switchboard.open(place, partyOf(holding, number), formOf(question))
    holding.leave = left
    await ready
    const held = { refuse: (no: No) => call.refuse(number, no, reasonOf(no)), abandoned: call.abandoned }
    // Who has left before it is there brings no answer.
    caller?.onGone(() => void call.refuse(number, 'cancel', 'caller_gone'))
    const answer = { ...asQuestions(question, writeHeldState({ ...place, method: question.method })), held }
    return { kind: 'answer', answer, bytes: questionBytes(question) }
  }

  function partyOf(holding: Holding, number: number): Party {
    const { call, intent, owner } = holding
    return {
      intent,
      owner,
      answer: (text, audience) => answer(holding, number, text, audience, undefined),
      refuse: no => call.refuse(number, no, reasonOf(no)),
      leave: () => leave(call.run, intent, drainMs),
    }
  }

  /** From here to the answer, or to the next question. */
  async function proceed(run: RunningCall, intent: Intent, caller: CallerStream | undefined, holding?: Holding): Promise<FinalStep> {
    const { method } = intent.ticket.admission.checked.grant.call
    let hasAsked = holding !== undefined
    try {
      for (let refused = 0; refused <= MAX_REFUSED; refused += 1) {
        const step = await run.next()
        if (step.kind === 'answer') {
          holding?.call.end()
          return step
        }
        hasAsked = true
        const holder = isAskable(method, step) ? (holding ?? hold(run, intent)) : undefined
        if (holder !== undefined) return await ask(holder, step, caller)
        await run.respond(step, refusalTo(step, 'decline'))
      }
      throw new Refusal('UPSTREAM_INVALID', isRead(intent) ? {} : { effect: 'unknown' }, { reason: 'questions' })
    } catch (error) {
      run.cancel()
      holding?.call.end()
      throw hasAsked ? judgeLoss(intent, error) : error
    }
  }

  function answer(
    holding: Holding,
    number: number,
    text: string,
    audience: Audience,
    caller: CallerStream | undefined,
  ): Promise<FinalStep> | undefined {
    const { call, intent } = holding
    const question = call.take(number)
    if (question === undefined) return undefined
    const { run } = call
    run.setAudience(audience)
    caller?.onGone(() => leave(run, intent, drainMs))
    const given = async (): Promise<FinalStep> => {
      try {
        await run.respond(question, { kind: 'result', text })
        run.hold(false)
      } catch (error) {
        run.cancel()
        call.end()
        throw judgeLoss(intent, error)
      }
      return proceed(run, intent, caller, holding)
    }
    return given()
  }

  return {
    follow(run, intent, caller) {
      const { meta } = intent.ticket.admission.checked.grant.call
      run.setAudience(audienceOf(meta, caller))
      caller.onGone(() => leave(run, intent, drainMs))
      return proceed(run, intent, caller)
    },
    answer({ id, number }, text, audience, caller) {
      const holding = holdings.get(id)
      return holding && answer(holding, number, text, audience, caller)
    },
    formOf({ id, number }) {
      const question = holdings.get(id)?.call.peek(number)
      return question && formOf(question)
    },
    close: () => Promise.all([...holdings.values()].map(({ call, number }) => call.refuse(number, 'cancel', 'drain'))),
  }
}

export function audienceOf({ progressToken, logLevel }: Pick<Audience, 'progressToken' | 'logLevel'>, caller: CallerStream): Audience {
  return { progressToken, logLevel, notify: message => caller.notify(message) }
}

function reasonOf(no: No): Abandoned {
  return no === 'decline' ? 'refused' : 'unanswered'
}

/** A reader that leaves cancels the call; an effect is drained for a while, since to stop listening does not stop it. */
function leave(run: RunningCall, intent: Intent, drainMs: number): void {
  if (isRead(intent)) run.cancel()
  else run.cancelIn(drainMs)
}
