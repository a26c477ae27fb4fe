import { inPlaceOf, partsOf, type Rule } from './rule.ts'

/** Whether some schema asks for itself about the same value: `{"allOf": [{"$ref": "#"}]}` has no answer. */
export function isCircular(rules: readonly Rule[]): boolean {
  const isDone = new Map<Rule, boolean>()
  const closes = (rule: Rule): boolean => {
    const before = isDone.get(rule)
    if (before !== undefined) return !before
    isDone.set(rule, false)
    if (inPlaceOf(rule).some(closes)) return true
    isDone.set(rule, true)
    return false
  }
  return rules.some(closes)
}

/**
 * How many subschemas a check may visit for one level of a value, with every `$ref` followed. Computed with a memo, never walked: 22
 * definitions that each name the next one twice are four million. A reference back into an open schema counts once; how often
 * recursion really happens depends on the value, and the meter ends it.
 */
export function expansionOf(root: Rule): number {
  const known = new Map<Rule, number>()
  const expand = (rule: Rule): number => {
    const before = known.get(rule)
    if (before !== undefined) return before
    known.set(rule, 1)
    let total = 1
    for (const below of inPlaceOf(rule)) total += expand(below)
    for (const below of partsOf(rule)) total += expand(below)
    known.set(rule, total)
    return total
  }
  return expand(root)
}
