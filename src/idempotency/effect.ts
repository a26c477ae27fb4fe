import { Refusal } from '../core/errors.ts'
import type { CheckedAnswerFacts, EffectStatus } from '../core/model.ts'

/** How far the effect of an answered call is. */
export function effectOf({ answer }: CheckedAnswerFacts, isRead: boolean): EffectStatus {
  if (isRead) return 'none'
  if (answer.kind === 'input_required' || answer.kind === 'task') return 'in_progress'
  return answer.kind === 'result' || answer.ran ? 'committed' : 'not_started'
}

/**
 * Whether this is what a call under the same key is answered with from now on. Questions are no outcome: their call comes again with the
 * answers. A server that says it did not run the call leaves the key good for one it can run.
 */
export function isOutcome({ answer }: CheckedAnswerFacts): boolean {
  return answer.kind === 'result' || answer.kind === 'task' || (answer.kind === 'error' && answer.ran)
}

/** True when it is certain that the upstream did not get the call. */
export function isNotProcessed(error: unknown): boolean {
  return error instanceof Refusal && error.open.notProcessed === true
}

/**
 * The upstream asked something first that is not passed on. Like every question it is no outcome: whoever calls again is asked again. Unless
 * it had begun by then, and went on: then what is certain of that stands in it.
 */
export function isQuestion(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'VALIDATION_QUESTION' && (error.open.effect ?? 'in_progress') === 'in_progress'
}

/** Its server waits with it for the answer to a question. */
export function isHeld({ answer }: CheckedAnswerFacts): boolean {
  return answer.kind === 'input_required' && answer.held !== undefined
}

/** The failure of a call that was sent: the same, and it says how far the effect may be, unless it knows better. */
export function withEffect(error: unknown): unknown {
  if (!(error instanceof Refusal)) return new Refusal('INTERNAL', { effect: 'unknown' }, {}, { cause: error })
  if (isQuestion(error)) return error.with({ effect: 'in_progress' })
  if (error.open.notProcessed === true || error.open.effect !== undefined) return error
  return error.with({ effect: 'unknown' })
}
