import { ERRORS, Refusal } from '../core/errors.ts'
import { canonicalJson, foldedTwin, type JsonObject } from '../core/json.ts'
import type { CheckedCall, CheckedCallFacts, Grant } from '../core/model.ts'
import { checkParamHeaders, createParamHeaders } from '../mcp/index.ts'
import { compileDescriptor, type DescriptorValidators } from './descriptor.ts'
import { findFaults, writeFaults } from './faults.ts'

/** The arguments as they came fit the pinned schema, and the `Mcp-Param-*` headers agree with them; nothing is added or changed. */
export function checkArguments(grant: Grant, validators: DescriptorValidators): CheckedCall {
  const { call, item } = grant
  checkFit(call.arguments, validators)
  checkParamHeaders(item.paramHeaders, call.arguments, call.headers)
  const facts: CheckedCallFacts = {
    grant,
    canonicalArguments: canonicalJson(call.arguments),
    paramHeaders: createParamHeaders(item.paramHeaders, call.arguments),
  }
  return facts as CheckedCall
}

/** Why a call with these arguments would be refused, as its caller would be told; `undefined` when they fit. */
export function explainArguments(descriptor: JsonObject, value: JsonObject): string | undefined {
  const validators = compileDescriptor(descriptor)
  if (typeof validators === 'string') return `The schema cannot be enforced: ${validators}`
  try {
    checkFit(value, validators)
    return undefined
  } catch (error) {
    if (error instanceof Refusal && error.code === 'VALIDATION_ARGUMENTS') return error.open.text
    throw error
  }
}

function checkFit(value: JsonObject, { input, hasOtherSpelling }: DescriptorValidators): void {
  const twin = foldedTwin(value)
  // Not where: the pointer is made of names that were sent.
  if (twin !== undefined) throw unfit('\n- two property names differ only by case or Unicode form', { keyword: 'twin', faults: 1 })
  const faults = findFaults(input, value)
  if (faults !== undefined) throw unfit(writeFaults(faults), { keyword: faults.keyword, faults: faults.count })
  if (hasOtherSpelling(value)) {
    throw unfit('\n- a property name differs from a known one only by case or Unicode form', { keyword: 'spelling', faults: 1 })
  }
}

function unfit(faults: string, detail: Readonly<Record<string, string | number>>): Refusal {
  return new Refusal('VALIDATION_ARGUMENTS', { text: `${ERRORS.VALIDATION_ARGUMENTS.text}${faults}`, notProcessed: true }, detail)
}
