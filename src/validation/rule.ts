import type { Constants } from './equality.ts'
import type { FormatTest } from './formats.ts'
import type { Limit } from './number-limits.ts'
import type { Pattern } from './patterns.ts'

/**
 * What one schema says, as the checker reads it. A schema is data to us and never becomes code: nothing of it can be longer to
 * read than it is, and nothing in it can be made to run.
 */
export class Rule {
  /** Units of work of one visit, without what the value's size adds. */
  weight = 1
  /** The schema `false`. */
  isNever = false
  /** False for `true` and for schemas of annotations alone. */
  asksSomething = false
  /** Bits of `typeBit`; 0 for any type. */
  types = 0
  typeNames: readonly string[] = []
  constants: Constants | undefined
  constant: Constants | undefined
  limits: Limit[] | undefined
  strings: StringRules | undefined
  arrays: ArrayRules | undefined
  objects: ObjectRules | undefined
  inPlace: InPlaceRules | undefined
  unevaluated: UnevaluatedRules | undefined
  /** The rules, this one among them, that name members or items of what this one judges. */
  judges: readonly Rule[] = []
}

export class StringRules {
  minLength = 0
  maxLength = Infinity
  pattern: Pattern | undefined
  format: { readonly name: string; readonly test: FormatTest } | undefined
}

export class ArrayRules {
  minItems = 0
  maxItems = Infinity
  isSet = false
  /** Of the first items, one each. */
  prefix: readonly Rule[] = []
  /** Of all items behind those. */
  rest: Rule | undefined
  /** draft-07: `items` is a list, and `additionalItems` means something. */
  isTuple = false
  behindTuple: Rule | undefined
  contains: Rule | undefined
  minContains = 1
  maxContains = Infinity
}

export class ObjectRules {
  minProperties = 0
  maxProperties = Infinity
  required: readonly string[] = []
  properties: ReadonlyMap<string, Rule> = new Map()
  patterns: readonly { readonly pattern: Pattern; readonly rule: Rule }[] = []
  additional: Rule | undefined
  names: Rule | undefined
  readonly dependentNames: { readonly keyword: string; readonly name: string; readonly required: readonly string[] }[] = []
  readonly dependentRules: { readonly name: string; readonly rule: Rule }[] = []
  /** Something is asked of every member, not of certain ones alone. */
  looksAtMembers = false
}

/** Those that judge the same value as the rule that holds them. */
export class InPlaceRules {
  refers: Rule | undefined
  allOf: readonly Rule[] = []
  anyOf: readonly Rule[] = []
  oneOf: readonly Rule[] = []
  not: Rule | undefined
  if: Rule | undefined
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: Rule | undefined
  else: Rule | undefined
}

export class UnevaluatedRules {
  properties: Rule | undefined
  items: Rule | undefined
}

/** What follows of all keywords of a schema together. */
export function settle(rule: Rule): void {
  const { arrays, objects } = rule
  if (arrays?.isTuple === true) arrays.rest = arrays.behindTuple
  if (objects === undefined) return
  objects.looksAtMembers = objects.properties.size + objects.patterns.length > 0 || (objects.additional ?? objects.names) !== undefined
  rule.weight += objects.required.length + objects.dependentNames.length + objects.dependentRules.length
}

/** Every rule that judges the same value. */
export function inPlaceOf({ inPlace, objects }: Rule): readonly Rule[] {
  const dependent = objects?.dependentRules.map(({ rule }) => rule) ?? []
  if (inPlace === undefined) return dependent
  const { refers, allOf, anyOf, oneOf, not, if: condition, then, else: otherwise } = inPlace
  return [refers, ...allOf, ...anyOf, ...oneOf, not, condition, then, otherwise, ...dependent].filter(isRule)
}

/** Every rule that judges a part of the value. */
export function partsOf({ arrays, objects, unevaluated }: Rule): readonly Rule[] {
  return [
    ...(arrays === undefined ? [] : [...arrays.prefix, arrays.rest, arrays.contains]),
    ...(objects === undefined ? [] : [...objects.properties.values(), objects.additional, objects.names]),
    ...(objects?.patterns.map(({ rule }) => rule) ?? []),
    unevaluated?.properties,
    unevaluated?.items,
  ].filter(isRule)
}

function isRule(rule: Rule | undefined): rule is Rule {
  return rule !== undefined
}

/** `number` has two bits: an integer is a number too. */
export const TYPE_BITS: Readonly<Record<string, number>> = {
  null: 1,
  boolean: 2,
  integer: 4,
  number: 12,
  string: 16,
  array: 32,
  object: 64,
}
