import type { Random } from './random.ts'
import { PATTERNS, type Schema } from './schemas.ts'

/** The largest that fits: through the profile, and through the limits of a request. */
const MAX_SCHEMA = 65_000
const MAX_VALUE = 1_000_000
const MAX_NODES = 90_000

/** A schema and a value that are large in every way that the bounds leave open, and sometimes in one that they do not. */
export function makeHostile(random: Random): { readonly schema: unknown; readonly value: unknown } {
  const leaf = random.pick(LEAVES)(random)
  const schema = random.pick(TREES)(random, leaf)
  return { schema, value: random.pick(VALUES)(random) }
}

/** Patterns are few: what holds one is repeated less. */
const MAX_PATTERNS = 45

const LEAVES: readonly ((random: Random) => Schema)[] = [
  () => ({}),
  () => ({ type: 'string' }),
  () => ({ enum: ['a', [1], { a: 1 }] }),
  () => ({ uniqueItems: true }),
  () => ({ required: ['a', 'k1', 'zz'] }),
  () => ({ minProperties: 1, propertyNames: { maxLength: 9 } }),
  () => ({ multipleOf: 1e-300 }),
  () => ({ maximum: 1, minimum: 0 }),
  () => ({ contains: { const: 'zz' } }),
  () => ({ contains: true, unevaluatedItems: false }),
  () => ({ additionalProperties: { type: 'integer' }, unevaluatedProperties: false }),
  random => ({ format: random.pick(['uri', 'email', 'date-time', 'ipv6', 'json-pointer', 'hostname', 'duration']) }),
  random => ({ minLength: random.below(500_000), maxLength: random.below(1_000_000) }),
  random => ({ pattern: hostilePattern(random) }),
  random => ({ patternProperties: { [hostilePattern(random)]: true } }),
  random => ({ oneOf: [{ type: 'integer' }, { pattern: random.pick(PATTERNS) }, { items: { type: 'string' } }] }),
]

function hostilePattern(random: Random): string {
  const part = random.pick([
    'a',
    '[ab]',
    '.',
    '\\w',
    '(?:a|b)',
    '(a*)*',
    '(?:a?b?)',
    '[^b]',
    '\\p{L}',
    '[\\p{L}\\p{N}\\s]',
    'a+',
    '(?:.{9}){9}',
    '\\b\\w',
  ])
  const times = random.pick(['', '*', '+', `{${random.between(2, 30)}}`, `{0,${random.between(50, 999)}}`, '{99}'])
  const whole = random.pick([
    `^${part}${times}$`,
    `(?:a|b)*a${part}${times}$`,
    `(${part}${times})*b`,
    `${part}${times}`.repeat(random.between(1, 9)),
  ])
  return whole.slice(0, 512)
}

const TREES: readonly ((random: Random, leaf: Schema) => unknown)[] = [
  (_, leaf) => ({ items: leaf, additionalProperties: leaf }),
  (_, leaf) => fill(leaf, leaves => ({ allOf: groups(leaves, 60).map(allOf => ({ allOf })) })),
  (_, leaf) => fill(leaf, leaves => ({ items: { anyOf: leaves.slice(0, 60) }, additionalProperties: { anyOf: leaves.slice(0, 60) } })),
  (_, leaf) => fill(leaf, leaves => ({ items: { allOf: groups(leaves, 60).map(oneOf => ({ oneOf })) } })),
  (_, leaf) => fill(leaf, leaves => ({ properties: members(groups(leaves, 200).map(group => ({ properties: members(group) }))) })),
  (random, leaf) => {
    const branch = random.pick(['anyOf', 'oneOf', 'allOf'])
    const again = { [branch]: Array.from({ length: random.between(2, 60) }, () => ({ $ref: '#/$defs/a' })) }
    return {
      $ref: '#/$defs/a',
      $defs: { a: { properties: { x: again, v: leaf }, items: again, unevaluatedProperties: random.happens(0.5) } },
    }
  },
  (random, leaf) => {
    const names = Array.from({ length: random.between(2, 900) }, (_, index) => `d${index}`)
    const width = random.pick([1, 1, 2, 3])
    const next = (index: number) => Array.from({ length: width }, () => ({ $ref: `#/$defs/${names[index + 1] ?? 'end'}` }))
    const definitions = names.map((name, index) => [name, { anyOf: next(index) }])
    return {
      anyOf: [{ $ref: '#/$defs/d0' }],
      $defs: { ...Object.fromEntries(definitions), end: random.happens(0.3) ? { $ref: '#/$defs/d0' } : leaf },
    }
  },
  (random, leaf) => {
    let schema: unknown = leaf
    for (let depth = random.between(5, 33); depth > 0; depth--)
      schema = random.pick([{ not: schema }, { items: schema }, { anyOf: [schema, schema] }])
    return JSON.stringify(schema).length < 4 * MAX_SCHEMA ? schema : leaf
  },
  (random, leaf) => {
    const names = Array.from({ length: 200 }, (_, index) => `k${index}`)
    const needed = Object.fromEntries(names.map(name => [name, random.some(names, 20)]))
    return { dependentRequired: needed, dependentSchemas: Object.fromEntries(names.map(name => [name, leaf])) }
  },
]

function fill(leaf: Schema, make: (leaves: readonly Schema[]) => unknown): unknown {
  const text = JSON.stringify(leaf)
  const count = Math.min(Math.floor(1_700 / text.split('{').length), Math.floor((MAX_SCHEMA - 5_000) / (text.length + 12)))
  return make(Array.from({ length: text.includes('attern') ? Math.min(count, MAX_PATTERNS) : count }, () => leaf))
}

function groups(leaves: readonly Schema[], most: number): Schema[][] {
  const size = Math.ceil(leaves.length / most)
  return Array.from({ length: Math.ceil(leaves.length / size) }, (_, index) => leaves.slice(index * size, (index + 1) * size))
}

function members(schemas: readonly unknown[]): object {
  return Object.fromEntries(schemas.slice(0, 250).map((schema, index) => [`k${index}`, schema]))
}

const VALUES: readonly ((random: Random) => unknown)[] = [
  random => text(random, random.below(MAX_VALUE)),
  random => listOf(random, () => random.below(1_000_000)),
  random => listOf(random, () => 1.234e300),
  random => listOf(random, () => 'zz'),
  random => listOf(random, index => `x${index}`),
  random => listOf(random, index => ({ index, a: 'x' })),
  random => listOf(random, () => text(random, 40)),
  random => listOf(random, () => [[1, 2], { a: [] }]),
  random => Object.fromEntries(listOf(random, index => [`k${index}`, 1]) as [string, unknown][]),
  random => Object.fromEntries(listOf(random, index => [`k${index % 300}`, { k1: index }]) as [string, unknown][]),
  random => {
    let value: unknown = { v: 1 }
    for (let depth = random.between(1, 58); depth > 0; depth--) value = random.happens(0.8) ? { x: value } : [value]
    return value
  },
]

function text(random: Random, length: number): string {
  const unit = random.pick(['a', 'ab', 'é', '😀', 'a.', '/a', '1', 'a:b', '::', 't', 'a@', ' ', '\n'])
  if (unit !== 'ab') return unit.repeat(Math.floor(length / unit.length))
  return Array.from({ length }, () => (random.happens(0.5) ? 'a' : 'b')).join('')
}

function listOf(random: Random, make: (index: number) => unknown): unknown[] {
  const size = JSON.stringify(make(1)).length + 1
  const nodes = 1 + JSON.stringify(make(1)).split(/[,:[{]/).length
  return Array.from({ length: Math.floor(random.unit() * Math.min(MAX_NODES / nodes, MAX_VALUE / size)) }, (_, index) => make(index))
}
