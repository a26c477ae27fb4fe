import { setImmediate as breathe } from 'node:timers/promises'
import type { JsonObject } from '../core/json.ts'
import type { PinKind } from './kinds.ts'

interface Approved {
  readonly kind: PinKind
  readonly pin: string
  readonly descriptor: JsonObject
}

/** By pin, why an approved schema cannot be enforced. It knows what is approved now and nothing else, so it is as large as a lock file at most. */
export type Examined = ReadonlyMap<string, string | undefined>

export type Screen = (pin: string, descriptor: JsonObject) => string | undefined

export const NOTHING_EXAMINED: Examined = new Map()

/**
 * Whether approved schemas can be enforced: asked for each that was not `before`, one per turn of the event loop, since to compile one costs
 * milliseconds. Text nobody approved is never compiled here, and only tools have schemas.
 */
export async function examine(approved: Iterable<Approved>, before: Examined, screen: Screen): Promise<Examined> {
  const reasons = new Map<string, string | undefined>()
  for (const { kind, pin, descriptor } of approved) {
    if (kind !== 'tool') continue
    if (before.has(pin)) {
      reasons.set(pin, before.get(pin))
      continue
    }
    reasons.set(pin, screen(pin, descriptor))
    await breathe()
  }
  return reasons
}

export function reasonIn(examined: Examined, { kind, pin }: Pick<Approved, 'kind' | 'pin'>): string | undefined {
  if (kind !== 'tool') return undefined
  return examined.has(pin) ? examined.get(pin) : 'its schema was not examined'
}
