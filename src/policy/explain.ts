import type { PrincipalFacts } from '../core/model.ts'
import { type Asked, decideAsked, type Found, findAsked, type Outcome, outcomeOf } from './asked.ts'
import type { Condition } from './condition.ts'
import type { Decision } from './decide.ts'
import { ExposedNames } from './exposed-names.ts'
import type { LoadedPolicies } from './load.ts'
import { nearest } from './nearest.ts'
import type { Ruled } from './rule-book.ts'
import type { CompiledRule } from './rules.ts'
import { SECTION_OF } from './sections.ts'

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
  readonly kind: Asked['kind']
  /** As callers say it. */
  readonly name: string
  /** Whose it is, what it is called there, and whether its entry opens what nothing approved names; `undefined` when no entry names it. */
  readonly upstream: { readonly alias: string; readonly name: string; readonly unlisted: boolean } | undefined
  /** A name that policy has, where it has not this one and this may be misspelled. */
  readonly meant?: string
  /** `allow`, or the code of the refusal. */
  readonly decision: Outcome
  /** What decided; `undefined` when no entry names it. */
  readonly address: string | undefined
  /** The scopes a challenge would name. */
  readonly scopes: readonly string[]
  readonly rules: readonly ExplainedRule[]
}

/** Every condition of every rule with its outcome, none left out, by the same compiled tests that decide. */
export function explain(loaded: Pick<LoadedPolicies, 'configuration' | 'book'>, principal: PrincipalFacts, asked: Asked): Explanation {
  const names = new ExposedNames(loaded.configuration, loaded.book)
  const found = findAsked(asked, names)
  const decision = decideAsked(found, principal)
  const { kind, name } = asked
  const said = { kind, name, decision: outcomeOf(decision, asked) }
  if (found === undefined) {
    const meant = nearest(name, names.all(SECTION_OF[kind]).keys())
    return { ...said, ...(meant !== undefined && { meant }), upstream: undefined, address: undefined, scopes: [], rules: [] }
  }
  const { entry, facts } = found.ruled
  return {
    ...said,
    upstream: { alias: facts.alias, name: facts.name, unlisted: entry.policy.unlisted },
    address: addressOf(decision, found.ruled),
    scopes: decision.kind === 'scope' ? decision.rule.scopes : [],
    rules: entry.rules.map(rule => ({ address: rule.address, name: rule.name, conditions: conditionsOf(rule, found, principal) })),
  }
}

function addressOf(decision: Decision, { entry }: Ruled): string | undefined {
  if (decision.kind === 'unknown') return entry.policy.address
  return decision.kind === 'refused' ? decision.failed[0]?.condition.address : decision.rule.address
}

function conditionsOf(rule: CompiledRule, { ruled, args }: Found, principal: PrincipalFacts): readonly ExplainedCondition[] {
  const outcome = (kind: 'claim' | 'when') => (condition: Condition) => ({
    address: condition.address,
    kind,
    text: condition.text,
    holds: condition.holds(principal, ruled.facts, args),
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
