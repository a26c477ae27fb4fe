import { Refusal } from '../core/errors.ts'
import { isJsonObject, type JsonObject, parseJsonText, writeJson } from '../core/json.ts'
import type { CheckedAnswer, Grant, UpstreamQuestions } from '../core/model.ts'
import { rewriteUris } from '../mcp/index.ts'
import type { AnswerRules } from './answer-rules.ts'
import { treatJson } from './characters.ts'
import { checkedAnswer, notesOf } from './checked-answer.ts'
import { QuestionRefused } from './question-refused.ts'
import { checkQuestions } from './questions.ts'

/** The questions as they may be asked. Throws VALIDATION_QUESTION. */
export function checkAsked(answer: UpstreamQuestions, grant: Grant, rules: AnswerRules): CheckedAnswer {
  const asked = askedOf(answer, grant, rules)
  const { characters } = grant.policy.result
  // What a person answers has none, whatever policy says; what a model is asked may.
  const treated = treatJson(writeJson(asked.inputRequests), characters)
  if (treated === undefined) return checkedAnswer(asked, false)
  const { text, value } = treated
  if (text === undefined) throw new Refusal('VALIDATION_QUESTION', {}, { reason: 'hidden_characters' })
  const shown = value !== undefined && isJsonObject(value) ? { ...asked, inputRequests: value } : asked
  return checkedAnswer(shown, false, notesOf(treated))
}

/** The questions with their label and with links that lead where they should; what has to be put back is for state/ to seal. Throws VALIDATION_QUESTION. */
function askedOf(answer: UpstreamQuestions, grant: Grant, rules: AnswerRules): UpstreamQuestions {
  const inputRequests = labelled(answer.inputRequests, grant, rules)
  const text = { members: `"inputRequests":${writeJson(inputRequests)}`, meta: '' }
  const links = rewriteUris(text, { inputRequests }, 'input_required', grant.item.uriPrefix, rules.isAllowedLink)
  if (links.text === text) return { ...answer, inputRequests }
  const { value } = parseJsonText(`{${links.text.members}}`)
  const rewritten = isJsonObject(value) ? value.inputRequests : undefined
  if (rewritten === undefined || !isJsonObject(rewritten)) throw new TypeError('questions are an object')
  return { ...answer, inputRequests: rewritten }
}

export function labelled(inputRequests: JsonObject, grant: Grant, rules: AnswerRules): JsonObject {
  try {
    return checkQuestions(inputRequests, rules, grant.call.meta.capabilities)
  } catch (error) {
    if (!(error instanceof QuestionRefused)) throw error
    throw new Refusal('VALIDATION_QUESTION', {}, { reason: error.reason, question: error.question })
  }
}
