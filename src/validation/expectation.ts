import type { ErrorObject } from 'ajv'

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
  additionalItems: ['at most', 'items'],
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

/**
 * What the schema wants, for one of ajv's errors; `undefined` for an error that only repeats others. Of ajv's parameters only
 * those are used that come from the schema.
 */
export function expectation(error: ErrorObject, isKnown: (name: string) => boolean, allowed: readonly string[]): string | undefined {
  const { keyword, params } = error
  const text = wording(keyword, params, allowed)
  // An error inside `propertyNames` is about a name, which ajv reports at its object.
  return error.propertyName === undefined || isKnown(error.propertyName) ? text : text && `has a property name that ${text}`
}

function wording(keyword: string, params: ErrorObject['params'], allowed: readonly string[]): string | undefined {
  const comparison = COMPARISONS[keyword]
  if (comparison !== undefined) return `${comparison} ${params.limit}`
  const count = COUNTS[keyword]
  if (count !== undefined) return `must have ${count[0]} ${params.limit} ${count[1]}`
  switch (keyword) {
    case 'type':
      return `must be ${[params.type].flat().map(withArticle).join(' or ')}`
    case 'enum':
      return `must be one of ${list(params.allowedValues)}`
    case 'const':
      return `must be ${list([params.allowedValue])}`
    case 'pattern':
      return `must match ${params.pattern}`
    case 'format':
      return `must be a valid ${params.format}`
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return allowed.length === 0
        ? 'has a property that is not allowed'
        : `has a property that is not allowed; known are ${allowed.join(', ')}`
    case 'if':
      return undefined
    default:
      return FIXED[keyword] ?? 'does not fit'
  }
}

function withArticle(type: unknown): string {
  if (type === 'null') return 'null'
  return `${/^[aio]/.test(String(type)) ? 'an' : 'a'} ${type}`
}

function list(values: unknown): string {
  return Array.isArray(values) ? values.map(value => JSON.stringify(value)).join(', ') : ''
}
