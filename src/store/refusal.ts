import { Refusal } from '../core/errors.ts'
import { StoreUnavailable } from './contract.ts'

const RETRY_AFTER_MS = 1000

/** What a caller is told when a call is not made because the store is lost; any other error stays what it is. */
export function storeRefusal(error: unknown): unknown {
  if (!(error instanceof StoreUnavailable)) return error
  const open = { notProcessed: true, retryAfterMs: RETRY_AFTER_MS } as const
  return new Refusal('STORE_UNAVAILABLE', open, { reason: error.message }, { cause: error })
}
