/**
 * May they?
 * Takes a principal, an approved tool and a call; returns a `Grant`, or throws POLICY_REFUSED, AUTH_SCOPE_INSUFFICIENT, CATALOG_UNKNOWN_TOOL.
 * Keeps one immutable revision of compiled rules, read from the policy folder.
 * Never says yes by default, on an error, or because of anything an upstream says of itself.
 */
import type { ApprovedTool, Grant, Principal, ToolCall } from '../core/model.ts'

export { findCaller } from './cases.ts'
export { type Explanation, explain } from './explain.ts'
export { type Fault, formatFaults, PolicyFaults } from './faults.ts'
export { type LoadedPolicies, type LoadOptions, loadPolicies } from './load.ts'
export { findNotes, type KnownTool, type Note } from './notes.ts'
export { type CaseWord, runTests } from './run-tests.ts'
export { type PolicyWatch, watchPolicies } from './watch.ts'

export interface Policy {
  grant(principal: Principal, tool: ApprovedTool, call: ToolCall): Grant
  /** The tools this principal may see: those it may try to call, and discoverable ones that lack nothing but scope. */
  visible(principal: Principal, tools: readonly ApprovedTool[]): readonly ApprovedTool[]
}
