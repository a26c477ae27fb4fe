import { Refusal } from '../core/errors.ts'
import { isJsonObject, type JsonObject } from '../core/json.ts'
import type { Call, CallHeaders, RequestMeta } from '../core/model.ts'
import type { RequestMessage } from './message.ts'
import { ownMember } from './own-member.ts'

const NO_ARGUMENTS: JsonObject = Object.freeze({})

/**
 * A `tools/call` whose envelope, `_meta` and standard headers were checked; throws MCP_PARAMS_INVALID.
 * Answers to an upstream's questions (`inputResponses`, `requestState`) are refused while such questions are not relayed: dropping
 * them would run the call a second time from the start. Other members of `params` are ignored and not forwarded.
 */
export function parseToolCall(request: RequestMessage, meta: RequestMeta, headers: CallHeaders): Call {
  const { id, params, document } = request
  const name = ownMember(params, 'name')
  if (typeof name !== 'string') throw invalid('name')
  if (Object.hasOwn(params, 'inputResponses') || Object.hasOwn(params, 'requestState')) throw invalid('input_responses')
  const args = ownMember(params, 'arguments')
  const call = { id, name, meta, headers }
  if (args === undefined) return { ...call, arguments: NO_ARGUMENTS, argumentsText: '{}' }
  const span = document.spans.get('/params/arguments')
  if (!isJsonObject(args) || span === undefined) throw invalid('arguments')
  return { ...call, arguments: args, argumentsText: document.text.slice(span[0], span[1]) }
}

function invalid(reason: string): Refusal {
  return new Refusal('MCP_PARAMS_INVALID', {}, { reason })
}
