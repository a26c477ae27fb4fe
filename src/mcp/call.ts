import { isJsonObject, type JsonObject } from '../core/json.ts'
import type { Call, CallHeaders, CallMethod, RequestMeta, Resumption } from '../core/model.ts'
import type { RequestMessage } from './message.ts'
import { ownMember } from './own-member.ts'
import { paramText } from './param-text.ts'
import { paramsInvalid } from './params-invalid.ts'
import { parseResumption } from './resumption.ts'

export const NO_ARGUMENTS: JsonObject = Object.freeze({})

/** What differs from method to method. */
interface CallParts {
  readonly method: CallMethod
  readonly name: string
  readonly arguments: JsonObject
  readonly argumentsText: string
  readonly resumption: Resumption | undefined
}

/** Calls of every method have the same members in the same order: to V8 they are one shape, wherever they are read. */
export function createCall(request: RequestMessage, meta: RequestMeta, headers: CallHeaders, parts: CallParts): Call {
  return {
    method: parts.method,
    id: request.id,
    name: parts.name,
    arguments: parts.arguments,
    argumentsText: parts.argumentsText,
    meta,
    headers,
    resumption: parts.resumption,
    task: undefined,
  }
}

/** A `tools/call` whose envelope, `_meta` and standard headers were checked; throws MCP_PARAMS_INVALID. */
export function parseToolCall(request: RequestMessage, meta: RequestMeta, headers: CallHeaders): Call {
  return parseNamedCall('tools/call', request, meta, headers)
}

/** A `prompts/get`, likewise. */
export function parsePromptGet(request: RequestMessage, meta: RequestMeta, headers: CallHeaders): Call {
  return parseNamedCall('prompts/get', request, meta, headers)
}

/** A request for something with a name and arguments; other members of `params` are ignored and not forwarded. */
function parseNamedCall(method: 'tools/call' | 'prompts/get', request: RequestMessage, meta: RequestMeta, headers: CallHeaders): Call {
  const { params } = request
  const name = stringMember(params, 'name')
  const args = ownMember(params, 'arguments')
  const resumption = parseResumption(request, meta)
  if (args === undefined) {
    return createCall(request, meta, headers, { method, name, arguments: NO_ARGUMENTS, argumentsText: '{}', resumption })
  }
  if (!isJsonObject(args)) throw paramsInvalid('arguments')
  const argumentsText = paramText(request, 'arguments')
  return createCall(request, meta, headers, { method, name, arguments: args, argumentsText, resumption })
}

/** A member that has to be there, a string of at most `maxLength` UTF-16 units. Throws MCP_PARAMS_INVALID. */
export function stringMember(object: JsonObject, key: string, maxLength = Number.POSITIVE_INFINITY): string {
  const value = ownMember(object, key)
  if (typeof value !== 'string' || value.length > maxLength) throw paramsInvalid(key)
  return value
}
