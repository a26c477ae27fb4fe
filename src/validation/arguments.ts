import { ERRORS, Refusal } from '../core/errors.ts'
import type { Facts } from '../core/facts.ts'
import { foldedTwin, type JsonObject } from '../core/json.ts'
import { compileDescriptor, type DescriptorValidators } from './descriptor.ts'
import { findFaults, writeFaults } from './faults.ts'
import { hasOtherSpelling } from './spelling.ts'

/** Why a call with these arguments would be refused, as its caller would be told; `undefined` when they fit. */
export function explainArguments(descriptor: JsonObject, value: JsonObject): string | undefined {
  const validators = compileDescriptor(descriptor)
  if (typeof validators === 'string') return `The schema cannot be enforced: ${validators}`
  try {
    checkArguments(value, validators)
    return undefined
  } catch (error) {
    if (error instanceof Refusal && error.code === 'VALIDATION_ARGUMENTS') return error.open.text
    throw error
  }
}

/** The arguments as they came fit the pinned schema, or VALIDATION_ARGUMENTS. */
export function checkArguments(value: JsonObject, { input }: DescriptorValidators): void {
  const twin = foldedTwin(value)
  // Not where: the pointer is made of names that were sent.
  if (twin !== undefined) throw unfit('\n- two property names differ only by case or Unicode form', { keyword: 'twin', faults: 1 })
  const faults = findFaults(input, value)
  if (faults !== undefined) {
    const { keyword, path, count } = faults
    throw unfit(writeFaults(faults), { keyword, ...(path !== undefined && { path }), faults: count })
  }
  if (hasOtherSpelling(input.rule, value)) {
    throw unfit('\n- a property name differs from a known one only by case or Unicode form', { keyword: 'spelling', faults: 1 })
  }
}

function unfit(faults: string, detail: Facts): Refusal {
  return new Refusal('VALIDATION_ARGUMENTS', { text: `${ERRORS.VALIDATION_ARGUMENTS.text}${faults}`, notProcessed: true }, detail)
}
