import { foldedTwin, isJsonObject, type JsonObject } from '../core/json.ts'
import type { RequestMeta, Resumption } from '../core/model.ts'
import type { RequestMessage } from './message.ts'
import { ownMember } from './own-member.ts'
import { paramText } from './param-text.ts'
import { paramsInvalid } from './params-invalid.ts'
import { isModern } from './revision.ts'

/** No state or task id that we seal is longer, so nothing that is needs to be opened. */
export const MAX_SEALED_LENGTH = 16_384
const MAX_RESPONSES = 32

/** What a caller sends back when it repeats a request (MCP 2026-07-28 basic/patterns/mrtr); throws MCP_PARAMS_INVALID. */
export function parseResumption(request: RequestMessage, { protocolVersion }: RequestMeta): Resumption | undefined {
  const { params } = request
  if (!Object.hasOwn(params, 'inputResponses') && !Object.hasOwn(params, 'requestState')) return undefined
  // In a session its client is asked, and whoever asked it knows what it was about: these are members like any that is not known.
  if (!isModern(protocolVersion)) return undefined
  const requestState = ownMember(params, 'requestState')
  if (requestState !== undefined && (typeof requestState !== 'string' || requestState.length > MAX_SEALED_LENGTH)) {
    throw paramsInvalid('requestState')
  }
  const inputResponses = parseInputResponses(params)
  return { inputResponsesText: inputResponses && paramText(request, 'inputResponses'), inputResponses, requestState }
}

/** By the question's key; `undefined` when absent. Each answer is an object, whatever was asked. */
export function parseInputResponses(params: JsonObject): JsonObject | undefined {
  const responses = ownMember(params, 'inputResponses')
  if (responses === undefined) return undefined
  if (!isJsonObject(responses)) throw paramsInvalid('inputResponses')
  const keys = Object.keys(responses)
  if (keys.length > MAX_RESPONSES || !keys.every(key => isJsonObject(responses[key]))) throw paramsInvalid('inputResponses')
  // An upstream that matches names without case would read another `action` than we do.
  if (foldedTwin(responses) !== undefined) throw paramsInvalid('lookalike_key')
  return responses
}
