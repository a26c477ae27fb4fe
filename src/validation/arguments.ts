import { ERRORS, Refusal } from '../core/errors.ts'
import { canonicalJson, foldedTwin } from '../core/json.ts'
import type { CheckedCall, CheckedCallFacts, Grant } from '../core/model.ts'
import { checkParamHeaders, createParamHeaders } from '../mcp/index.ts'
import type { DescriptorValidators } from './descriptor.ts'
import { findFaults, writeFaults } from './faults.ts'

/** The arguments as they came fit the pinned schema, and the `Mcp-Param-*` headers agree with them; nothing is added or changed. */
export function checkArguments(grant: Grant, { input, hasOtherSpelling }: DescriptorValidators): CheckedCall {
  const { call, tool } = grant
  const twin = foldedTwin(call.arguments)
  // Not where: the pointer is made of names that were sent.
  if (twin !== undefined) throw unfit('\n- two property names differ only by case or Unicode form', { keyword: 'twin', faults: 1 })
  const faults = findFaults(input, call.arguments)
  if (faults !== undefined) throw unfit(writeFaults(faults), { keyword: faults.keyword, faults: faults.count })
  if (hasOtherSpelling(call.arguments)) {
    throw unfit('\n- a property name differs from a known one only by case or Unicode form', { keyword: 'spelling', faults: 1 })
  }
  checkParamHeaders(tool.paramHeaders, call.arguments, call.headers)
  const facts: CheckedCallFacts = {
    grant,
    canonicalArguments: canonicalJson(call.arguments),
    paramHeaders: createParamHeaders(tool.paramHeaders, call.arguments),
  }
  return facts as CheckedCall
}

function unfit(faults: string, detail: Readonly<Record<string, string | number>>): Refusal {
  return new Refusal('VALIDATION_ARGUMENTS', { text: `${ERRORS.VALIDATION_ARGUMENTS.text}${faults}`, notProcessed: true }, detail)
}
