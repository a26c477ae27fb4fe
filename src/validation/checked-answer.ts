import type { CheckedAnswer, CheckedAnswerFacts } from '../core/model.ts'

/** The one maker of the brand. */
export function product(facts: CheckedAnswerFacts): CheckedAnswer {
  return facts as CheckedAnswer
}
