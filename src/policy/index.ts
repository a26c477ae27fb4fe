/**
 * May they?
 * Takes a principal, an approved item and a call; returns a `Grant`, or throws POLICY_REFUSED, AUTH_SCOPE_INSUFFICIENT, CATALOG_UNKNOWN_*.
 * Keeps one immutable revision of compiled rules, read from the policy folder.
 * Never says yes by default, on an error, or because of anything an upstream says of itself.
 */
import type { ApprovedItem, Call, Grant, Principal, PrincipalFacts } from '../core/model.ts'

export type { Asked } from './asked.ts'
export { findCaller } from './cases.ts'
export { type Explanation, explain } from './explain.ts'
export { type Fault, formatFaults, PolicyFaults } from './faults.ts'
export { type LoadedPolicies, type LoadOptions, loadPolicies } from './load.ts'
export type { KnownItem, Note } from './note.ts'
export { findNotes } from './notes.ts'
export { type CaseWord, runTests } from './run-tests.ts'
export { type PolicyWatch, watchPolicies } from './watch.ts'

export interface Policy {
  /** Which variant of an upstream is shown to this principal, and whose credential is sent for it. */
  variantOf(alias: string, principal: PrincipalFacts): string
  /**
   * For tasks claims and scopes are judged again, not `when`: it was when the task began. For a completion `when` is judged on the arguments
   * known so far.
   */
  grant(principal: Principal, item: ApprovedItem, call: Call): Grant
  /** The items this principal may see: those it may try to use, and discoverable ones that lack nothing but scope. */
  visible(principal: Principal, items: readonly ApprovedItem[]): readonly ApprovedItem[]
  /** Whether anything of an upstream is for this principal: whoever may see nothing of it is not told that there is one. */
  hasShare(principal: Principal, alias: string): boolean
}
