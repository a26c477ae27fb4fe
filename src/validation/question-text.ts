import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import { suspiciousCharacters } from '../core/visible.ts'
import { QuestionRefused } from './question-refused.ts'

const MAX_MESSAGE_LENGTH = 8_192

/** What a person will read before answering. */
export function messageOf(params: JsonObject): string {
  const message = params.message
  if (typeof message !== 'string' || message.length > MAX_MESSAGE_LENGTH) throw new QuestionRefused('message')
  return message
}

/** No text in it, key or value, has characters that show nothing, or show something else than they are. */
export function checkVisible(value: Json): void {
  if (typeof value === 'string') {
    if (suspiciousCharacters(value).length > 0) throw new QuestionRefused('hidden_characters')
  } else if (Array.isArray(value)) {
    for (const item of value) checkVisible(item)
  } else if (isJsonObject(value)) {
    for (const key of Object.keys(value)) {
      checkVisible(key)
      checkVisible(value[key] ?? null)
    }
  }
}
