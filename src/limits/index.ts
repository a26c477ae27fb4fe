/**
 * Not too often?
 * Takes a `CheckedCall`, returns an `Admission`, or throws LIMITS_EXCEEDED, LIMITS_LIST_EXCEEDED, LIMITS_ADDRESS, STORE_UNAVAILABLE.
 * Keeps nothing itself: cells live in the store; while it is lost, a bounded local share for reads.
 * Never puts a caller's text into a key, and never lets a side effect pass unlimited.
 */
import type { Admission, CheckedCall, Principal } from '../core/model.ts'

export interface Limits {
  admit(checked: CheckedCall): Promise<Admission>
  /** Lists and discovery have a limit of their own. */
  admitList(principal: Principal, method: string): Promise<void>
  /** Throws LIMITS_ADDRESS when this address failed to authenticate too often; looks only, costs nothing. */
  admitAddress(address: string): void
  noteFailedAuthentication(address: string): void
}
