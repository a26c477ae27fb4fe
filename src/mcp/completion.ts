import { isJsonObject, type JsonObject, writeJson } from '../core/json.ts'
import type { Call, CallHeaders, RequestMeta } from '../core/model.ts'
import { createCall, NO_ARGUMENTS, stringMember } from './call.ts'
import { createLookalikeCheck } from './envelope-keys.ts'
import type { RequestMessage } from './message.ts'
import { ownMember } from './own-member.ts'
import { paramText } from './param-text.ts'
import { paramsInvalid } from './params-invalid.ts'
import { MAX_URI_LENGTH } from './resource-uri.ts'

/** `kind`: what the reference is to; a resource by its URI or by the text of its template. */
export interface Completion {
  readonly kind: 'prompt' | 'resource'
  readonly call: Call
}

/** More than any prompt or template has; they are put together anew for each key press. */
const MAX_KNOWN = 1_000

const hasLookalike = createLookalikeCheck(['type', 'name', 'uri', 'value', 'arguments'])

/**
 * A `completion/complete` (MCP 2026-07-28 server/utilities/completion); throws MCP_PARAMS_INVALID. What is forwarded of it is what was
 * received, but that an argument which is being completed has one value: the one in `argument`, and none among those of the context.
 */
export function parseCompletion(request: RequestMessage, meta: RequestMeta, headers: CallHeaders): Completion {
  const { params } = request
  const ref = objectMember(params, 'ref')
  const kind = kindOf(ref)
  const argument = objectMember(params, 'argument')
  const name = stringMember(argument, 'name')
  // As a key it would have been refused by the JSON parser.
  if (name === '__proto__') throw paramsInvalid('argument')
  const context = Object.hasOwn(params, 'context') ? objectMember(params, 'context') : undefined
  const known = context === undefined ? NO_ARGUMENTS : knownArguments(context)
  const call = createCall(request, meta, headers, {
    method: 'completion/complete',
    name: kind === 'prompt' ? stringMember(ref, 'name') : stringMember(ref, 'uri', MAX_URI_LENGTH),
    arguments: { ...known, [name]: stringMember(argument, 'value') },
    argumentsText: `"argument":${paramText(request, 'argument')}${context === undefined ? '' : `,"context":${contextText(request, context, known, name)}`}`,
    resumption: undefined,
  })
  return { kind, call }
}

function kindOf(ref: JsonObject): Completion['kind'] {
  const type = ownMember(ref, 'type')
  if (type === 'ref/prompt') return 'prompt'
  if (type === 'ref/resource') return 'resource'
  throw paramsInvalid('ref')
}

function objectMember(params: JsonObject, key: string): JsonObject {
  const value = ownMember(params, key)
  if (!isJsonObject(value)) throw paramsInvalid(key)
  if (hasLookalike(value)) throw paramsInvalid('lookalike_key')
  return value
}

function knownArguments(context: JsonObject): JsonObject {
  const known = ownMember(context, 'arguments')
  if (known === undefined) return NO_ARGUMENTS
  if (!isJsonObject(known)) throw paramsInvalid('context')
  const values = Object.values(known)
  if (values.length > MAX_KNOWN || !values.every(value => typeof value === 'string')) throw paramsInvalid('context')
  return known
}

function contextText(request: RequestMessage, context: JsonObject, known: JsonObject, completed: string): string {
  if (!Object.hasOwn(known, completed)) return paramText(request, 'context')
  const others = Object.fromEntries(Object.entries(known).filter(([name]) => name !== completed))
  return writeJson({ ...context, arguments: others })
}
