/**
 * Not twice?
 * Takes an `Admission` and the function that makes the call; runs it once per key and settles the record, or returns the stored answer, or throws IDEMPOTENCY_*, STORE_UNAVAILABLE.
 * Keeps one record per key in the store: reserved → dispatched → committed | unknown. Questions are no outcome: their record is released, or, where their call goes on, kept begun.
 * Never runs an effect again whose outcome is not known.
 */
import type { Admission, Leg, SealedAnswer, Settled, Ticket } from '../core/model.ts'
import { findCallKey, keyOfHeld } from './call-key.ts'
import { createRecordedRun, type RecordOptions } from './recorded-run.ts'
import { runUnrecorded, type Spend } from './unrecorded-run.ts'

export interface Idempotency {
  once(admission: Admission, run: (ticket: Ticket) => Promise<SealedAnswer>): Promise<Settled>
}

export interface IdempotencyOptions extends RecordOptions {
  /** Uses up the state of a leg, in its owner's share of the store; throws the second time. */
  readonly spend: (leg: Leg, owner: string) => Promise<void>
}

export function createIdempotency(options: IdempotencyOptions): Idempotency {
  const runRecorded = createRecordedRun(options)
  const { ownerOf } = options.keys

  /** A leg of a call that has an effect is made once, with a key or without one; it is free to read again. */
  const spendOf = ({ checked, leg }: Admission): Spend | undefined =>
    leg === undefined || checked.grant.effect === 'read' ? undefined : () => options.spend(leg, ownerOf(checked.grant.principal))

  return {
    async once(admission, run) {
      const { checked, leg } = admission
      const begun = leg?.held
      // A call that was begun without a record has none later: its state is used up, which is as good.
      const key = begun === undefined ? findCallKey(checked) : begun.record && keyOfHeld(checked)
      const spend = spendOf(admission)
      if (key === undefined) return runUnrecorded(admission, run, spend)
      return runRecorded({ admission, key, owner: ownerOf(checked.grant.principal), spend, begun: begun?.record }, run)
    },
  }
}
