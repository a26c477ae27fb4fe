import { Refusal } from '../core/errors.ts'
import { canonicalJson } from '../core/json.ts'
import type { CheckedCall, CheckedCallFacts, Grant } from '../core/model.ts'
import { argumentsOf, checkParamHeaders, createParamHeaders, isModern } from '../mcp/index.ts'
import { checkArguments } from './arguments.ts'
import { checkInputResponses } from './input-responses.ts'
import { checkNamedArguments } from './named-arguments.ts'
import type { Validators } from './validators.ts'

type ParamHeaders = CheckedCallFacts['paramHeaders']

const NO_HEADERS: ParamHeaders = []

/** What its method asks of a call. Nothing is added to it or changed: what was judged is what is forwarded. */
export function checkCall(grant: Grant, validators: Validators): CheckedCall {
  const { call, item } = grant
  switch (call.method) {
    case 'tools/call': {
      const compiled = validators.of(item.pin, item.descriptor)
      // Withheld tools do not get this far; if one does, it is answered like every tool that cannot be called.
      if (typeof compiled === 'string') throw new Refusal('CATALOG_UNKNOWN_TOOL', { name: call.name }, { reason: compiled })
      checkArguments(call.arguments, compiled)
      if (item.paramHeaders.length > 0) {
        checkParamHeaders(item.paramHeaders, call.arguments, call.headers, isModern(call.meta.protocolVersion))
      }
      checkInputResponses(call)
      return product(grant, canonicalJson(call.arguments), createParamHeaders(item.paramHeaders, call.arguments))
    }
    case 'prompts/get':
      checkNamedArguments(item, call.arguments, true)
      checkInputResponses(call)
      return product(grant, canonicalJson(call.arguments), NO_HEADERS)
    case 'completion/complete':
      checkNamedArguments(item, call.arguments, false)
      return product(grant, canonicalJson(call.arguments), NO_HEADERS)
    case 'resources/read':
      checkInputResponses(call)
      return product(grant, canonicalJson(argumentsOf(item, call)), NO_HEADERS)
    case 'tasks/update':
      checkInputResponses(call)
      return product(grant, canonicalJson(call.resumption?.inputResponses ?? {}), NO_HEADERS)
    case 'tasks/get':
    case 'tasks/cancel':
      return product(grant, '{}', NO_HEADERS)
  }
}

/** The one maker of the brand. */
function product(grant: Grant, canonicalArguments: string, paramHeaders: ParamHeaders): CheckedCall {
  const facts: CheckedCallFacts = { grant, canonicalArguments, paramHeaders }
  return facts as CheckedCall
}
