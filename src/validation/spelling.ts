import { foldedKey, isJsonArray, isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import { foldedNamesOf } from './judges.ts'
import { meter, TooCostly } from './meter.ts'
import type { Rule } from './rule.ts'

/**
 * Whether a member of the arguments, at any depth, is a declared one in another spelling. Upstreams in Go, Java and .NET may bind
 * `Amount` to the field `amount`: where a schema is open, `Amount` is a member it does not know, so neither its limits nor a policy's
 * `absent` would ever see the value that is used.
 */
export function hasOtherSpelling({ judges }: Rule, args: JsonObject): boolean {
  meter.startSpelling()
  try {
    return isOther(args, judges)
  } catch (error) {
    if (error instanceof TooCostly) return true
    throw error
  }
}

function isOther(value: Json, judges: readonly Rule[]): boolean {
  if (judges.length === 0 || typeof value !== 'object' || value === null) return false
  if (isJsonArray(value)) return isOtherInItems(value, judges)
  if (!isJsonObject(value)) return false
  const keys = Object.keys(value)
  meter.spend(keys.length * (2 + 2 * judges.length))
  for (const key of keys) if (isOtherMember(key, value[key] as Json, judges)) return true
  return false
}

function isOtherMember(key: string, value: Json, judges: readonly Rule[]): boolean {
  let declared: Rule[] | undefined
  for (const { objects } of judges) {
    const rule = objects?.properties.get(key)
    if (rule === undefined) continue
    declared ??= []
    declared.push(rule)
  }
  if (declared !== undefined) return isBelow(value) && isOther(value, judgesOfAll(declared))
  meter.spend(key.length >> 2)
  const folded = foldedKey(key)
  if (folded !== undefined && judges.some(judge => foldedNamesOf(judge).has(folded))) return true
  return isBelow(value) && isOther(value, judgesOfAll(judges.flatMap(({ objects }) => objects?.additional ?? [])))
}

function isOtherInItems(values: readonly Json[], judges: readonly Rule[]): boolean {
  if (!values.some(isBelow)) return false
  const rules = judges.flatMap(({ arrays }) => [...(arrays?.prefix ?? []), arrays?.rest ?? [], arrays?.contains ?? []].flat())
  meter.spend(judges.length + rules.length + values.length)
  const below = judgesOfAll(rules)
  return below.length > 0 && values.some(value => isOther(value, below))
}

/** Without repetition: a schema that refers to itself from two branches would otherwise double at each level of the value. */
function judgesOfAll(rules: readonly Rule[]): readonly Rule[] {
  const [only] = rules
  if (only === undefined) return NOBODY
  if (rules.length === 1) return only.judges
  const lists = new Set(rules.map(({ judges }) => judges))
  if (lists.size === 1) return only.judges
  const all = new Set<Rule>()
  for (const list of lists) {
    meter.spend(2 * list.length)
    for (const judge of list) all.add(judge)
  }
  return [...all]
}

const NOBODY: readonly Rule[] = []

function isBelow(value: Json): boolean {
  return typeof value === 'object' && value !== null
}
