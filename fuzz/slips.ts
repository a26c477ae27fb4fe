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
    const place = random.pick(objectsIn(copy))
    const keys = Object.keys(place)
    if (keys.length > 0 && random.happens(0.3)) place[random.pick(keys)] = structuredClone(random.pick(VALUES))
    else if (keys.length > 0 && random.happens(0.2)) Reflect.deleteProperty(place, random.pick(keys))
    else place[random.pick(KEYWORDS)] = structuredClone(random.pick(VALUES))
  }
  return copy
}

/** Not those inside data: there nothing is wrong. */
function objectsIn(value: unknown): { [keyword: string]: unknown }[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(objectsIn)
  const below = Object.entries(value).flatMap(([keyword, each]) => (DATA.has(keyword) ? [] : objectsIn(each)))
  return [value as { [keyword: string]: unknown }, ...below]
}

const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'x-vendor'])
