/**
 * Not too often?
 * Takes a `ResumedCall`, returns an `Admission`, or throws LIMITS_EXCEEDED, LIMITS_LIST_EXCEEDED, LIMITS_ADDRESS, STORE_UNAVAILABLE.
 * Keeps the cells of calls in the store; in this process lists, small requests, addresses, and while the store is lost a bounded local share for reads.
 * Never puts a caller's text into a key, and never lets a side effect pass unlimited.
 */
import type { Admission, Principal, ResumedCall } from '../core/model.ts'
import { createAddressLimits } from './address-limits.ts'
import { createCallLimits, type LimitsOptions } from './call-limits.ts'
import { createRequestLimits } from './request-limits.ts'

export interface Limits {
  /** By what policy says of the item, each leg of a request for itself; completions and task requests are `admitRequest`'s. */
  admit(resumed: ResumedCall): Admission | Promise<Admission>
  /** Lists and discovery have a limit of their own. */
  admitList(principal: Principal, method: string): void
  /** Completions, task requests and new subscriptions share another. */
  admitRequest(principal: Principal, method: string): void
  /** Throws LIMITS_ADDRESS when this address has failed to authenticate too often; its good tokens are none of this. */
  countFailedAuthentication(address: string): void
}

export function createLimits(options: LimitsOptions): Limits {
  return {
    ...createCallLimits(options),
    ...createRequestLimits(options.config, options.clock),
    ...createAddressLimits(options.config, options.clock),
  }
}
