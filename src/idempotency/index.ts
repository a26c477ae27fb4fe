/**
 * Not twice?
 * Takes an `Admission` and the function that makes the call; runs it once per key and settles the record, or returns the stored answer, or throws IDEMPOTENCY_*, STORE_UNAVAILABLE.
 * Keeps one record per key in the store: reserved → dispatched → committed | unknown.
 * Never runs an effect again whose outcome is not known.
 */
import type { Admission, SealedAnswer, Settled, Ticket } from '../core/model.ts'
import { findCallKey } from './call-key.ts'
import { createRecordedRun, type IdempotencyOptions } from './recorded-run.ts'
import { runUnrecorded } from './unrecorded-run.ts'

export type { IdempotencyEvent } from './recorded-run.ts'

export interface Idempotency {
  once(admission: Admission, run: (ticket: Ticket) => Promise<SealedAnswer>): Promise<Settled>
}

export function createIdempotency(options: IdempotencyOptions): Idempotency {
  const runRecorded = createRecordedRun(options)
  return {
    async once(admission, run) {
      const key = findCallKey(admission.checked)
      return key === undefined ? runUnrecorded(admission, run) : runRecorded(admission, key, run)
    },
  }
}
