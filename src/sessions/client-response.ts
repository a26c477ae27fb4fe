import { isJsonObject, type JsonObject, parseJsonText, writeJson } from '../core/json.ts'
import type { ClientResponse } from './session.ts'

/** What one process hands over to another. More than a person writes, or a model says; a larger one is no answer. */
const MAX_RESPONSE_BYTES = 1_048_576

const TOO_LARGE: ClientResponse = { kind: 'error', code: -32_600, message: 'too large' }

/** Text of a response for the store. */
export function writeResponse(response: ClientResponse): Buffer {
  const text = Buffer.from(writeJson(objectOf(response)))
  return text.byteLength <= MAX_RESPONSE_BYTES ? text : Buffer.from(writeJson(objectOf(TOO_LARGE)))
}

function objectOf(response: ClientResponse): JsonObject {
  return response.kind === 'result' ? { result: response.result } : { code: response.code, message: response.message }
}

/** Back to the response; `undefined` for a text that `writeResponse` does not make. */
export function readResponse(bytes: Buffer): ClientResponse | undefined {
  const { value } = parseJsonText(bytes.toString())
  if (!isJsonObject(value)) return undefined
  const { result, code, message } = value
  if (result !== undefined) return isJsonObject(result) ? { kind: 'result', result } : undefined
  return typeof code === 'number' && typeof message === 'string' ? { kind: 'error', code, message } : undefined
}
