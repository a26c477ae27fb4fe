import { type PublicDetail, Refusal } from '../core/errors.ts'
import type { CallKey } from './call-key.ts'

const MAX_BUSY_WAIT_MS = 2000

/** Who sent a key of its own gets status codes; a model that sent none, or only an argument, gets text it can read. */
function refusal(code: 'IDEMPOTENCY_BUSY' | 'IDEMPOTENCY_MISMATCH' | 'IDEMPOTENCY_UNKNOWN', key: CallKey, open: PublicDetail): Refusal {
  return new Refusal(code, key.carrier === 'caller' ? open : { ...open, deliver: 'tool' }, { carrier: key.carrier })
}

/** The lease is an upper bound; most calls are over long before it. Not `notProcessed`: the other call may be having its effect right now. */
export function busy(key: CallKey, leaseLeftMs: number): Refusal {
  const retryAfterMs = Math.min(Math.max(leaseLeftMs, 1), MAX_BUSY_WAIT_MS)
  if (key.carrier !== 'derived') return refusal('IDEMPOTENCY_BUSY', key, { retryAfterMs })
  return refusal('IDEMPOTENCY_BUSY', key, {
    retryAfterMs,
    text: 'The same call is still running; try again in a moment to get its result.',
  })
}

export function mismatch(key: CallKey): Refusal {
  if (key.carrier !== 'derived') return refusal('IDEMPOTENCY_MISMATCH', key, { notProcessed: true })
  // Its arguments are the key: what differs can only be what was answered to the server's questions.
  return refusal('IDEMPOTENCY_MISMATCH', key, {
    notProcessed: true,
    text: 'The same call was made a moment ago, with other answers to what the server asked, so it was not made again. Look at the system itself for what it did.',
  })
}

export function unknown(key: CallKey): Refusal {
  return refusal('IDEMPOTENCY_UNKNOWN', key, {
    effect: 'unknown',
    text:
      key.carrier === 'derived'
        ? 'The same call was sent before and its outcome is not known, so it was not sent again. Look at the system itself whether it took effect.'
        : 'A call with this key was sent and its outcome is not known, so it was not sent again. Look at the system itself whether it took effect; only if it did not, call again with a new key.',
  })
}
