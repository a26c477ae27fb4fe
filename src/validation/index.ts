/**
 * Is the call well-formed? Is the answer?
 * Takes a `Grant`, returns a `CheckedCall`, or throws VALIDATION_ARGUMENTS, MCP_HEADER_MISMATCH; takes an `Answer`, returns a `CheckedAnswer` (a notice where the answer is withheld).
 * Keeps one compiled validator per pin.
 * Never compiles during a call, never changes what it checks, never fetches a schema.
 */
import type { JsonObject } from '../core/json.ts'
import type { Answer, CheckedAnswer, CheckedCall, Grant } from '../core/model.ts'

export interface Validation {
  /** Compiles the schemas of a descriptor; returns why they cannot be enforced, or `undefined` when they can. */
  prepare(pin: string, descriptor: JsonObject): string | undefined
  checkCall(grant: Grant): CheckedCall
  checkResult(answer: Answer): CheckedAnswer
}
