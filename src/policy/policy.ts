import { Refusal } from '../core/errors.ts'
import type { ApprovedItem, Call, Grant, GrantFacts, Principal } from '../core/model.ts'
import { type Decision, decide, type Failed } from './decide.ts'
import type { RuleBook, Ruled } from './rule-book.ts'

/** The room: decides by one compiled revision. */
export function createPolicy(book: RuleBook) {
  // A tool is looked up once per catalog snapshot, not once per call: flat in the number of tools and globs.
  const known = new WeakMap<ApprovedItem, Ruled | null>()
  const find = (tool: ApprovedItem): Ruled | null => {
    let ruled = known.get(tool)
    if (ruled === undefined) {
      ruled = book.find(tool.alias, tool.upstreamName) ?? null
      known.set(tool, ruled)
    }
    return ruled
  }
  return {
    grant(principal: Principal, tool: ApprovedItem, call: Call): Grant {
      const ruled = find(tool)
      if (ruled === null) throw new Refusal('CATALOG_UNKNOWN_TOOL', { name: call.name }, { reason: 'no policy entry' })
      const decision = decide(ruled.entry, ruled.facts, principal, call.arguments)
      if (decision.kind !== 'granted') throw refusal(decision, ruled, call)
      const { policy } = ruled.entry
      const facts: GrantFacts = {
        principal,
        item: tool,
        call,
        effect: policy.effect,
        rule: decision.rule.address,
        policy,
        revision: book.revision,
      }
      return facts as Grant
    },
    visible(principal: Principal, tools: readonly ApprovedItem[]): readonly ApprovedItem[] {
      return tools.filter(tool => isVisible(find(tool), principal))
    },
  }
}

function isVisible(ruled: Ruled | null, principal: Principal): boolean {
  if (ruled === null) return false
  const { kind } = decide(ruled.entry, ruled.facts, principal, undefined)
  return kind === 'granted' || (kind === 'scope' && ruled.entry.policy.discoverable)
}

function refusal(decision: Exclude<Decision, { kind: 'granted' }>, ruled: Ruled, call: Call): Refusal {
  switch (decision.kind) {
    case 'unknown':
      return new Refusal(
        'CATALOG_UNKNOWN_TOOL',
        { name: call.name },
        { reason: 'no rule for this caller', rule: ruled.entry.policy.address },
      )
    case 'scope':
      return new Refusal('AUTH_SCOPE_INSUFFICIENT', { scopes: decision.rule.scopes }, { rule: decision.rule.address })
    case 'refused':
      return refusedByWhen(decision.failed)
  }
}

const MAX_TOLD = 3

function refusedByWhen(failed: readonly Failed[]): Refusal {
  const told = [...new Set(failed.map(each => each.condition.says))].slice(0, MAX_TOLD)
  const first = failed[0]
  return new Refusal(
    'POLICY_REFUSED',
    { text: `Refused by policy: ${told.join('; or ')}.`, notProcessed: true },
    first === undefined ? {} : { rule: first.rule.address, condition: first.condition.address },
  )
}
