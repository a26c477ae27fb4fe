import type { Random } from './random.ts'
import { NAMES, SCALARS, type Schema } from './schemas.ts'

/** A value that often fits, or nearly: made along the schema, with slips. */
export function makeValue(random: Random, root: Schema): unknown {
  return random.happens(0.15) ? anything(random, 3) : along(random, root, root, 5)
}

function along(random: Random, root: Schema, schema: unknown, depth: number): unknown {
  if (typeof schema !== 'object' || schema === null || depth === 0 || random.happens(0.06)) return anything(random, 2)
  const rules = schema as Record<string, unknown>
  const follow = (below: unknown) => along(random, root, below, depth - 1)
  if (typeof rules.$ref === 'string') return follow(target(root, rules.$ref))
  if ('const' in rules) return rules.const
  if (Array.isArray(rules.enum) && rules.enum.length > 0) return random.pick(rules.enum)
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    const branches = rules[keyword]
    if (Array.isArray(branches) && random.happens(0.6)) return merged(follow(random.pick(branches)), rules, random, follow)
  }
  if (typeof rules.if === 'object' && random.happens(0.5)) return follow(random.pick([rules.if, rules.then, rules.else]))
  return merged(undefined, rules, random, follow)
}

function merged(start: unknown, rules: Record<string, unknown>, random: Random, follow: (schema: unknown) => unknown): unknown {
  const type = random.pick([rules.type ?? guessed(rules, random)].flat())
  if (type === 'object' && (start === undefined || isObject(start))) return object(isObject(start) ? start : {}, rules, random, follow)
  if (type === 'array' && (start === undefined || Array.isArray(start)))
    return array(Array.isArray(start) ? start : [], rules, random, follow)
  if (start !== undefined) return start
  switch (type) {
    case 'string':
      return random.pick(SCALARS.filter(scalar => typeof scalar === 'string'))
    case 'integer':
    case 'number':
      return number(rules, random)
    case 'boolean':
      return random.happens(0.5)
    default:
      return null
  }
}

function guessed(rules: Record<string, unknown>, random: Random): string {
  const has = (...keywords: readonly string[]) => keywords.some(keyword => keyword in rules)
  if (
    has(
      'properties',
      'required',
      'patternProperties',
      'dependentSchemas',
      'dependentRequired',
      'dependencies',
      'minProperties',
      'unevaluatedProperties',
      'propertyNames',
    )
  )
    return 'object'
  if (has('items', 'prefixItems', 'contains', 'uniqueItems', 'minItems', 'unevaluatedItems')) return 'array'
  if (has('minLength', 'pattern', 'format')) return 'string'
  return random.pick(['object', 'array', 'string', 'number', 'null'])
}

function number(rules: Record<string, unknown>, random: Random): number {
  const limits = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'].map(keyword => rules[keyword])
  const near = limits.filter(limit => typeof limit === 'number')
  return near.length > 0 ? random.pick(near) + random.pick([0, 0, 0.5, 1, -1]) : random.between(-3, 12)
}

function object(start: object, rules: Record<string, unknown>, random: Random, follow: (schema: unknown) => unknown): unknown {
  const result: Record<string, unknown> = { ...start }
  if (isObject(rules.properties))
    for (const [name, below] of Object.entries(rules.properties)) if (random.happens(0.7)) result[name] = follow(below)
  if (Array.isArray(rules.required)) for (const name of rules.required) if (random.happens(0.9)) result[name] ??= anything(random, 1)
  const rest = rules.additionalProperties ?? rules.unevaluatedProperties
  for (const name of random.some(NAMES, random.pick([0, 0, 1, 2]))) if (!Object.hasOwn(result, name)) result[name] = follow(rest)
  return result
}

function array(start: readonly unknown[], rules: Record<string, unknown>, random: Random, follow: (schema: unknown) => unknown): unknown {
  const items = [...start]
  const prefix = Array.isArray(rules.prefixItems) ? rules.prefixItems : Array.isArray(rules.items) ? rules.items : []
  for (const below of prefix) if (random.happens(0.85)) items.push(follow(below))
  const rest = Array.isArray(rules.items) ? rules.additionalItems : (rules.items ?? rules.contains)
  for (let count = random.below(4); count > 0; count--) items.push(random.happens(0.8) ? follow(rest) : follow(rules.contains))
  if (items.length > 0 && random.happens(0.15)) items.push(items[0])
  return items
}

function anything(random: Random, depth: number): unknown {
  if (depth === 0 || random.happens(0.5)) return random.pick(SCALARS)
  if (random.happens(0.5)) return random.list(3, () => anything(random, depth - 1))
  return Object.fromEntries(random.some(NAMES, 3).map(name => [name, anything(random, depth - 1)]))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function target(root: Schema, reference: string): unknown {
  let at: unknown = root
  for (const token of reference.split('/').slice(1)) at = isObject(at) ? at[token.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined
  return at
}
