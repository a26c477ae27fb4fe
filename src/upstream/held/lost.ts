import { Refusal } from '../../core/errors.ts'
import type { Intent } from '../../core/model.ts'
import { NotTaken } from '../legacy/pending.ts'
import { PostError } from '../post.ts'

/** A call that cannot be followed any more: the server may go on with it, and it is not made again. */
export function lost(intent: Intent, reason: string, cause?: unknown, effect: 'unknown' | 'committed' = 'unknown'): Refusal {
  return new Refusal('UPSTREAM_INVALID', isRead(intent) ? {} : { effect }, { reason }, { cause })
}

/** What a failure says of a call that has asked something, and so had begun; a fault of ours stays one. */
export function judgeLoss(intent: Intent, error: unknown): unknown {
  return error instanceof PostError || error instanceof NotTaken ? lost(intent, 'answer_not_taken', error) : error
}

export function isRead(intent: Intent): boolean {
  return intent.ticket.admission.checked.grant.effect === 'read'
}
