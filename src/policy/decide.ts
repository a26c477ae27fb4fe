import type { JsonObject } from '../core/json.ts'
import type { PrincipalFacts } from '../core/model.ts'
import type { ToolFacts } from './cel.ts'
import type { Condition } from './condition.ts'
import type { Ruled } from './rule-book.ts'
import type { CompiledEntry, CompiledRule } from './rules.ts'

/** Without a call: may this caller see the item, and try? With one: may this call be made? */
export type Decision =
  | { readonly kind: 'granted'; readonly rule: CompiledRule }
  /** No rule is for this caller, whatever scopes they ask for. */
  | { readonly kind: 'unknown' }
  /** A rule is for this caller but for its scopes: the smallest sufficient set. */
  | { readonly kind: 'scope'; readonly rule: CompiledRule }
  /** Rules let the caller try, and each refuses this call. */
  | { readonly kind: 'refused'; readonly failed: readonly Failed[] }

export interface Failed {
  readonly rule: CompiledRule
  readonly condition: Condition
  /** What its caller may be told of it. */
  readonly says: string
}

const UNKNOWN: Decision = { kind: 'unknown' }

/**
 * The one decision. Scope stands before arguments, as everywhere in this gateway: what a call looks like is only judged by
 * rules whose claims and scopes the caller has, so a caller who lacks scope learns nothing of `when`, and the challenge for
 * an item is always the same. A caller who has a rule's scopes is never challenged for more.
 */
export function decide(entry: CompiledEntry, facts: ToolFacts, principal: PrincipalFacts, args: JsonObject | undefined): Decision {
  let failed: Failed[] | undefined
  let lacking: CompiledRule[] | undefined
  for (const rule of entry.rules) {
    if (firstFailing(rule.claims, principal, facts, NO_ARGUMENTS) !== undefined) continue
    if (countMissing(rule, principal) > 0) {
      lacking ??= []
      lacking.push(rule)
      continue
    }
    const condition = args === undefined ? undefined : firstFailing(rule.when, principal, facts, args)
    if (condition === undefined) return { kind: 'granted', rule }
    failed ??= []
    failed.push({ rule, condition, says: condition.saysToLacking?.(args ?? NO_ARGUMENTS) ?? condition.says })
  }
  if (failed !== undefined) return { kind: 'refused', failed }
  return lacking === undefined ? UNKNOWN : { kind: 'scope', rule: smallest(lacking, principal) }
}

/** Whether a list shows it: what may be tried, and what lacks nothing but scope where it may be discovered. */
export function isVisible(ruled: Ruled | null | undefined, principal: PrincipalFacts): boolean {
  if (ruled === null || ruled === undefined) return false
  const { kind } = decide(ruled.entry, ruled.facts, principal, undefined)
  return kind === 'granted' || (kind === 'scope' && ruled.entry.policy.discoverable)
}

const NO_ARGUMENTS: JsonObject = {}

function firstFailing(
  conditions: readonly Condition[],
  principal: PrincipalFacts,
  tool: ToolFacts,
  args: JsonObject,
): Condition | undefined {
  for (const condition of conditions) if (!condition.holds(principal, tool, args)) return condition
  return undefined
}

function countMissing(rule: CompiledRule, principal: PrincipalFacts): number {
  let missing = 0
  for (const scope of rule.scopes) if (!principal.scopes.has(scope)) missing++
  return missing
}

/** Fewest missing, then fewest in all, then the first. */
function smallest(rules: readonly CompiledRule[], principal: PrincipalFacts): CompiledRule {
  return rules.reduce((best, rule) => {
    const difference = countMissing(rule, principal) - countMissing(best, principal) || rule.scopes.length - best.scopes.length
    return difference < 0 ? rule : best
  })
}
