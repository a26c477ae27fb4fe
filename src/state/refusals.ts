import { Refusal } from '../core/errors.ts'

/** One answer for every fault, and nothing was sent. `reason`, for the record, is one of our own words. */
export function invalid(reason: string): Refusal {
  return new Refusal('STATE_INVALID', { notProcessed: true }, { reason })
}
