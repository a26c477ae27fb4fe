import { isJsonArray, isJsonObject, type Json } from '../core/json.ts'

/** MCP 2026-07-28 schema §SamplingMessage, of which a PromptMessage is one whose content is no list: who speaks, and what is said. */
export function isMessage(value: Json): boolean {
  if (!isJsonObject(value) || (value.role !== 'user' && value.role !== 'assistant')) return false
  const { content } = value
  return isJsonArray(content) ? content.every(isBlock) : isBlock(content)
}

/** MCP 2026-07-28 schema §ContentBlock, as far as all of them go. */
export function isBlock(value: Json | undefined): boolean {
  return isJsonObject(value) && typeof value.type === 'string'
}
