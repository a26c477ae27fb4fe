import type { Random } from './random.ts'

export type Dialect = '2020-12' | 'draft-07'
export type Schema = boolean | { [keyword: string]: unknown }

export const URIS: Readonly<Record<Dialect, string>> = {
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
  'draft-07': 'http://json-schema.org/draft-07/schema#',
}

/** Names that are words of JavaScript, of JSON Schema and of JSON Pointer too. */
export const NAMES = ['a', 'b', 'c', 'A', 'toString', 'length', 'constructor', 'a/b', 'm~n', '$ref', 'é', '']
export const SCALARS = [
  null,
  true,
  false,
  0,
  1,
  -1,
  2,
  1.5,
  -0.5,
  3,
  10,
  1e21,
  '',
  'a',
  'ab',
  'b1',
  'é',
  '😀',
  'a😀b',
  '2026-11-30',
  '1.2.3.4',
  'x y',
]
export const PATTERNS = ['^a', 'b$', '^[ab]+$', 'é', '^.$', '^\\p{L}', '\\d', '^(?:a|b1?)*$', '^\\S+$', '[^a-c]', '^..', 'a{2,3}', '\\bb']
const FORMATS = ['date', 'ipv4', 'uri', 'email', 'date-time', 'int32', 'no-such', 'uuid', 'json-pointer']
const TYPES = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object']

/** A schema inside the profile, of one dialect. */
export function makeSchema(random: Random, dialect: Dialect): { [keyword: string]: unknown } {
  return new Maker(random, dialect).root()
}

class Maker {
  readonly #random: Random
  readonly #isNew: boolean
  readonly #dialect: Dialect
  #references: string[] = []
  /** One of the references does not judge those, so most schemas do without. */
  readonly #hasFormats: boolean

  constructor(random: Random, dialect: Dialect) {
    this.#random = random
    this.#dialect = dialect
    this.#isNew = dialect === '2020-12'
    this.#hasFormats = random.happens(0.2)
  }

  root(): { [keyword: string]: unknown } {
    const random = this.#random
    const names = random.some(['d', 'e', 'f/g'], 2)
    const keyword = this.#isNew ? '$defs' : 'definitions'
    this.#references = [...names.map(name => `#/${keyword}/${name.replace('/', '~1')}`), '#']
    const definitions = names.map(name => [name, this.schema(2)])
    const body = this.#object(4)
    const schema = names.length > 0 || random.happens(0.1) ? { ...body, [keyword]: Object.fromEntries(definitions) } : body
    return this.#isNew && random.happens(0.7) ? schema : { $schema: URIS[this.#dialect], ...schema }
  }

  schema(depth: number): Schema {
    if (this.#random.happens(0.08)) return this.#random.happens(0.7)
    return this.#object(depth)
  }

  #object(depth: number): { [keyword: string]: unknown } {
    const random = this.#random
    const makers =
      depth > 0 && random.happens(0.75) ? [...this.#plain(), ...this.#nested(depth - 1), ...this.#nested(depth - 1)] : this.#plain()
    const count = random.pick([1, 1, 2, 2, 3])
    return Object.assign({}, ...Array.from({ length: count }, () => random.pick(makers)()))
  }

  #plain(): readonly (() => object)[] {
    const random = this.#random
    const number = () => random.pick([-2, -1, 0, 0.5, 1, 2, 3, 10, 1.5, 1e21])
    const count = () => random.below(4)
    return [
      () => ({ type: random.pick(TYPES) }),
      () => ({ type: random.pick(TYPES) }),
      () => {
        const types = random.some(TYPES, 3)
        return types.length > 0 ? { type: types } : {}
      },
      () => ({ enum: [...random.some(SCALARS, 4), ['a', this.#constant(1)]] }),
      () => ({ const: this.#constant(2) }),
      () => ({ [random.pick(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'])]: number() }),
      () => ({ multipleOf: random.pick([1, 2, 3, 0.5]) }),
      () => ({ minLength: count(), ...(random.happens(0.5) ? { maxLength: count() + 1 } : {}) }),
      () => ({ pattern: random.pick(PATTERNS) }),
      () => (this.#hasFormats ? { format: random.pick(FORMATS) } : { required: [random.pick(NAMES)] }),
      () => ({ minItems: count(), ...(random.happens(0.5) ? { maxItems: count() + 1 } : {}) }),
      () => ({ uniqueItems: random.happens(0.9) }),
      () => ({ minProperties: count(), ...(random.happens(0.5) ? { maxProperties: count() + 1 } : {}) }),
      () => ({ required: random.some(NAMES, 2) }),
      () => ({ title: 'words', default: { $ref: '#/nowhere' }, 'x-vendor': { type: 7 } }),
      () => (this.#isNew ? { dependentRequired: { [random.pick(NAMES)]: random.some(NAMES, 2) } } : this.#dependencies(0)),
    ]
  }

  #nested(depth: number): readonly (() => object)[] {
    const random = this.#random
    const schema = () => this.schema(depth)
    const schemas = () => [schema(), ...random.list(2, schema)]
    const named = () => Object.fromEntries(random.some(NAMES, 3).map(name => [name, schema()]))
    const shared = [
      () => ({ properties: named() }),
      () => ({ properties: named(), additionalProperties: random.happens(0.5) ? false : schema() }),
      () => ({ patternProperties: Object.fromEntries(random.some(PATTERNS, 2).map(pattern => [pattern, schema()])) }),
      () => ({ propertyNames: schema() }),
      () => ({ items: schema() }),
      () => ({ contains: schema() }),
      () => ({ allOf: schemas() }),
      () => ({ anyOf: schemas() }),
      () => ({ oneOf: schemas() }),
      () => ({ not: schema() }),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      () => ({ if: schema(), ...(random.happens(0.8) ? { then: schema() } : {}), ...(random.happens(0.6) ? { else: schema() } : {}) }),
      () => this.#reference(),
      () => this.#reference(),
    ]
    if (!this.#isNew)
      return [
        ...shared,
        () => ({ items: schemas(), ...(random.happens(0.6) ? { additionalItems: schema() } : {}) }),
        () => this.#dependencies(depth),
      ]
    return [
      ...shared,
      () => ({ prefixItems: schemas(), ...(random.happens(0.6) ? { items: schema() } : {}) }),
      () => ({ contains: schema(), minContains: random.below(3), ...(random.happens(0.5) ? { maxContains: random.below(3) } : {}) }),
      () => ({ dependentSchemas: named() }),
      () => ({ unevaluatedProperties: random.happens(0.7) ? false : schema() }),
      () => ({ unevaluatedItems: random.happens(0.7) ? false : schema() }),
      () => ({ allOf: schemas(), unevaluatedProperties: random.happens(0.8) ? false : schema() }),
      () => ({ anyOf: schemas(), unevaluatedItems: false }),
    ]
  }

  /** In draft-07 a reference has no neighbours: readers differ over what they would mean. */
  #reference(): object {
    const $ref = this.#random.pick(this.#references)
    return this.#random.happens(0.5) ? { properties: { [this.#random.pick(NAMES)]: { $ref } } } : { items: { $ref } }
  }

  #dependencies(depth: number): object {
    const random = this.#random
    return { dependencies: { [random.pick(NAMES)]: random.happens(0.5) ? random.some(NAMES, 2) : this.schema(depth) } }
  }

  #constant(depth: number): unknown {
    const random = this.#random
    if (depth === 0 || random.happens(0.6)) return random.pick(SCALARS)
    if (random.happens(0.5)) return random.list(2, () => this.#constant(depth - 1))
    return Object.fromEntries(random.some(['a', 'b', 'é'], 2).map(name => [name, this.#constant(depth - 1)]))
  }
}
