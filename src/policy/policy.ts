import { Refusal } from '../core/errors.ts'
import type { JsonObject } from '../core/json.ts'
import type { ApprovedItem, Call, Grant, GrantFacts, ItemKind, Principal } from '../core/model.ts'
import { argumentsOf, upstreamNameOf } from '../mcp/index.ts'
import { type Decision, decide, type Failed, isVisible } from './decide.ts'
import type { RuleBook, Ruled } from './rule-book.ts'
import { SECTION_OF, UNKNOWN_CODE } from './sections.ts'
import type { VariantOf } from './variants.ts'

/** The room: decides by one compiled revision. */
export function createPolicy(book: RuleBook, variantOf: VariantOf) {
  // An item is looked up once per catalog snapshot, not once per call: flat in the number of items and globs.
  const known = new WeakMap<ApprovedItem, Ruled | null>()
  const find = (item: ApprovedItem): Ruled | null => {
    let ruled = known.get(item)
    if (ruled === undefined) {
      // Such an item is made for one request: nothing of it is worth remembering.
      if (!item.listed) return book.findUnlisted(item.alias, item.upstreamName) ?? null
      ruled = book.find(item.alias, SECTION_OF[item.kind], item.upstreamName) ?? null
      known.set(item, ruled)
    }
    return ruled
  }
  /** A template stands for many URIs, and each may have an entry of its own. */
  const findFor = (item: ApprovedItem, call: Call): Ruled | null => {
    if (item.kind !== 'resourceTemplate') return find(item)
    const uri = upstreamNameOf(item, call)
    return uri === item.upstreamName ? find(item) : (book.findInstance(item.alias, uri, item.upstreamName) ?? null)
  }
  return {
    variantOf,
    grant(principal: Principal, item: ApprovedItem, call: Call): Grant {
      const ruled = findFor(item, call)
      if (ruled === null) throw unknown(item.kind, call, 'no policy entry')
      const decision = decide(ruled.entry, ruled.facts, principal, judgedOn(item, call))
      if (decision.kind !== 'granted') throw refusal(decision, ruled, item.kind, call)
      const { policy } = ruled.entry
      const facts: GrantFacts = {
        principal,
        item,
        call,
        effect: call.method === 'tasks/get' ? 'read' : policy.effect,
        rule: decision.rule.address,
        policy,
        revision: book.revision,
      }
      return facts as Grant
    },
    visible(principal: Principal, items: readonly ApprovedItem[]): readonly ApprovedItem[] {
      return items.filter(item => isVisible(find(item), principal))
    },
    hasShare(principal: Principal, alias: string): boolean {
      return book.rulingOf(alias).some(each => isVisible(each, principal))
    },
  }
}

/** What `when` is judged on; `undefined`: on nothing, because it was when the task began. */
function judgedOn(item: ApprovedItem, call: Call): JsonObject | undefined {
  switch (call.method) {
    case 'tools/call':
      return call.arguments
    case 'tasks/get':
    case 'tasks/update':
    case 'tasks/cancel':
      return undefined
    case 'completion/complete':
      // Helping to name a resource is judged as reading what the request names it by: a URI, or the template's text.
      return item.kind === 'prompt' ? call.arguments : { uri: upstreamNameOf(item, call) }
    default:
      return argumentsOf(item, call)
  }
}

function unknown(kind: ItemKind, { name }: Call, reason: string, rule?: string): Refusal {
  return new Refusal(UNKNOWN_CODE[SECTION_OF[kind]], { name }, rule === undefined ? { reason } : { reason, rule })
}

function refusal(decision: Exclude<Decision, { kind: 'granted' }>, ruled: Ruled, kind: ItemKind, call: Call): Refusal {
  switch (decision.kind) {
    case 'unknown':
      return unknown(kind, call, 'no rule for this caller', ruled.entry.policy.address)
    case 'scope':
      return new Refusal('AUTH_SCOPE_INSUFFICIENT', { scopes: decision.rule.scopes }, { rule: decision.rule.address })
    case 'refused':
      return refusedByWhen(decision.failed)
  }
}

const MAX_TOLD = 3

function refusedByWhen(failed: readonly Failed[]): Refusal {
  const told = [...new Set(failed.map(each => each.says))].slice(0, MAX_TOLD)
  const first = failed[0]
  return new Refusal(
    'POLICY_REFUSED',
    { text: `Refused by policy: ${told.join('; or ')}.`, notProcessed: true },
    first === undefined ? {} : { rule: first.rule.address, condition: first.condition.address },
  )
}
