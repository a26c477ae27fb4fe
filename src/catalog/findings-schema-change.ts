import { canonicalJson, isJsonArray, isJsonObject, type Json, type JsonObject, pointerToken } from '../core/json.ts'
import { type Finding, type FindingCode, findingOf } from './findings-codes.ts'

/** Where a later schema accepts more than the earlier one, or asks for more: keyword by keyword, at the same places. */
export function schemaChanges(before: Json | undefined, after: Json | undefined, pointer: string): Finding[] {
  const findings: Finding[] = []
  compare(before, after, pointer, (code, where) => findings.push(findingOf(code, where)))
  return findings
}

type Tell = (code: FindingCode, pointer: string) => void

function compare(before: Json | undefined, after: Json | undefined, pointer: string, tell: Tell): void {
  // No schema, or `true`, is one that accepts everything.
  if (before === undefined || before === true) before = {}
  if (before === false && after !== false) tell('change.opened', pointer)
  if (before === false || !isJsonObject(before)) return
  const is = after !== undefined && isJsonObject(after) ? after : {}
  if (after === false) return
  const was = before
  if (isWider(typesOf(was.type), typesOf(is.type))) tell('change.type', `${pointer}/type`)
  for (const keyword of ['enum', 'const'])
    if (isWider(valuesOf(was, keyword), valuesOf(is, keyword))) tell('change.enum', `${pointer}/${keyword}`)
  for (const [keyword, isLooser] of BOUNDS) {
    const bound = was[keyword]
    if (bound !== undefined && isOther(bound, is[keyword]) && isLooser(bound, is[keyword])) tell('change.bound', `${pointer}/${keyword}`)
  }
  for (const keyword of ['additionalProperties', 'unevaluatedProperties']) {
    if (isClosed(was[keyword]) && !isClosed(is[keyword])) tell('change.opened', `${pointer}/${keyword}`)
  }
  const required = new Set(listOf(was.required))
  if (listOf(is.required).some(name => !required.has(name))) tell('change.required', `${pointer}/required`)
  if (is['x-mcp-header'] !== undefined && is['x-mcp-header'] !== was['x-mcp-header']) tell('change.header', `${pointer}/x-mcp-header`)
  // A number or a switch is for people to weigh; words may be meant for the model.
  if (typeof is.default === 'string' && is.default !== was.default) tell('change.default', `${pointer}/default`)
  compareParts(was, is, pointer, tell)
}

const MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']
const LISTS = ['prefixItems', 'anyOf', 'oneOf', 'allOf']
const SINGLE = [
  'items',
  'contains',
  'propertyNames',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'if',
  'then',
  'else',
]

function compareParts(was: JsonObject, is: JsonObject, pointer: string, tell: Tell): void {
  for (const keyword of MAPS) {
    const [left, right] = [objectAt(was, keyword), objectAt(is, keyword)]
    // What is declared no more is forbidden in a closed object, and anything at all in an open one.
    const isGoneForGood = keyword !== 'properties' || isClosed(is.additionalProperties)
    for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
      const inner = `${pointer}/${keyword}/${pointerToken(key)}`
      const [part, other] = [own(left, key), own(right, key)]
      if (other === undefined && isGoneForGood) continue
      if (part === undefined) compareNew(other, inner, tell)
      else compare(part, other, inner, tell)
    }
  }
  for (const keyword of LISTS) {
    const [left, right] = [listOf(was[keyword]), listOf(is[keyword])]
    const isAnyEnough = keyword === 'anyOf' || keyword === 'oneOf'
    const isLooser = left.length > 0 && (right.length === 0 || (isAnyEnough ? right.length > left.length : right.length < left.length))
    if (isLooser) tell('change.type', `${pointer}/${keyword}`)
    for (const [index, part] of left.entries())
      if (index < right.length) compare(part, right[index], `${pointer}/${keyword}/${index}`, tell)
  }
  for (const keyword of SINGLE) {
    const part = was[keyword]
    if (part !== undefined && isJsonObject(part)) compare(part, is[keyword], `${pointer}/${keyword}`, tell)
  }
}

/** A part that was not there has nothing to be looser than; what it copies into headers counts. */
function compareNew(part: Json | undefined, pointer: string, tell: Tell): void {
  if (part !== undefined && isJsonObject(part) && part['x-mcp-header'] !== undefined) tell('change.header', `${pointer}/x-mcp-header`)
}

function typesOf(type: Json | undefined): ReadonlySet<Json> | undefined {
  if (type === undefined) return undefined
  const types = new Set(isJsonArray(type) ? type : [type])
  if (types.has('number')) types.add('integer')
  return types
}

function valuesOf(schema: JsonObject, keyword: string): ReadonlySet<Json> | undefined {
  const value = schema[keyword]
  if (value === undefined) return undefined
  return new Set((keyword === 'enum' && isJsonArray(value) ? value : [value]).map(each => canonicalJson(each)))
}

/** `undefined` is everything. */
function isWider(before: ReadonlySet<Json> | undefined, after: ReadonlySet<Json> | undefined): boolean {
  if (before === undefined) return false
  return after === undefined || [...after].some(each => !before.has(each))
}

type IsLooser = (before: Json, after: Json | undefined) => boolean

const isHigher: IsLooser = (before, after) => typeof after !== 'number' || Number(before) < after
const isLower: IsLooser = (before, after) => typeof after !== 'number' || Number(before) > after
const isOther: IsLooser = (before, after) => after === undefined || canonicalJson(before) !== canonicalJson(after)

const BOUNDS: readonly (readonly [keyword: string, isLooser: IsLooser])[] = [
  ...['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'maxContains'].map(keyword => [keyword, isHigher] as const),
  ...['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties', 'minContains'].map(keyword => [keyword, isLower] as const),
  // Which of two patterns accepts more cannot be told.
  ...['pattern', 'format', 'multipleOf', 'uniqueItems', 'not', '$ref'].map(keyword => [keyword, isOther] as const),
]

function isClosed(value: Json | undefined): boolean {
  return value === false
}

function objectAt(schema: JsonObject, keyword: string): JsonObject {
  const value = schema[keyword]
  return value !== undefined && isJsonObject(value) ? value : {}
}

function listOf(value: Json | undefined): readonly Json[] {
  return isJsonArray(value) ? value : []
}

function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}
