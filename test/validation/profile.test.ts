import { describe, expect, it } from 'vitest'
import { compileSchema } from '../../src/validation/compile.ts'
import { faultsOf, reasonFor, toJson } from './support.ts'

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index))
const named = (count: number, make: (index: number) => unknown) => Object.fromEntries(times(count, index => [`k${index}`, make(index)]))
const nested = (levels: number): unknown => (levels <= 1 ? {} : { not: nested(levels - 1) })
const padded = (bytes: number) => ({ description: 'x'.repeat(bytes - '{"description":""}'.length) })
/** Objects of 9 subschemas each, under one root, to a total. */
const many = (total: number) => ({
  properties: named(200, () => ({ properties: named(8, () => ({})) })),
  $defs: named(total - 1 - 200 * 9, () => ({})),
})
/** One definition of `size` subschemas, used so often that the whole expands to `uses * (size + 1) + 1`. */
const expanding = (uses: number, size: number) => ({
  $defs: { big: { allOf: [{ properties: named(size - 2, () => ({})) }] } },
  properties: named(uses, () => ({ $ref: '#/$defs/big' })),
})

/** So many different patterns of 120 sets each. */
const sets = (count: number) => named(count, index => ({ pattern: `${'[ab]'.repeat(120)}${index}` }))
/** 720 schemas that say something of members, all for one value; and by recursion for so many parts of it. */
const sideBySide = (parts: number) => ({
  allOf: times(18, () => ({ allOf: times(40, () => ({ additionalProperties: true })) })),
  properties: named(parts, () => ({ additionalProperties: true, $ref: '#' })),
})

describe('a schema is measured before it is compiled', () => {
  it.each([
    ['64 KiB', padded(65_536), padded(65_537), 'a schema over 64 KiB'],
    ['depth 32', nested(32), nested(33), 'schemas nested deeper than 32'],
    ['2,000 subschemas', many(2_000), many(2_001), 'more than 2,000 subschemas'],
    ['256 properties', { properties: named(256, () => ({})) }, { properties: named(257, () => ({})) }, 'more than 256 properties'],
    ['64 branches', { anyOf: times(64, () => ({})) }, { anyOf: times(65, () => ({})) }, 'more than 64 branches'],
    ['64 branches of oneOf', { oneOf: times(64, () => ({})) }, { oneOf: times(65, () => ({})) }, 'more than 64 branches'],
    ['64 branches of allOf', { allOf: times(64, () => ({})) }, { allOf: times(65, () => ({})) }, 'more than 64 branches'],
    ['an expansion of 10,000', expanding(99, 99), expanding(100, 99), 'references that expand to more than 10,000 subschemas'],
    [
      '50 patterns',
      { properties: named(50, () => ({ pattern: 'a' })) },
      { properties: named(51, () => ({ pattern: 'a' })) },
      'more than 50 patterns',
    ],
    [
      '50 name patterns',
      { patternProperties: named(50, () => true) },
      { patternProperties: named(51, () => true) },
      'more than 50 patterns',
    ],
    [
      'patterns of 20,000 instructions',
      { properties: { a: { pattern: '^a{9000}$' }, b: { pattern: '^b{9000}$' } } },
      { properties: { a: { pattern: '^a{9000}$' }, b: { pattern: '^b{9000}$' }, c: { pattern: '^c{3000}$' } } },
      'patterns that are too large when written out at "/properties/c/pattern"',
    ],
    [
      'sets of characters, which take more',
      { properties: sets(26) },
      { properties: sets(29) },
      'patterns that are too large when written out',
    ],
    ['720 schemas side by side for 26 values', sideBySide(25), sideBySide(26), 'too many schemas side by side'],
    ['a pattern of 512 characters', { pattern: 'a'.repeat(512) }, { pattern: 'a'.repeat(513) }, 'a pattern over 512 characters'],
  ])('%s is allowed, and no more', (_, within, beyond, reason) => {
    expect(reasonFor(within)).toBeUndefined()
    expect(reasonFor(beyond)).toContain(reason)
  })

  it('one pattern in many places counts its size once, each place counts as one', () => {
    expect(reasonFor({ properties: named(50, () => ({ pattern: '^a{9000}$' })) })).toBeUndefined()
  })

  it('A-43: a 22-level fan-out of local references is refused by computation', () => {
    const $defs = Object.fromEntries(
      times(22, level => [`a${level}`, { allOf: [{ $ref: `#/$defs/a${level + 1}` }, { $ref: `#/$defs/a${level + 1}` }] }]),
    )
    expect(reasonFor({ $ref: '#/$defs/a0', $defs: { ...$defs, a22: {} } })).toContain('expand to more than 10,000')
  })
})

describe('what changes the meaning of other keywords is refused', () => {
  it.each(['$async', '$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$recursiveAnchor', '$vocabulary', '$data'])('%s', keyword => {
    expect(reasonFor({ type: 'object', [keyword]: true })).toBe(`${keyword} is not supported at "/"`)
    expect(reasonFor({ type: 'object', properties: { a: { [keyword]: '#' } } })).toBe(`${keyword} is not supported at "/properties/a"`)
    expect(reasonFor({ $defs: { unused: { [keyword]: '#' } } })).toContain(`${keyword} is not supported`)
  })

  it('$data instead of a limit is not valid', () => {
    expect(reasonFor({ properties: { a: { maximum: { $data: '1/b' } } } })).toContain('not valid 2020-12')
  })

  it('a root $id is dropped, a nested one is refused', () => {
    expect(reasonFor({ $id: 'https://x/s', type: 'object' })).toBeUndefined()
    expect(reasonFor({ properties: { a: { $id: 'https://x/s' } } })).toBe('a nested $id at "/properties/a"')
    expect(reasonFor({ properties: { a: { id: 'x' } } })).toBe('a nested id at "/properties/a"')
  })

  it('names of properties and members of data are not keywords', () => {
    const schema = {
      type: 'object',
      properties: { $async: { type: 'boolean' }, $id: {}, id: { type: 'string' }, $ref: { type: 'string' }, nullable: { type: 'integer' } },
      default: { $ref: '#/nowhere', $async: true },
      examples: [{ $ref: 'https://evil/x.json' }],
      const: { $ref: 'https://evil/x.json' },
      enum: [{ $ref: 'https://evil/x.json' }],
    }
    expect(reasonFor(schema)).toBeUndefined()
    expect(faultsOf({ properties: schema.properties }, { nullable: 'x' })).toEqual(['/nullable must be an integer'])
  })
})

describe('references stay inside the schema', () => {
  it.each(['https://evil/x.json', 'file:///etc/passwd', '//evil/x', 'other.json#/a', '', './#/$defs/a', 5])('A-45: %s', reference => {
    expect(reasonFor({ properties: { a: { $ref: reference } } })).toBe('a $ref that leaves the schema at "/properties/a"')
  })

  it.each(['#/$defs/Missing', '#nowhere', '#/$defs/a/%', '#/$defs/a/title', '#/~2', '#/constructor', '#/properties/toString'])(
    'B29: %s leads nowhere, and nowhere is not "anything goes"',
    reference => {
      expect(reasonFor({ properties: {}, allOf: [{ $ref: reference }], $defs: { a: { title: 'x' } } })).toBe(
        'a $ref that leads nowhere at "/allOf/0"',
      )
    },
  )

  it.each([
    ['a definition', { $defs: { a: { type: 'string' } }, properties: { x: { $ref: '#/$defs/a' } } }],
    ['a definition of draft-07', { definitions: { a: { type: 'string' } }, properties: { x: { $ref: '#/definitions/a' } } }],
    ['a name with / and ~ and a space', { $defs: { 'a/b~ c': { type: 'string' } }, properties: { x: { $ref: '#/$defs/a~1b~0%20c' } } }],
    ['a sibling', { properties: { y: { type: 'string' }, x: { $ref: '#/properties/y' } } }],
    [
      'a place no keyword knows',
      { components: { schemas: { a: { type: 'string' } } }, properties: { x: { $ref: '#/components/schemas/a' } } },
    ],
    ['an anchor', { $defs: { a: { $anchor: 'name', type: 'string' } }, properties: { x: { $ref: '#name' } } }],
    [
      'a reference to a reference',
      { $defs: { a: { $ref: '#/$defs/b' }, b: { type: 'string' } }, properties: { x: { $ref: '#/$defs/a' } } },
    ],
  ])('%s is found and enforced', (_, schema) => {
    expect(faultsOf(schema, { x: 'text' })).toEqual([])
    expect(faultsOf(schema, { x: 1 })).toEqual(['/x must be a string'])
  })

  it('what a reference finds outside schema places is held to the profile too', () => {
    expect(reasonFor({ hidden: { a: { $async: true } }, $ref: '#/hidden/a' })).toContain('$async is not supported')
  })

  it('one anchor twice is refused', () => {
    expect(reasonFor({ $defs: { a: { $anchor: 'n' }, b: { $anchor: 'n' } } })).toContain('an $anchor that is no unique name')
  })

  it.each(['', '/a', 'a b', '1', '#a', 5])('an anchor is a name: %j is refused', $anchor => {
    expect(reasonFor({ $defs: { a: { $anchor } } })).toBe('an $anchor that is no unique name at "/$defs/a"')
  })

  it('recursion through a part of the value is enforced at every level', () => {
    const schema = { type: 'object', properties: { next: { $ref: '#' }, v: { type: 'integer' } }, additionalProperties: false }
    expect(faultsOf(schema, { next: { next: { v: 1 } } })).toEqual([])
    expect(faultsOf(schema, { next: { next: { v: 'x' } } })).toEqual(['/next/next/v must be an integer'])
  })

  it.each([
    [{ allOf: [{ $ref: '#' }] }],
    [{ $ref: '#' }],
    [{ $defs: { a: { not: { $ref: '#/$defs/b' } }, b: { if: { $ref: '#/$defs/a' } } }, $ref: '#/$defs/a' }],
  ])('recursion that never gets on is refused: %j', schema => {
    expect(reasonFor(schema)).toBe('a reference that leads back to itself')
  })
})

describe('B27: every schema under its own dialect', () => {
  const tuple07 = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    items: [{ type: 'string' }, { type: 'integer' }],
    additionalItems: false,
  }
  const tuple2020 = { prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false }

  it.each([
    ['draft-07', tuple07],
    ['draft-07 without #', { ...tuple07, $schema: 'http://json-schema.org/draft-07/schema' }],
    ['draft-07 as https', { ...tuple07, $schema: 'https://json-schema.org/draft-07/schema#' }],
    ['2020-12', { ...tuple2020, $schema: 'https://json-schema.org/draft/2020-12/schema' }],
    ['2020-12 by default', tuple2020],
  ])('tuples of %s', (_, schema) => {
    expect(faultsOf(schema, ['a', 1])).toEqual([])
    expect(faultsOf(schema, ['a', 'b'])).toEqual(['/1 must be an integer'])
    expect(faultsOf(schema, ['a', 1, 2])).toEqual(['/ must have at most 2 items'])
  })

  it('the tuple of one dialect is not valid in the other', () => {
    expect(reasonFor({ items: [{ type: 'string' }] })).toContain('something that is not a schema at "/items"')
  })

  it.each([
    'http://json-schema.org/draft-03/schema#',
    'http://json-schema.org/draft-04/schema#',
    'https://json-schema.org/draft/2019-09/schema',
    'https://example.com/own',
    7,
  ])('%s is refused by name', $schema => {
    expect(reasonFor({ $schema, type: 'object' })).toBe('$schema names a dialect that is not supported: use 2020-12 or draft-07')
  })

  it('a second dialect inside is refused', () => {
    expect(reasonFor({ properties: { a: { $schema: 'http://json-schema.org/draft-07/schema#' } } })).toBe(
      'a second dialect at "/properties/a"',
    )
  })

  it.each<[string, readonly unknown[]]>([
    ['type', ['text', 5, [], ['string', 'string'], ['string', 'text'], null]],
    ['enum', ['a', {}, null]],
    ['maximum', ['1', null, {}]],
    ['multipleOf', [0, -1, '1']],
    ['maxLength', [-1, 1.5, '1', null]],
    ['minItems', [-1, {}]],
    ['minProperties', [1.5]],
    ['maxContains', [-1]],
    ['pattern', [5, {}, null]],
    ['uniqueItems', [1, 'true']],
    ['required', [true, 'a', ['a', 'a'], [1], {}]],
    ['dependentRequired', [[], { a: 'b' }, { a: ['b', 'b'] }, { a: {} }]],
    ['dependencies', [[], 5]],
  ])('%s with a value that its dialect does not know', (keyword, values) => {
    for (const value of values) {
      expect([value, reasonFor({ properties: { a: { [keyword]: value } } })]).toEqual([
        value,
        expect.stringMatching(new RegExp(`^a schema that is not valid 2020-12 at "/properties/a/${keyword}`)),
      ])
    }
  })

  it.each(['allOf', 'anyOf', 'oneOf', 'prefixItems'])('%s of nothing, or of what is no list of schemas', keyword => {
    for (const value of [[], {}, true, 'a', [1]]) expect(reasonFor({ [keyword]: value })).toContain(`something that is not a`)
  })

  it('a count may be spelled with a fraction of nothing, and be larger than anything', () => {
    expect(faultsOf('{"minLength":2.0,"maxLength":9007199254740993}', '"a"')).toEqual(['/ must have at least 2 characters'])
    expect(reasonFor('{"minLength":9007199254740993.5}')).toContain('not valid')
  })

  it('additionalItems mean something behind a list of items alone', () => {
    const $schema = 'http://json-schema.org/draft-07/schema#'
    expect(faultsOf({ $schema, items: { type: 'string' }, additionalItems: false }, ['a', 'b'])).toEqual([])
    expect(faultsOf({ $schema, additionalItems: false }, [1])).toEqual([])
    expect(faultsOf({ $schema, additionalItems: { type: 'string' }, items: [true] }, [1, 2])).toEqual(['/1 must be a string'])
  })

  it.each([[{ type: 'text' }], [{ required: true }], [{ minimum: '1' }], [{ properties: [] }], [{ enum: 'a' }], [{ allOf: {} }]])(
    'a schema that is not valid in its dialect is refused: %j',
    schema => {
      expect(reasonFor(schema)).toBeDefined()
    },
  )
})

describe('B37: unknown keywords and formats are annotations', () => {
  it.each([
    [{ type: 'integer', format: 'uint64' }, 1, 'x'],
    [{ type: 'string', format: 'google-datetime' }, 'x', 1],
    [{ type: 'object', 'x-fastmcp-wrap-result': true }, {}, 1],
    [{ type: 'string', 'x-mcp-header': 'Region' }, 'eu', 1],
    [{ type: 'string', example: 'a', title: 5, examples: 'not a list', deprecated: 'yes' }, 'x', 1],
  ])('%j', (schema, good, bad) => {
    expect(faultsOf(schema, JSON.stringify(good))).toEqual([])
    expect(faultsOf(schema, JSON.stringify(bad))).not.toEqual([])
  })

  it.each([
    ['propertees', '/propertees'],
    ['requried', '/requried'],
    ['aditionalProperties', '/aditionalProperties'],
    ['minlength', '/minlength'],
    ['oneof', '/oneof'],
    ['x-patern', undefined],
    ['nullable', undefined],
    ['items2', '/items2'],
    ['format', undefined],
    ['default', undefined],
  ])('%s', (keyword, pointer) => {
    const { misspelled } = compileSchema(toJson({ [keyword]: keyword === 'format' ? 'x' : {} }))
    expect(misspelled).toEqual(pointer === undefined ? [] : [pointer])
  })
})

describe('B31: null', () => {
  it('a list of types and a choice accept null', () => {
    const schema = { properties: { a: { type: ['number', 'null'] }, b: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null } } }
    expect(faultsOf(schema, { a: null, b: null })).toEqual([])
    expect(faultsOf(schema, {})).toEqual([])
    expect(faultsOf(schema, { a: 'x', b: 1 })).toEqual(['/a must be a number or null', '/b must be a string or null'])
  })

  it('nullable is an annotation, and a property of that name is a property', () => {
    expect(faultsOf({ properties: { a: { type: 'string', nullable: true } } }, { a: null })).toEqual(['/a must be a string'])
    expect(reasonFor({ nullable: true })).toBeUndefined()
  })
})
