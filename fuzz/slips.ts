import type { Random } from './random.ts'

const KEYWORDS = [
  ...['type', 'enum', 'const', 'minimum', 'maximum', 'multipleOf', 'exclusiveMinimum', 'minLength', 'maxLength', 'pattern', 'minItems'],
  ...['maxItems', 'uniqueItems', 'minProperties', 'required', 'properties', 'patternProperties', 'additionalProperties', 'propertyNames'],
  ...[
    'items',
    'prefixItems',
    'additionalItems',
    'contains',
    'minContains',
    'allOf',
    'anyOf',
    'oneOf',
    'not',
    'if',
    'then',
    'else',
    '$ref',
    '$defs',
  ],
  ...['dependentRequired', 'dependentSchemas', 'dependencies', 'unevaluatedProperties', 'unevaluatedItems', 'definitions', 'format'],
  ...[
    '$async',
    '$id',
    'id',
    '$anchor',
    '$dynamicRef',
    '$data',
    '$schema',
    '$vocabulary',
    'propertees',
    'Required',
    'nullable',
    'x-mcp-header',
  ],
]

const NAMES = ['a', 'b', 'zz', '(', '$ref', 'toString']

const VALUES = [
  ...[
    null,
    true,
    false,
    0,
    -1,
    1.5,
    3,
    '',
    'string',
    'object',
    'a',
    '#',
    '#/nowhere',
    '#/$defs/d',
    'https://evil.example/x',
    '^a',
    '(',
    '(?=a)',
  ],
  ...[[], ['a'], ['a', 'a'], [{}], ['string', 'null'], ['string', 'string'], [true, false], [1]],
  ...[
    {},
    { a: {} },
    { a: true },
    { a: ['b'] },
    { a: ['b', 'b'] },
    { a: 1 },
    { $ref: '#' },
    { type: 'string' },
    { type: 'text' },
    { '(': {} },
  ],
]

/** The schema with a keyword somewhere that is wrong, strange or gone. */
export function slip(random: Random, schema: { [keyword: string]: unknown }): { [keyword: string]: unknown } {
  const copy = structuredClone(schema)
  for (let count = random.pick([1, 1, 1, 2]); count > 0; count--) {
    const { place, isSchema } = random.pick(placesIn(copy, true))
    const keys = Object.keys(place)
    if (keys.length > 0 && random.happens(0.3)) place[random.pick(keys)] = structuredClone(random.pick(VALUES))
    else if (keys.length > 0 && random.happens(0.2)) Reflect.deleteProperty(place, random.pick(keys))
    else place[random.pick(isSchema ? KEYWORDS : NAMES)] = structuredClone(random.pick(VALUES))
  }
  return copy
}

interface Place {
  readonly place: { [keyword: string]: unknown }
  /** False where names of somebody's choosing stand. */
  readonly isSchema: boolean
}

/** Not those inside data: there nothing is wrong. */
function placesIn(value: unknown, isSchema: boolean): Place[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(item => placesIn(item, isSchema))
  const below = Object.entries(value).flatMap(([keyword, each]) =>
    isSchema && DATA.has(keyword) ? [] : placesIn(each, !isSchema || !NAMED.has(keyword)),
  )
  return [{ place: value as Place['place'], isSchema }, ...below]
}

const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'x-vendor'])
const NAMED: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions'])
