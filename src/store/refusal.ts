import { Refusal } from '../core/errors.ts'
import type { StoreUnavailable } from './contract.ts'

const RETRY_AFTER_MS = 1000

/** What a caller is told when a call is not made because the store is lost. */
export function storeRefusal(cause: StoreUnavailable): Refusal {
  return new Refusal('STORE_UNAVAILABLE', { notProcessed: true, retryAfterMs: RETRY_AFTER_MS }, { reason: cause.message }, { cause })
}
