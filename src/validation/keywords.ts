import { ExactNumber, isJsonArray, isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import { isIntegerText } from './decimal.ts'
import { Constants } from './equality.ts'
import { FORMATS } from './formats.ts'
import { Limit, type LimitKeyword } from './number-limits.ts'
import type { Pattern } from './patterns.ts'
import { ArrayRules, InPlaceRules, ObjectRules, type Rule, StringRules, TYPE_BITS, UnevaluatedRules } from './rule.ts'

export type Dialect = '2020-12' | 'draft-07'

/** What a keyword may ask of whoever reads the schema around it. Only schema places are read as schemas. */
export interface Reading {
  schema(value: Json): Rule
  schemas(value: Json): readonly Rule[]
  /** Alternatives: there may not be too many. */
  branches(value: Json): readonly Rule[]
  schemasByName(value: Json): ReadonlyMap<string, Rule>
  schemasByPattern(value: Json): readonly { readonly pattern: Pattern; readonly rule: Rule }[]
  /** Of `properties`: there may not be too many. */
  properties(value: Json): ReadonlyMap<string, Rule>
  names(value: Json): readonly string[]
  pattern(value: Json): Pattern
  /** A schema of a member called so, under a keyword that also takes other values. */
  member(name: string, value: Json): Rule
  /** The value is none that its dialect knows. */
  invalid(): never
}

type Read = (rule: Rule, value: Json, reading: Reading, keyword: string) => void

const limit: Read = (rule, value, reading, keyword) => {
  if (typeof value !== 'number' && !(value instanceof ExactNumber)) return reading.invalid()
  if (keyword === 'multipleOf' && !(Number(value instanceof ExactNumber ? value.text : value) > 0)) return reading.invalid()
  rule.limits ??= []
  rule.limits.push(new Limit(keyword as LimitKeyword, value))
}

function strings(rule: Rule): StringRules {
  rule.strings ??= new StringRules()
  return rule.strings
}
function arrays(rule: Rule): ArrayRules {
  rule.arrays ??= new ArrayRules()
  return rule.arrays
}
function objects(rule: Rule): ObjectRules {
  rule.objects ??= new ObjectRules()
  return rule.objects
}
function inPlace(rule: Rule): InPlaceRules {
  rule.inPlace ??= new InPlaceRules()
  return rule.inPlace
}
function unevaluated(rule: Rule): UnevaluatedRules {
  rule.unevaluated ??= new UnevaluatedRules()
  return rule.unevaluated
}

const SHARED: Readonly<Record<string, Read>> = {
  type: (rule, value, reading) => {
    const names = isJsonArray(value) ? value : [value]
    if (names.length === 0 || new Set(names).size < names.length || !names.every(isTypeName)) return reading.invalid()
    rule.typeNames = names
    rule.types = names.reduce((bits, name) => bits | (TYPE_BITS[name] as number), 0)
  },
  enum: (rule, value, reading) => {
    rule.constants = new Constants(isJsonArray(value) ? value : reading.invalid())
  },
  const: (rule, value) => {
    rule.constant = new Constants([value])
  },
  maximum: limit,
  minimum: limit,
  exclusiveMaximum: limit,
  exclusiveMinimum: limit,
  multipleOf: limit,
  maxLength: (rule, value, reading) => {
    strings(rule).maxLength = countOf(value, reading)
  },
  minLength: (rule, value, reading) => {
    strings(rule).minLength = countOf(value, reading)
  },
  pattern: (rule, value, reading) => {
    strings(rule).pattern = reading.pattern(value)
  },
  format: (rule, value) => {
    const test = typeof value === 'string' ? FORMATS.get(value) : undefined
    if (test !== undefined) strings(rule).format = { name: value as string, test }
  },
  maxItems: (rule, value, reading) => {
    arrays(rule).maxItems = countOf(value, reading)
  },
  minItems: (rule, value, reading) => {
    arrays(rule).minItems = countOf(value, reading)
  },
  uniqueItems: (rule, value, reading) => {
    arrays(rule).isSet = typeof value === 'boolean' ? value : reading.invalid()
  },
  contains: (rule, value, reading) => {
    arrays(rule).contains = reading.schema(value)
  },
  maxProperties: (rule, value, reading) => {
    objects(rule).maxProperties = countOf(value, reading)
  },
  minProperties: (rule, value, reading) => {
    objects(rule).minProperties = countOf(value, reading)
  },
  required: (rule, value, reading) => {
    objects(rule).required = reading.names(value)
  },
  properties: (rule, value, reading) => {
    objects(rule).properties = reading.properties(value)
  },
  patternProperties: (rule, value, reading) => {
    objects(rule).patterns = reading.schemasByPattern(value)
  },
  additionalProperties: (rule, value, reading) => {
    objects(rule).additional = reading.schema(value)
  },
  propertyNames: (rule, value, reading) => {
    objects(rule).names = reading.schema(value)
  },
  // Of draft-07; validators still enforce it under 2020-12, and its meta-schema still describes it.
  dependencies: (rule, value, reading) => {
    for (const [name, needed] of Object.entries(objectOf(value, reading))) {
      if (isJsonArray(needed)) objects(rule).dependentNames.push({ keyword: 'dependencies', name, required: reading.names(needed) })
      else objects(rule).dependentRules.push({ name, rule: reading.member(name, needed) })
    }
  },
  allOf: (rule, value, reading) => {
    inPlace(rule).allOf = reading.branches(value)
  },
  anyOf: (rule, value, reading) => {
    inPlace(rule).anyOf = reading.branches(value)
  },
  oneOf: (rule, value, reading) => {
    inPlace(rule).oneOf = reading.branches(value)
  },
  not: (rule, value, reading) => {
    inPlace(rule).not = reading.schema(value)
  },
  if: (rule, value, reading) => {
    inPlace(rule).if = reading.schema(value)
  },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: (rule, value, reading) => {
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    inPlace(rule).then = reading.schema(value)
  },
  else: (rule, value, reading) => {
    inPlace(rule).else = reading.schema(value)
  },
}

const ONLY_2020_12: Readonly<Record<string, Read>> = {
  items: (rule, value, reading) => {
    arrays(rule).rest = reading.schema(value)
  },
  prefixItems: (rule, value, reading) => {
    arrays(rule).prefix = reading.schemas(value)
  },
  minContains: (rule, value, reading) => {
    arrays(rule).minContains = countOf(value, reading)
  },
  maxContains: (rule, value, reading) => {
    arrays(rule).maxContains = countOf(value, reading)
  },
  dependentSchemas: (rule, value, reading) => {
    for (const [name, dependent] of reading.schemasByName(value)) objects(rule).dependentRules.push({ name, rule: dependent })
  },
  dependentRequired: (rule, value, reading) => {
    for (const [name, needed] of Object.entries(objectOf(value, reading)))
      objects(rule).dependentNames.push({ keyword: 'dependentRequired', name, required: reading.names(needed) })
  },
  unevaluatedItems: (rule, value, reading) => {
    unevaluated(rule).items = reading.schema(value)
  },
  unevaluatedProperties: (rule, value, reading) => {
    unevaluated(rule).properties = reading.schema(value)
  },
}

const ONLY_DRAFT_07: Readonly<Record<string, Read>> = {
  items: (rule, value, reading) => {
    arrays(rule).isTuple = isJsonArray(value)
    if (isJsonArray(value)) arrays(rule).prefix = reading.schemas(value)
    else arrays(rule).rest = reading.schema(value)
  },
  additionalItems: (rule, value, reading) => {
    arrays(rule).behindTuple = reading.schema(value)
  },
}

/** Every keyword that asserts something. All others are annotations, apart from those that refer or define. */
export const KEYWORDS: Readonly<Record<Dialect, ReadonlyMap<string, Read>>> = {
  '2020-12': new Map(Object.entries({ ...SHARED, ...ONLY_2020_12 })),
  'draft-07': new Map(Object.entries({ ...SHARED, ...ONLY_DRAFT_07 })),
}

/** Walked for the bounds; what a definition asks counts only where a `$ref` leads to it. */
export const DEFINITIONS: ReadonlySet<string> = new Set(['$defs', 'definitions'])

/** Keywords that change what other keywords mean, or where a reference leads; a nested `$id` is the other one that does. */
export const REFUSED: ReadonlySet<string> = new Set([
  '$async',
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$recursiveAnchor',
  '$vocabulary',
  '$data',
])

function isTypeName(name: Json): name is string {
  return typeof name === 'string' && Object.hasOwn(TYPE_BITS, name)
}

function objectOf(value: Json, reading: Reading): JsonObject {
  return isJsonObject(value) ? value : reading.invalid()
}

function countOf(value: Json, reading: Reading): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value
  if (value instanceof ExactNumber && isIntegerText(value.text) && Number(value.text) >= 0) return Number(value.text)
  return reading.invalid()
}
