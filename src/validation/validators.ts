import { LRUCache } from 'lru-cache'
import type { Report } from '../core/facts.ts'
import type { JsonObject } from '../core/json.ts'
import { compileDescriptor, type DescriptorValidators } from './descriptor.ts'

/** Compiled schemas of tools, by pin. They outlive a policy revision: a pin says all that they depend on. */
export interface Validators {
  /** The validators of a descriptor, or why its schemas cannot be enforced. */
  of(pin: string, descriptor: JsonObject): DescriptorValidators | string
  /** The same where a descriptor is met for the first time. */
  prepare(pin: string, descriptor: JsonObject): string | undefined
}

export interface ValidatorsOptions {
  /** Memory for validators, in KiB, about. What no longer fits is made again where it is used, in a fraction of a millisecond. */
  readonly cacheSize?: number
  /** Told once per descriptor of keywords that look misspelled: they are annotations, as any unknown keyword. */
  readonly report?: Report
}

export function createValidators({ cacheSize = 262_144, report }: ValidatorsOptions = {}): Validators {
  const kept = new LRUCache<string, DescriptorValidators>({ maxSize: cacheSize, sizeCalculation: sizeOf })

  function compile(pin: string, descriptor: JsonObject): DescriptorValidators | string {
    const compiled = compileDescriptor(descriptor)
    if (typeof compiled !== 'string') kept.set(pin, compiled)
    return compiled
  }

  return {
    of: (pin, descriptor) => kept.get(pin) ?? compile(pin, descriptor),
    prepare(pin, descriptor) {
      if (kept.has(pin)) return undefined
      const compiled = compile(pin, descriptor)
      if (typeof compiled === 'string') return compiled
      const pointers = [
        ...compiled.input.misspelled.map(pointer => `/inputSchema${pointer}`),
        ...(compiled.output?.misspelled ?? []).map(pointer => `/outputSchema${pointer}`),
      ]
      const [first] = pointers
      if (first !== undefined) report?.('schema.misspelled', { pin, count: pointers.length, first })
      return undefined
    },
  }
}

function sizeOf({ input, output }: DescriptorValidators): number {
  return Math.ceil(input.size + (output?.size ?? 0))
}
