import { isJsonArray, type Json, writeJson } from '../core/json.ts'
import type { Fault } from './fault-log.ts'

const COMPARISONS: Readonly<Record<string, string>> = {
  maximum: 'must be <=',
  minimum: 'must be >=',
  exclusiveMaximum: 'must be <',
  exclusiveMinimum: 'must be >',
  multipleOf: 'must be a multiple of',
}

const COUNTS: Readonly<Record<string, readonly [string, string]>> = {
  maxLength: ['at most', 'characters'],
  minLength: ['at least', 'characters'],
  maxItems: ['at most', 'items'],
  minItems: ['at least', 'items'],
  items: ['at most', 'items'],
  maxProperties: ['at most', 'properties'],
  minProperties: ['at least', 'properties'],
}

const FIXED: Readonly<Record<string, string>> = {
  required: 'is required',
  dependentRequired: 'is required',
  dependencies: 'is required',
  uniqueItems: 'must not hold equal items',
  contains: 'lacks an item of the form it must contain, or has too many',
  not: 'has a form that is excluded',
  propertyNames: 'has a property name that is not allowed',
  unevaluatedItems: 'has items that are not allowed',
  'false schema': 'is not allowed',
  anyOf: 'must fit one of the allowed forms',
  oneOf: 'must fit exactly one of the allowed forms',
}

/** What the schema wants where a value has a fault. Of the value nothing is said. */
export function expectation({ keyword, wanted, isOfName }: Fault): string {
  const text = wording(keyword, wanted)
  // A fault inside `propertyNames` is about a name, and its path is the object's.
  return isOfName ? `has a property name that ${text}` : text
}

function wording(keyword: string, wanted: Json): string {
  const comparison = COMPARISONS[keyword]
  if (comparison !== undefined) return `${comparison} ${wanted}`
  const count = COUNTS[keyword]
  if (count !== undefined) return `must have ${count[0]} ${wanted} ${count[1]}`
  switch (keyword) {
    case 'type':
      return `must be ${listed(wanted).map(withArticle).join(' or ')}`
    case 'enum':
      return `must be one of ${listed(wanted).map(writeJson).join(', ')}`
    case 'const':
      return `must be ${listed(wanted).map(writeJson).join(', ')}`
    case 'pattern':
      return `must match ${wanted}`
    case 'format':
      return `must be a valid ${wanted}`
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return listed(wanted).length === 0
        ? 'has a property that is not allowed'
        : `has a property that is not allowed; known are ${listed(wanted).join(', ')}`
    default:
      return FIXED[keyword] ?? 'does not fit'
  }
}

function listed(wanted: Json): readonly Json[] {
  return isJsonArray(wanted) ? wanted : []
}

function withArticle(type: Json): string {
  if (type === 'null') return 'null'
  return `${/^[aio]/.test(String(type)) ? 'an' : 'a'} ${type}`
}
