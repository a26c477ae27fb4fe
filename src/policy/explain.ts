import type { JsonObject } from '../core/json.ts'
import type { PrincipalFacts } from '../core/model.ts'
import type { Condition } from './condition.ts'
import { type Decision, decide } from './decide.ts'
import { ExposedNames } from './exposed-names.ts'
import type { LoadedPolicies } from './load.ts'
import type { Ruled } from './rule-book.ts'
import type { CompiledRule } from './rules.ts'

interface ExplainedCondition {
  readonly address: string
  readonly kind: 'scope' | 'claim' | 'when'
  readonly text: string
  readonly holds: boolean
}

interface ExplainedRule {
  readonly address: string
  readonly name: string | undefined
  readonly conditions: readonly ExplainedCondition[]
}

export interface Explanation {
  readonly tool: string
  /** Whose tool it is and what it is called there; `undefined` when no entry names it. */
  readonly upstream: { readonly alias: string; readonly name: string } | undefined
  /** `allow`, or the code of the refusal. */
  readonly decision: 'allow' | 'POLICY_REFUSED' | 'AUTH_SCOPE_INSUFFICIENT' | 'CATALOG_UNKNOWN_TOOL'
  /** What decided; `undefined` when no entry names the tool. */
  readonly address: string | undefined
  /** The scopes a challenge would name. */
  readonly scopes: readonly string[]
  readonly rules: readonly ExplainedRule[]
}

/** Every condition of every rule with its outcome, none left out, by the same compiled tests that decide. */
export function explain(
  loaded: Pick<LoadedPolicies, 'configuration' | 'book'>,
  principal: PrincipalFacts,
  exposedName: string,
  args: JsonObject,
): Explanation {
  const ruled = new ExposedNames(loaded.configuration, loaded.book).find(exposedName)
  if (ruled === undefined)
    return { tool: exposedName, upstream: undefined, decision: 'CATALOG_UNKNOWN_TOOL', address: undefined, scopes: [], rules: [] }
  const decision = decide(ruled.entry, ruled.facts, principal, args)
  const { alias, name } = ruled.facts
  return {
    tool: exposedName,
    upstream: { alias, name },
    ...conclusion(decision, ruled),
    rules: ruled.entry.rules.map(rule => ({
      address: rule.address,
      name: rule.name,
      conditions: conditionsOf(rule, ruled, principal, args),
    })),
  }
}

function conclusion(decision: Decision, ruled: Ruled): Pick<Explanation, 'decision' | 'address' | 'scopes'> {
  switch (decision.kind) {
    case 'granted':
      return { decision: 'allow', address: decision.rule.address, scopes: [] }
    case 'refused':
      return { decision: 'POLICY_REFUSED', address: decision.failed[0]?.condition.address, scopes: [] }
    case 'scope':
      return { decision: 'AUTH_SCOPE_INSUFFICIENT', address: decision.rule.address, scopes: decision.rule.scopes }
    case 'unknown':
      return { decision: 'CATALOG_UNKNOWN_TOOL', address: ruled.entry.policy.address, scopes: [] }
  }
}

function conditionsOf(rule: CompiledRule, { facts }: Ruled, principal: PrincipalFacts, args: JsonObject): readonly ExplainedCondition[] {
  const outcome = (kind: 'claim' | 'when') => (condition: Condition) => ({
    address: condition.address,
    kind,
    text: condition.text,
    holds: condition.holds(principal, facts, args),
  })
  return [
    ...rule.claims.map(outcome('claim')),
    ...rule.scopes.map(scope => ({
      address: `${rule.address}/scopes`,
      kind: 'scope' as const,
      text: `scope ${scope}`,
      holds: principal.scopes.has(scope),
    })),
    ...rule.when.map(outcome('when')),
  ]
}
