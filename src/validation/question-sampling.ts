import { isJsonArray, isJsonObject, type JsonObject } from '../core/json.ts'
import { underLabel } from '../core/label.ts'
import type { ClientCapabilities } from '../core/model.ts'
import type { AnswerRules } from './answer-rules.ts'
import { QuestionRefused } from './question-refused.ts'
import { checkVisible } from './question-text.ts'
import { isListOf, isMessage, isText } from './shapes.ts'

const MAX_MESSAGES = 64
const MAX_TOKENS = 1_000_000

/**
 * Asks the caller's model (MCP 2026-07-28 client/sampling). The label goes into the system prompt: it comes before all messages, can be
 * added whatever they consist of, and the specification lets a client change it.
 */
export function checkSampling(params: JsonObject, { label }: AnswerRules, capabilities: ClientCapabilities): JsonObject {
  const { messages, systemPrompt = '', maxTokens, includeContext } = params
  if (!isJsonArray(messages) || messages.length > MAX_MESSAGES || !messages.every(isMessage)) throw new QuestionRefused('messages')
  if (typeof maxTokens !== 'number' || !Number.isInteger(maxTokens) || maxTokens < 1 || maxTokens > MAX_TOKENS)
    throw new QuestionRefused('max_tokens')
  if (typeof systemPrompt !== 'string') throw new QuestionRefused('system_prompt')
  checkVisible(systemPrompt)
  checkOptions(params)
  if ((Object.hasOwn(params, 'tools') || Object.hasOwn(params, 'toolChoice')) && !capabilities.samplingTools) {
    throw new QuestionRefused('tools_not_declared')
  }
  // The conversation of other servers' answers, which this one is not to see unless the client says that it may.
  if (includeContext !== undefined && includeContext !== 'none' && !capabilities.samplingContext) {
    throw new QuestionRefused('context_not_declared')
  }
  return { ...params, systemPrompt: underLabel(label, systemPrompt).trimEnd() }
}

/** MCP 2026-07-28 schema §CreateMessageRequestParams. */
function checkOptions(params: JsonObject): void {
  const { modelPreferences, metadata, toolChoice, tools, stopSequences, temperature, includeContext } = params
  const fits =
    [modelPreferences, metadata, toolChoice].every(value => value === undefined || isJsonObject(value)) &&
    (tools === undefined || isListOf(tools, isJsonObject)) &&
    (stopSequences === undefined || isListOf(stopSequences, isText)) &&
    (temperature === undefined || typeof temperature === 'number') &&
    (includeContext === undefined || includeContext === 'none' || includeContext === 'thisServer' || includeContext === 'allServers')
  if (!fits) throw new QuestionRefused('sampling_options')
}
