import type { CheckedAnswer, CheckedAnswerFacts } from '../core/model.ts'
import type { Treated, TreatedJson } from './characters.ts'

/** What was found in an answer that is shown all the same, or that a notice stands for. */
export interface Notes {
  readonly mismatch: string | undefined
  readonly linksWithheld: number
  readonly hiddenCharacters: number
  /** They are spelled out in what is shown. */
  readonly isEscaped: boolean
  readonly truncatedBytes: number
}

export const NOTHING_FOUND: Notes = {
  mismatch: undefined,
  linksWithheld: 0,
  hiddenCharacters: 0,
  isEscaped: false,
  truncatedBytes: 0,
}

/** `treated` is what became of hidden characters, where there were some; `found` may know of more than are left. */
export function notesOf(treated: Treated | TreatedJson | undefined, found: Found = {}): Notes {
  const { mismatch, linksWithheld = 0, hiddenCharacters = treated?.hidden ?? 0, truncatedBytes = 0 } = found
  if (mismatch === undefined && linksWithheld === 0 && hiddenCharacters === 0 && truncatedBytes === 0) return NOTHING_FOUND
  return { mismatch, linksWithheld, hiddenCharacters, isEscaped: treated?.value !== undefined, truncatedBytes }
}

type Found = { readonly [Name in Exclude<keyof Notes, 'isEscaped'>]?: Notes[Name] | undefined }

/** Nearly every answer has nothing to note, and all of those have one shape. */
export function checkedAnswer(
  answer: CheckedAnswerFacts['answer'],
  isError: boolean,
  notes = NOTHING_FOUND,
  withheld?: CheckedAnswerFacts['withheld'],
): CheckedAnswer {
  return notes === NOTHING_FOUND ? product({ answer, isError, withheld }) : product({ answer, isError, withheld, ...factsOf(notes) })
}

/** With those that were found in notifications before it, for the record. */
export function withHidden(checked: CheckedAnswer, before: number): CheckedAnswer {
  return product({ ...checked, hiddenCharacters: (checked.hiddenCharacters ?? 0) + before })
}

function factsOf({ mismatch, linksWithheld, hiddenCharacters, truncatedBytes }: Notes): Partial<CheckedAnswerFacts> {
  return {
    ...(mismatch === undefined ? {} : { mismatch }),
    ...(linksWithheld === 0 ? {} : { linksWithheld }),
    ...(hiddenCharacters === 0 ? {} : { hiddenCharacters }),
    ...(truncatedBytes === 0 ? {} : { truncatedBytes }),
  }
}

/** The one maker of the brand. */
function product(facts: CheckedAnswerFacts): CheckedAnswer {
  return facts as CheckedAnswer
}
