import { foldedKey } from '../core/json.ts'
import { BOUNDS } from './bounds.ts'
import { inPlaceOf, type Rule } from './rule.ts'
import { Unenforceable } from './unenforceable.ts'

const NOBODY: readonly Rule[] = []

/**
 * Finds for each rule all that judge the same value and say what its members or items are. Side by side they may be many more than
 * there are rules, so they are counted. Throws Unenforceable. No rule may lead back to itself.
 */
export function appointJudges(rules: readonly Rule[]): void {
  const isAppointed = new Set<Rule>()
  let count = 0

  function appoint(rule: Rule): readonly Rule[] {
    if (isAppointed.has(rule)) return rule.judges
    isAppointed.add(rule)
    const besides = besidesOf(rule)
    const own = namesParts(rule) ? [rule] : NOBODY
    if (besides.length === 0) rule.judges = own
    // A reference alone: whoever it names has the same judges.
    else if (besides.length === 1 && own.length === 0) rule.judges = appoint(besides[0] as Rule)
    else {
      const found = new Set(own)
      for (const each of besides) {
        const theirs = appoint(each)
        count += theirs.length
        if (count > BOUNDS.judges) throw new Unenforceable('too many schemas side by side')
        for (const judge of theirs) found.add(judge)
      }
      rule.judges = [...found]
    }
    return rule.judges
  }

  for (const rule of rules) appoint(rule)
}

/** What `not` describes is not what the value is. */
function besidesOf(rule: Rule): readonly Rule[] {
  return inPlaceOf(rule).filter(each => each !== rule.inPlace?.not)
}

function namesParts({ arrays, objects }: Rule): boolean {
  const items = arrays && (arrays.prefix.length > 0 || arrays.rest !== undefined || arrays.contains !== undefined)
  return items === true || (objects !== undefined && (objects.properties.size > 0 || objects.additional !== undefined))
}

const foldedNames = new WeakMap<Rule, ReadonlySet<string>>()

/** The names of a rule's properties, as they compare. */
export function foldedNamesOf(rule: Rule): ReadonlySet<string> {
  let names = foldedNames.get(rule)
  if (names === undefined) {
    names = new Set([...(rule.objects?.properties.keys() ?? [])].flatMap(name => foldedKey(name) ?? []))
    foldedNames.set(rule, names)
  }
  return names
}
