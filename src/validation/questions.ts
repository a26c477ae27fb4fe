import { foldedTwin, isJsonObject, type Json, type JsonObject, writeJson } from '../core/json.ts'
import type { ClientCapabilities } from '../core/model.ts'
import { carriedMeta, createLookalikeCheck } from '../mcp/index.ts'
import type { AnswerRules } from './answer-rules.ts'
import { checkForm } from './question-form.ts'
import { QuestionRefused } from './question-refused.ts'
import { checkSampling } from './question-sampling.ts'
import { checkUrlQuestion } from './question-url.ts'

const MAX_QUESTIONS = 8
const MAX_LENGTH = 65_536

/**
 * The questions of an upstream, labelled with its alias, if all of them may be asked: of this caller, who has to have declared that it
 * answers them, and by this upstream, as its configuration says. Everything else in them stays as it was. Throws QuestionRefused.
 */
export function checkQuestions(inputRequests: JsonObject, rules: AnswerRules, capabilities: ClientCapabilities): JsonObject {
  const keys = Object.keys(inputRequests)
  if (keys.length > MAX_QUESTIONS) throw new QuestionRefused('too_many')
  if (writeJson(inputRequests).length > MAX_LENGTH) throw new QuestionRefused('too_large')
  return Object.fromEntries(keys.map(key => [key, checkNamed(inputRequests[key] ?? null, rules, capabilities)]))
}

/** Tells which kind of question it was that is refused. */
function checkNamed(question: Json, rules: AnswerRules, capabilities: ClientCapabilities): JsonObject {
  try {
    return checkQuestion(question, rules, capabilities)
  } catch (error) {
    const method = isJsonObject(question) ? question.method : undefined
    if (!(error instanceof QuestionRefused) || typeof method !== 'string' || !METHODS.has(method)) throw error
    throw new QuestionRefused(error.reason, method)
  }
}

const METHODS: ReadonlySet<string> = new Set(['elicitation/create', 'sampling/createMessage', 'roots/list'])

const hasLookalike = createLookalikeCheck([
  ...['mode', 'message', 'requestedSchema', 'url', '_meta'],
  ...['messages', 'systemPrompt', 'maxTokens', 'includeContext', 'tools', 'toolChoice'],
])

function checkQuestion(question: Json, rules: AnswerRules, capabilities: ClientCapabilities): JsonObject {
  if (!isJsonObject(question)) throw new QuestionRefused('shape')
  const { method, params: given } = question
  if (given === undefined && method === 'roots/list') return checkRoots(question, rules, capabilities)
  if (given === undefined || !isJsonObject(given)) throw new QuestionRefused('shape')
  // A client that matches names without case would show another `message`, or send to another `url`, than was looked at here.
  if (hasLookalike(given) || foldedTwin(given) !== undefined) throw new QuestionRefused('lookalike_key')
  const params = withCarriedMeta(given)
  switch (method) {
    case 'elicitation/create':
      return { ...question, params: checkElicitation(params, rules, capabilities) }
    case 'sampling/createMessage':
      checkAllowed(rules.questions.sampling, capabilities.sampling)
      return { ...question, params: checkSampling(params, rules, capabilities) }
    case 'roots/list':
      return checkRoots({ ...question, params }, rules, capabilities)
    default:
      throw new QuestionRefused('method')
  }
}

function checkElicitation(params: JsonObject, rules: AnswerRules, capabilities: ClientCapabilities): JsonObject {
  const { mode = 'form' } = params
  if (mode === 'form') {
    checkAllowed(rules.questions.form, capabilities.form)
    return checkForm(params, rules)
  }
  if (mode !== 'url') throw new QuestionRefused('mode')
  checkAllowed(rules.questions.url, capabilities.url)
  return checkUrlQuestion(params, rules)
}

function checkRoots(question: JsonObject, rules: AnswerRules, capabilities: ClientCapabilities): JsonObject {
  checkAllowed(rules.questions.roots, capabilities.roots)
  return question
}

/** MCP 2026-07-28 mrtr §Server Requirements: nothing that the client did not declare. And nothing that the operator did not allow. */
function checkAllowed(isAllowed: boolean, isDeclared: boolean): void {
  if (!isAllowed) throw new QuestionRefused('not_allowed')
  if (!isDeclared) throw new QuestionRefused('not_declared')
}

function withCarriedMeta(params: JsonObject): JsonObject {
  const { _meta: meta } = params
  if (meta === undefined) return params
  if (!isJsonObject(meta)) throw new QuestionRefused('shape')
  return { ...params, _meta: carriedMeta(meta) }
}
