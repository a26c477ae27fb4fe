import { ExactNumber, isJsonArray, isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import type { CallMethod } from '../core/model.ts'
import { isListOf, isOptionalText, isPromptMessage, isText } from './shapes.ts'

const MAX_COMPLETIONS = 100

/** What is wrong with the form of a result, in one word; `undefined` when it is what its method returns. Tools and tasks are judged apart. */
export function misshapeOf(method: CallMethod, result: JsonObject): string | undefined {
  switch (method) {
    case 'prompts/get':
      return isPromptResult(result) ? undefined : 'messages'
    case 'resources/read':
      return isListOf(result.contents, isContents) ? undefined : 'contents'
    case 'completion/complete':
      return isCompletion(result.completion) ? undefined : 'completion'
    default:
      return undefined
  }
}

/** MCP 2026-07-28 schema §GetPromptResult. */
function isPromptResult({ messages, description }: JsonObject): boolean {
  return isOptionalText(description) && isListOf(messages, isPromptMessage)
}

/** MCP 2026-07-28 schema §TextResourceContents, §BlobResourceContents. */
function isContents(contents: Json): boolean {
  if (!isJsonObject(contents) || !isText(contents.uri) || !isOptionalText(contents.mimeType)) return false
  return isText(contents.text) !== isText(contents.blob)
}

/** MCP 2026-07-28 schema §CompleteResult. */
function isCompletion(completion: Json | undefined): boolean {
  if (completion === undefined || !isJsonObject(completion)) return false
  const { values, total, hasMore } = completion
  return (
    isListOf(values, isText) &&
    isJsonArray(values) &&
    values.length <= MAX_COMPLETIONS &&
    (total === undefined || typeof total === 'number' || total instanceof ExactNumber) &&
    (hasMore === undefined || typeof hasMore === 'boolean')
  )
}
