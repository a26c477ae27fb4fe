import { type ErrorCode, Refusal } from '../core/errors.ts'
import type { CheckedAnswer, CheckedAnswerFacts, Grant } from '../core/model.ts'

/** The one maker of the brand. */
export function product(facts: CheckedAnswerFacts): CheckedAnswer {
  return facts as CheckedAnswer
}

/** For an answer that is not shown where there is no form for a notice. What the call did by then nobody knows. */
export function notShown(code: ErrorCode, { effect }: Grant, detail: Readonly<Record<string, string>>): Refusal {
  return new Refusal(code, effect === 'read' ? {} : { effect: 'unknown' }, detail)
}
