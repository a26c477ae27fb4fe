import { Refusal } from '../core/errors.ts'
import type { Principal } from '../core/model.ts'
import { personOf } from '../core/person.ts'
import { createShares } from '../core/shares.ts'

/** Bodies of requests that are under way: nothing is read twice, so that each stays in memory, some three times over, until its request ends. */
export interface Luggage {
  /** Returns what gives the room back, for a body that is large. Throws LIMITS_UNDER_WAY where this person, or all, have too much here. */
  admit(principal: Principal, bytes: number): (() => void) | undefined
}

/** Smaller ones come nowhere near, however many connections there are. */
const LARGE_BYTES = 65_536
const MAX_PERSON_BYTES = 32 * 1024 * 1024
const MIN_BODIES = 4
/** So many persons at their most, and nobody is left without room. */
const PERSONS = 4

export function createLuggage(maxBodyBytes: number): Luggage {
  const perPerson = Math.max(MAX_PERSON_BYTES, MIN_BODIES * maxBodyBytes)
  const shares = createShares(PERSONS * perPerson, perPerson)
  return {
    admit(principal, bytes) {
      if (bytes < LARGE_BYTES) return undefined
      const person = personOf(principal)
      if (!shares.hasRoom(person, bytes)) throw new Refusal('LIMITS_UNDER_WAY', { retryAfterMs: 1_000, notProcessed: true })
      shares.take(person, bytes)
      return () => shares.giveBack(person, bytes)
    },
  }
}
