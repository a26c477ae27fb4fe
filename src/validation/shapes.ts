import { isJsonArray, isJsonObject, type Json } from '../core/json.ts'

/** What results, questions and answers of MCP are made of. */

export function isListOf(value: Json | undefined, isItem: (item: Json) => boolean): boolean {
  return isJsonArray(value) && value.every(isItem)
}

export function isText(value: Json | undefined): boolean {
  return typeof value === 'string'
}

export function isOptionalText(value: Json | undefined): boolean {
  return value === undefined || isText(value)
}

/** MCP 2026-07-28 schema §SamplingMessage, and what a CreateMessageResult begins with: who speaks, and what is said. */
export function isMessage(value: Json): boolean {
  return isJsonObject(value) && isRole(value.role) && (isListOf(value.content, isBlock) || isBlock(value.content))
}

/** MCP 2026-07-28 schema §PromptMessage: its content is no list. */
export function isPromptMessage(value: Json): boolean {
  return isJsonObject(value) && isRole(value.role) && isBlock(value.content)
}

function isRole(value: Json | undefined): boolean {
  return value === 'user' || value === 'assistant'
}

/** MCP 2026-07-28 schema §ContentBlock, as far as all of them go. */
export function isBlock(value: Json | undefined): boolean {
  return isJsonObject(value) && typeof value.type === 'string'
}
