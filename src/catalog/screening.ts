import { setImmediate as breathe } from 'node:timers/promises'
import type { JsonObject } from '../core/json.ts'
import type { PinKind } from './kinds.ts'

interface Screened {
  readonly kind: PinKind
  readonly pin: string
  readonly descriptor: JsonObject
}

/** Whether approved schemas can be enforced, asked once per pin. Text nobody approved is never compiled here, and only tools have schemas. */
export interface Screening {
  /** Asks for each that was not asked before, one per turn of the event loop: a compile costs milliseconds. */
  prepare(approved: Iterable<Screened>): Promise<void>
  reasonFor(item: Pick<Screened, 'kind' | 'pin'>): string | undefined
}

export function createScreening(screen: (pin: string, descriptor: JsonObject) => string | undefined): Screening {
  const reasons = new Map<string, string | undefined>()
  return {
    async prepare(approved) {
      for (const { kind, pin, descriptor } of approved) {
        if (kind !== 'tool' || reasons.has(pin)) continue
        reasons.set(pin, screen(pin, descriptor))
        await breathe()
      }
    },
    reasonFor({ kind, pin }) {
      if (kind !== 'tool') return undefined
      return reasons.has(pin) ? reasons.get(pin) : 'its schema was not examined'
    },
  }
}
