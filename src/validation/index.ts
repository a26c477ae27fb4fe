/**
 * Is the call well-formed? Is the answer?
 * Takes a `Grant`, returns a `CheckedCall`, or throws VALIDATION_ARGUMENTS, MCP_HEADER_MISMATCH; takes an `Answer`, returns a `CheckedAnswer` (a notice where the answer is withheld).
 * Keeps one compiled validator per pin, as many as `cacheSize`; a call compiles only where more tools are in use than are kept.
 * Never changes what it checks, never fetches a schema, never takes "cannot be checked" for a yes.
 */
import { LRUCache } from 'lru-cache'
import { Refusal } from '../core/errors.ts'
import type { JsonObject } from '../core/json.ts'
import type { Answer, CheckedAnswer, CheckedCall, Grant } from '../core/model.ts'
import { checkArguments } from './arguments.ts'
import { compileDescriptor, type DescriptorValidators } from './descriptor.ts'
import { checkResultAgainst, withhold } from './result.ts'

export { explainArguments } from './arguments.ts'

export interface Validation {
  /** Compiles the schemas of a descriptor; returns why they cannot be enforced, or `undefined` when they can. */
  prepare(pin: string, descriptor: JsonObject): string | undefined
  checkCall(grant: Grant): CheckedCall
  checkResult(answer: Answer): CheckedAnswer
}

export interface ValidationOptions {
  /** Descriptors whose validators are kept; about 25 KB each. */
  readonly cacheSize?: number
  /** Told once per descriptor of keywords that look misspelled: they are annotations, as any unknown keyword. */
  readonly onMisspelled?: (pin: string, pointers: readonly string[]) => void
}

export function createValidation({ cacheSize = 10_000, onMisspelled }: ValidationOptions = {}): Validation {
  const kept = new LRUCache<string, DescriptorValidators>({ max: cacheSize })

  function compile(pin: string, descriptor: JsonObject): DescriptorValidators | string {
    const compiled = compileDescriptor(descriptor)
    if (typeof compiled !== 'string') kept.set(pin, compiled)
    return compiled
  }

  return {
    prepare(pin, descriptor) {
      if (kept.has(pin)) return undefined
      const compiled = compile(pin, descriptor)
      if (typeof compiled === 'string') return compiled
      const pointers = [
        ...compiled.input.misspelled.map(pointer => `/inputSchema${pointer}`),
        ...(compiled.output?.misspelled ?? []).map(pointer => `/outputSchema${pointer}`),
      ]
      if (pointers.length > 0) onMisspelled?.(pin, pointers)
      return undefined
    },

    checkCall(grant) {
      const { pin, descriptor } = grant.item
      const validators = kept.get(pin) ?? compile(pin, descriptor)
      // Withheld tools do not get this far; if one does, it is answered like every tool that cannot be called.
      if (typeof validators === 'string') throw new Refusal('CATALOG_UNKNOWN_TOOL', { name: grant.call.name }, { reason: validators })
      return checkArguments(grant, validators)
    },

    checkResult(answer) {
      const { item, effect } = answer.intent.ticket.admission.checked.grant
      const validators = kept.get(item.pin) ?? compile(item.pin, item.descriptor)
      if (typeof validators === 'string') return withhold('', effect)
      return checkResultAgainst(answer, validators.output)
    },
  }
}
