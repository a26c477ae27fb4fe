import { setImmediate as breathe } from 'node:timers/promises'
import type { JsonObject } from '../core/json.ts'

/** Whether approved schemas can be enforced, asked once per pin. Text nobody approved is never compiled here. */
export interface Screening {
  /** Asks for each that was not asked before, one per turn of the event loop: a compile costs milliseconds. */
  prepare(approved: Iterable<{ readonly pin: string; readonly descriptor: JsonObject }>): Promise<void>
  reasonFor(pin: string): string | undefined
}

export function createScreening(screen: (pin: string, descriptor: JsonObject) => string | undefined): Screening {
  const reasons = new Map<string, string | undefined>()
  return {
    async prepare(approved) {
      for (const { pin, descriptor } of approved) {
        if (reasons.has(pin)) continue
        reasons.set(pin, screen(pin, descriptor))
        await breathe()
      }
    },
    reasonFor: pin => (reasons.has(pin) ? reasons.get(pin) : 'its schema was not examined'),
  }
}
