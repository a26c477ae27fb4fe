export type Dialect = '2020-12' | 'draft-07'

/**
 * What stands under a keyword: one schema, a list of schemas, schemas by name, a list or schema (draft-07 `items`), schemas or
 * name lists by name (`dependencies`), a number that bounds another, or a plain value. Only schema places are read as schemas:
 * a `$ref` inside `const`, `enum` or `default` is a member of somebody's data.
 */
export type Place = 'schema' | 'schemas' | 'named' | 'tuple' | 'dependencies' | 'limit' | 'value'

const SHARED: readonly (readonly [string, Place])[] = [
  ['type', 'value'],
  ['const', 'value'],
  ['enum', 'value'],
  ['multipleOf', 'limit'],
  ['maximum', 'limit'],
  ['minimum', 'limit'],
  ['exclusiveMaximum', 'limit'],
  ['exclusiveMinimum', 'limit'],
  ['maxLength', 'value'],
  ['minLength', 'value'],
  ['pattern', 'value'],
  ['format', 'value'],
  ['maxItems', 'value'],
  ['minItems', 'value'],
  ['uniqueItems', 'value'],
  ['maxProperties', 'value'],
  ['minProperties', 'value'],
  ['required', 'value'],
  ['contains', 'schema'],
  ['properties', 'named'],
  ['patternProperties', 'named'],
  ['additionalProperties', 'schema'],
  ['propertyNames', 'schema'],
  // Of draft-07; validators still enforce it under 2020-12, and its meta-schema still describes it.
  ['dependencies', 'dependencies'],
  ['allOf', 'schemas'],
  ['anyOf', 'schemas'],
  ['oneOf', 'schemas'],
  ['not', 'schema'],
  ['if', 'schema'],
  ['then', 'schema'],
  ['else', 'schema'],
]

export const KEYWORDS: Readonly<Record<Dialect, ReadonlyMap<string, Place>>> = {
  '2020-12': new Map([
    ...SHARED,
    ['items', 'schema'],
    ['prefixItems', 'schemas'],
    ['minContains', 'value'],
    ['maxContains', 'value'],
    ['dependentSchemas', 'named'],
    ['dependentRequired', 'value'],
    ['unevaluatedItems', 'schema'],
    ['unevaluatedProperties', 'schema'],
  ]),
  'draft-07': new Map([...SHARED, ['items', 'tuple'], ['additionalItems', 'schema']]),
}

/** Walked for the bounds; a definition is compiled only where a `$ref` leads to it. */
export const DEFINITIONS: ReadonlySet<string> = new Set(['$defs', 'definitions'])

/**
 * Keywords that change what other keywords mean, or where a reference leads. `$async` makes ajv answer with a promise, which is
 * truthy; a nested `$id` moves the base of every reference below it.
 */
export const REFUSED: ReadonlySet<string> = new Set([
  '$async',
  '$dynamicRef',
  '$dynamicAnchor',
  '$recursiveRef',
  '$recursiveAnchor',
  '$vocabulary',
  '$data',
])

const ANNOTATIONS = ['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly', '$comment', '$ref', '$schema']

/** The keyword a name was probably meant to be: one edit away, or a letter away with two swapped. `undefined` for other names. */
export function misspelledKeyword(name: string, dialect: Dialect): string | undefined {
  if (name.length < 4 || name.length > 30 || name.startsWith('x-') || ANNOTATIONS.includes(name)) return undefined
  for (const keyword of KEYWORDS[dialect].keys()) if (isNear(name, keyword)) return keyword
  return undefined
}

function isNear(name: string, keyword: string): boolean {
  if (keyword.length < 5 || Math.abs(name.length - keyword.length) > 1) return false
  if (name.toLowerCase() === keyword.toLowerCase()) return true
  let start = 0
  while (start < name.length && name[start] === keyword[start]) start++
  let end = 0
  while (end < Math.min(name.length, keyword.length) - start && name.at(-1 - end) === keyword.at(-1 - end)) end++
  const [left, right] = [name.slice(start, name.length - end), keyword.slice(start, keyword.length - end)]
  return Math.max(left.length, right.length) <= 1 || (left.length === 2 && left[0] === right[1] && left[1] === right[0])
}
