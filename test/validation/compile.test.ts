import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compare } from '../../fuzz/compare.ts'
import { Tally } from '../../fuzz/tally.ts'
import { type Json, parseJsonText } from '../../src/core/json.ts'
import { compileSchema } from '../../src/validation/compile.ts'
import { findFaults } from '../../src/validation/faults.ts'
import { meter } from '../../src/validation/meter.ts'
import { faultsOf, json, reasonFor, toJson } from './support.ts'

const scalar = fc.oneof(
  fc.integer({ min: -20, max: 20 }),
  fc.boolean(),
  fc.constant(null),
  fc.string({ unit: fc.constantFrom('a', 'b', 'é', '1'), maxLength: 4 }),
)
const key = fc.constantFrom('a', 'b', 'c', 'toString', 'length')
const value = fc.letrec(tie => ({
  any: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(key, tie('any'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).any

const type = fc.constantFrom('string', 'integer', 'number', 'boolean', 'null', 'array', 'object')
const leaf = fc.oneof(
  fc.record({ type }),
  fc.record({ type: fc.uniqueArray(type, { minLength: 1, maxLength: 3 }) }),
  fc.record({ minimum: fc.integer({ min: -10, max: 10 }), exclusiveMaximum: fc.integer({ min: -10, max: 10 }) }, { requiredKeys: [] }),
  fc.record({ multipleOf: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ minLength: fc.nat(3), maxLength: fc.nat(4), pattern: fc.constantFrom('^a', 'b$', '^[ab]+$', 'é') }, { requiredKeys: [] }),
  fc.record({ enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }) }),
  fc.record({ const: scalar }),
  fc.record({ required: fc.uniqueArray(key, { maxLength: 2 }) }),
  fc.record({ minItems: fc.nat(2), maxItems: fc.nat(3), uniqueItems: fc.boolean() }, { requiredKeys: [] }),
  fc.record({ minProperties: fc.nat(2), maxProperties: fc.nat(3) }, { requiredKeys: [] }),
)

/** Schemas whose meaning both dialects share, with a recursive definition under a given name. */
function schemas(definitions: '$defs' | 'definitions') {
  const { any } = fc.letrec(tie => {
    const schema = tie('any')
    const list = fc.array(schema, { minLength: 1, maxLength: 3 })
    const map = fc.dictionary(key, schema, { maxKeys: 3, noNullPrototype: true })
    return {
      any: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        leaf,
        fc.boolean(),
        fc.record(
          { properties: map, additionalProperties: schema, patternProperties: fc.record({ '^[ab]': schema }) },
          { requiredKeys: [] },
        ),
        fc.record({ properties: map, additionalProperties: fc.constant(false) }),
        fc.record({ items: schema, contains: schema }, { requiredKeys: [] }),
        fc.record({ allOf: list, anyOf: list, oneOf: list, not: schema }, { requiredKeys: [] }),
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        fc.record({ if: schema, then: schema, else: schema }, { requiredKeys: ['if'] }),
        fc.record({ propertyNames: leaf }),
        fc.record({
          dependencies: fc.dictionary(key, fc.oneof(schema, fc.uniqueArray(key, { maxLength: 2 })), { maxKeys: 2, noNullPrototype: true }),
        }),
        fc.record({ properties: fc.record({ a: fc.constant({ $ref: `#/${definitions}/tree` }) }) }),
      ),
    }
  })
  const tree = { type: ['object', 'integer'], properties: { a: { $ref: `#/${definitions}/tree` }, b: { type: 'string' } } }
  return any.map(schema => ({ allOf: [schema], [definitions]: { tree } }))
}

const times = (count: number, make: (index: number) => unknown) => Array.from({ length: count }, (_, index) => make(index))

describe('no verdict is ours alone', () => {
  // Its own meta-schemas take 27 ms to compile; that schemas are valid is tested elsewhere.
  const options = { strict: false, validateSchema: false, ownProperties: true, logger: false } as const

  it.each([
    ['2020-12', schemas('$defs'), {}],
    ['draft-07', schemas('definitions'), { $schema: 'http://json-schema.org/draft-07/schema#' }],
  ] as const)(
    'for any schema inside the profile and any value, in %s: where ajv differs, Hyperjump is asked',
    async (dialect, arbitrary, declaration) => {
      await fc.assert(
        fc.asyncProperty(arbitrary, fc.array(value, { minLength: 1, maxLength: 4 }), async (schema, values) => {
          const declared = { ...declaration, ...schema }
          const tally = new Tally()
          await compare(declared, dialect, compileSchema(toJson(declared)), values, tally)
          expect(tally.findings).toEqual([])
        }),
        { numRuns: 200 },
      )
    },
  )

  it('that an empty list contains nothing, whatever the one before it did: ajv forgets', () => {
    const schema = { items: { contains: { uniqueItems: false } } }
    expect(new Ajv2020(options).compile(schema)([[''], []])).toBe(true)
    expect(faultsOf(schema, [[''], []])).toEqual(['/1 lacks an item of the form it must contain, or has too many'])
  })

  it.each([
    [{ prefixItems: [{ type: 'string' }], items: { type: 'integer' } }, [['a', 1], ['a', 'b'], [1], []]],
    [{ properties: { a: true }, unevaluatedProperties: false }, [{ a: 1 }, { b: 1 }, {}]],
    [{ prefixItems: [true], unevaluatedItems: false }, [[1], [1, 2], []]],
    [{ contains: { type: 'integer' }, minContains: 2, maxContains: 3 }, [[1], [1, 2], [1, 2, 3, 4], ['a', 1, 2]]],
    [
      { dependentRequired: { a: ['b'] }, dependentSchemas: { c: { required: ['d'] } } },
      [{ a: 1 }, { a: 1, b: 1 }, { c: 1 }, { c: 1, d: 1 }],
    ],
  ])('for the keywords only 2020-12 has: %j', (schema, values) => {
    const validate = new Ajv2020(options).compile(schema)
    for (const one of values) expect([one, faultsOf(schema, one).length === 0]).toEqual([one, validate(one)])
  })
})

describe('formats', () => {
  it.each([
    ['date', '2026-02-28', '2026-02-30'],
    ['date-time', '2026-11-30T00:29:49Z', '2026-11-30'],
    ['time', '00:29:49Z', '25:00:00Z'],
    ['duration', 'P1DT2H', 'P'],
    ['email', 'a@b.example', 'a@'],
    ['hostname', 'a.example', '-a'],
    ['ipv4', '192.0.2.1', '192.0.2.256'],
    ['ipv6', '2001:db8::1', '2001:db8::g'],
    ['uri', 'https://a.example/b', 'a b'],
    ['uri-reference', '/a/b?c#d', 'a b'],
    ['uuid', '0189f7ea-0000-7000-8000-000000000000', '0189f7ea'],
    ['json-pointer', '/a/~0', '/~2'],
  ])('%s is asserted', (format, good, bad) => {
    expect(faultsOf({ properties: { x: { format } } }, { x: good })).toEqual([])
    expect(faultsOf({ properties: { x: { format } } }, { x: bad })).toEqual([`/x must be a valid ${format}`])
  })

  it.each(['2026-11-30T25:00:00Z', '2026-02-30T00:00:00Z', '2026-11-30T00:00:00', '2026-11-30TT00:00:00Z', '2026-11-30', 't'.repeat(30)])(
    '%s is no date-time',
    text => {
      expect(faultsOf({ format: 'date-time' }, JSON.stringify(text))).toEqual(['/ must be a valid date-time'])
    },
  )

  it.each(['2026-11-30t23:59:60z', '2026-11-30 00:00:00.5+01:00', '2024-02-29T00:00:00-00:00'])('%s is one', text => {
    expect(faultsOf({ format: 'date-time' }, JSON.stringify(text))).toEqual([])
  })

  it.each(['regex', 'url', 'uri-template', 'byte', 'int32', 'int64', 'password', 'no-such'])('%s is an annotation', format => {
    expect(faultsOf({ properties: { x: { format } } }, { x: '(((' })).toEqual([])
    expect(faultsOf({ properties: { x: { format } } }, { x: 1.5 })).toEqual([])
  })
})

describe('of several faults those are told that matter', () => {
  it.each<[string, unknown, unknown, readonly string[]]>([
    [
      'not those of a branch where another one fits',
      {
        properties: {
          a: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
          b: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
          c: { type: 'null' },
        },
      },
      { a: 1, b: 1, c: 1 },
      ['/c must be null'],
    ],
    [
      'that two fit where one should',
      { oneOf: [{ type: 'integer' }, { minimum: 0 }, { type: 'string' }] },
      1,
      ['/ must fit exactly one of the allowed forms'],
    ],
    [
      'that an item is lacking, not what is wrong with each',
      { contains: { const: 1 } },
      [2, 3],
      ['/ lacks an item of the form it must contain, or has too many'],
    ],
    [
      'that there are too many',
      { contains: { const: 1 }, maxContains: 1 },
      [1, 1],
      ['/ lacks an item of the form it must contain, or has too many'],
    ],
    ['that a form is excluded', { not: { type: 'integer' } }, 1, ['/ has a form that is excluded']],
    [
      'that a member is known to a branch that does not fit alone',
      { anyOf: [{ properties: { a: true }, required: ['z'] }, { properties: { b: true } }], unevaluatedProperties: false },
      { a: 1, b: 1 },
      ['/ has a property that is not allowed'],
    ],
    [
      'what a condition asks',
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      { if: { required: ['a'] }, then: { required: ['b'] }, else: { required: ['c'] } },
      { a: 1 },
      ['/b is required'],
    ],
    ['what another member asks', { dependentRequired: { a: ['b', 'c'] } }, { a: 1, c: 1 }, ['/b is required']],
    [
      'that a name is not allowed, also one that the schema knows',
      { properties: { long: true }, propertyNames: { maxLength: 3, pattern: '^l' } },
      { long: 1, other: 2 },
      [
        '/ has a property name that must have at most 3 characters; has a property name that is not allowed; has a property name that must match ^l',
      ],
    ],
    ['that nothing is allowed', { properties: { a: false } }, { a: 1 }, ['/a is not allowed']],
    ['that items are too many', { prefixItems: [true], items: false }, [1, 2], ['/ must have at most 1 items']],
    ['that items are unknown', { prefixItems: [true], unevaluatedItems: false }, [1, 2], ['/ has items that are not allowed']],
  ])('%s', (_, schema, value, lines) => {
    expect(faultsOf(schema, value)).toEqual(lines)
  })

  it('no more than some hundred are looked at', () => {
    const validator = compileSchema(toJson({ items: { type: 'string' } }))
    expect(findFaults(validator, times(1_000, () => 1) as Json)?.count).toBe(200)
  })
})

describe('what grows with the value is paid for', () => {
  const costOf = (schema: unknown, value: unknown) => {
    const validator = compileSchema(typeof schema === 'string' ? json(schema) : toJson(schema))
    const parsed = parseJsonText(typeof value === 'string' ? value : JSON.stringify(value)).value
    meter.startVerdict()
    const { left } = meter
    expect(findFaults(validator, parsed)).toBeUndefined()
    return left - meter.left
  }
  const keys = (count: number) => Object.fromEntries(times(count, index => [`k${index}`, 1]) as [])

  it.each<[string, unknown, unknown, number]>([
    ['each item', { items: { type: 'integer' } }, times(1_000, index => index), 1_000],
    ['each key', { minProperties: 1 }, keys(50), 50],
    ['each key of many, which are slow', { minProperties: 1 }, keys(1_000), 12_000],
    ['each name that must be there', { required: times(50, index => `k${index}`) }, keys(50), 50],
    ['each name another needs', { dependentRequired: { k1: times(50, index => `k${index}`) } }, keys(50), 50],
    ['each character of a format', { format: 'uri' }, JSON.stringify(`a:${'b'.repeat(8_000)}`), 1_000],
    ['each character of a pattern', { pattern: '^a*$' }, JSON.stringify('a'.repeat(1_000)), 2_000],
    ['each character that is compared', { uniqueItems: true }, ['x'.repeat(1_000)], 1_000],
    ['each that is counted', { minLength: 600, maxLength: 900 }, JSON.stringify('😀'.repeat(800)), 200],
    ['each digit', '{"type":"integer","minimum":0}', `${'9'.repeat(300)}`, 600],
    ['each division', { items: { multipleOf: 0.01 } }, times(100, index => index + 0.25), 5_000],
    ['each member that is remembered', { additionalProperties: true, unevaluatedProperties: false }, keys(50), 4 * 50],
    [
      'each that is told to a schema around',
      { allOf: [{ anyOf: [{ additionalProperties: true }] }], unevaluatedProperties: false },
      keys(50),
      8 * 50,
    ],
    ['each item that is remembered', { contains: true, unevaluatedItems: false }, times(100, () => 1), 5 * 100],
  ])('%s', (_, schema, value, least) => {
    expect(costOf(schema, value)).toBeGreaterThanOrEqual(least)
  })
})

/** Where ajv is wrong, or was: what the specification says. */
describe('what is evaluated is known wherever it was', () => {
  const spoken = { oneOf: [{ items: { type: 'boolean' } }, { type: 'string' }] }

  it.each<[string, unknown, unknown, boolean]>([
    ['items of a choice within a choice', { anyOf: [spoken], unevaluatedItems: false }, [true, false], true],
    ['and no more than those', { anyOf: [{ prefixItems: [true] }, { prefixItems: [true, true] }], unevaluatedItems: false }, [1, 2], true],
    ['items that contain', { contains: { type: 'string' }, unevaluatedItems: { type: 'integer' } }, ['a', 1], true],
    ['items that do not', { contains: { type: 'string' }, unevaluatedItems: { type: 'integer' } }, ['a', true], false],
    ['a condition that holds', { if: { properties: { a: { const: 1 } } }, unevaluatedProperties: false }, { a: 1 }, true],
    ['a condition that does not', { if: { properties: { a: { const: 1 } } }, unevaluatedProperties: false }, { a: 2 }, false],
    ['items a schema further out', { allOf: [{ unevaluatedItems: true }], unevaluatedItems: false }, [1], true],
    ['what is excluded', { not: { not: { properties: { a: true } } }, unevaluatedProperties: false }, { a: 1 }, false],
    ['a neighbour', { allOf: [{ properties: { a: true } }, { unevaluatedProperties: false }] }, { a: 1 }, false],
    ['a schema further out', { allOf: [{ unevaluatedProperties: true }], unevaluatedProperties: false }, { a: 1 }, true],
    ['a reference', { $ref: '#/$defs/a', $defs: { a: { properties: { a: true } } }, unevaluatedProperties: false }, { a: 1, b: 1 }, false],
    [
      'a dependent schema',
      { dependentSchemas: { a: { properties: { b: true } } }, properties: { a: true }, unevaluatedProperties: false },
      { a: 1, b: 1 },
      true,
    ],
    ['one that does not apply', { dependentSchemas: { a: { properties: { b: true } } }, unevaluatedProperties: false }, { b: 1 }, false],
    ['a part of the value', { properties: { a: { properties: { b: true } } }, unevaluatedProperties: false }, { a: { c: 1 } }, true],
  ])('%s', (_, schema, value, fits) => {
    expect(faultsOf(schema, value).length === 0).toBe(fits)
  })

  it('an empty name is a name', () => {
    expect(faultsOf({ required: ['', 'c'] }, { c: [] })).toEqual(['/ is required'])
    expect(faultsOf({ properties: { '': { type: 'string' } }, additionalProperties: false }, { '': 1 })).toEqual(['/ must be a string'])
  })
})

it('a schema that makes ajv write code that fails is checked all the same', () => {
  const broken = { if: { oneOf: [{ properties: {}, additionalProperties: false }], not: {} }, else: { enum: [false] } }
  expect(faultsOf(broken, [])).toEqual(['/ must be one of false'])
  expect(faultsOf({ properties: { a: broken }, unevaluatedProperties: false }, { a: [] })).not.toEqual([])
})

it('constants are equal by value, whatever names they hold', () => {
  const schema = { enum: [{ toString: 1 }, [1, { a: 'x', b: null }], 'x', -0] }
  for (const equal of ['{"toString":1}', '[1.0,{"b":null,"a":"x"}]', '"x"', '0']) expect(faultsOf(schema, equal)).toEqual([])
  for (const other of ['{"toString":2}', '{"valueOf":1}', '[1,{"a":"x"}]', '"y"', 'null', '{}'])
    expect(faultsOf(schema, other)).toHaveLength(1)
  expect(faultsOf({ const: { a: 1 } }, '{"toString":1}')).toEqual(['/ must be {"a":1}'])
})

it('every property is held to its own pattern', () => {
  const schema = { properties: { a: { pattern: '^a' }, b: { pattern: '^b' } }, patternProperties: { '^c': { pattern: '^c' } } }
  expect(faultsOf(schema, { a: 'a', b: 'b', c: 'c' })).toEqual([])
  expect(faultsOf(schema, { a: 'b', b: 'a', c: 'a' })).toEqual(['/a must match ^a', '/b must match ^b', '/* must match ^c'])
})

it('a pattern the engine cannot run withholds the schema, wherever it stands', () => {
  expect(reasonFor({ properties: { x: { pattern: '(?=a)' } } })).toBe('a pattern with look-around at "/properties/x/pattern"')
  expect(reasonFor({ patternProperties: { '(a)\\1': { type: 'string' } } })).toBe('a pattern with a back-reference at "/patternProperties"')
})

describe('a check ends, whatever schema and value were made for', () => {
  const nested = (depth: number) => {
    let value: unknown = { v: 1 }
    for (let level = 0; level < depth; level++) value = { x: value }
    return value
  }
  const choice = { anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] }

  it.each([
    [
      'recursion that branches at every level',
      { $ref: '#/$defs/a', $defs: { a: { properties: { x: choice, v: { type: 'string' } } } } },
      nested(55),
    ],
    [
      'a long string under many subschemas',
      { allOf: times(60, () => ({ allOf: times(30, () => ({ format: 'uri' })) })) },
      `a:${'a'.repeat(1_000_000)}`,
    ],
    [
      'many keys under many subschemas',
      { allOf: times(60, () => ({ minProperties: 1 })) },
      Object.fromEntries(times(9_000, index => [`k${index}`, 1]) as []),
    ],
    ['a long string and a pattern that needs every state', { pattern: '(?:a|b)*a(?:a|b){200}$' }, 'ab'.repeat(50_000)],
    [
      'references upon references at every level',
      {
        $ref: '#/$defs/d0',
        $defs: Object.fromEntries(
          times(20, index => [
            `d${index}`,
            index < 19 ? { $ref: `#/$defs/d${index + 1}` } : { properties: { x: { $ref: '#/$defs/d0' } } },
          ]) as [],
        ),
      },
      nested(55),
    ],
    ['numbers that are slow to divide', { items: { multipleOf: 1e-300 } }, times(20_000, () => 1.234e300)],
    [
      'evaluated members collected many times over',
      { unevaluatedProperties: false, allOf: times(25, () => ({ anyOf: times(30, () => ({ additionalProperties: true })) })) },
      Object.fromEntries(times(5_000, index => [`k${index}`, 1]) as []),
    ],
    ['a long list of unique objects', { uniqueItems: true }, times(20_000, index => ({ index, text: 'x'.repeat(30) }))],
  ])('%s', (_, schema, value) => {
    expect(faultsOf(schema, JSON.stringify(value))).toEqual(['it is too large or too deep to check'])
  })

  it('many constants cost no more than one', () => {
    const schema = { items: { enum: times(5_000, index => `k${index}`) } }
    expect(
      faultsOf(
        schema,
        times(40_000, () => 'k4999'),
      ),
    ).toEqual([])
  })

  it('and a large honest value is checked to its end', () => {
    const columns = {
      id: { type: 'integer', minimum: 0 },
      name: { type: 'string', maxLength: 20 },
      note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    }
    const schema = { items: { type: 'object', properties: columns, required: ['id'], additionalProperties: false } }
    const rows = times(16_000, index => ({ id: index, name: `row ${index}`, note: null }))
    expect(faultsOf(schema, rows)).toEqual([])
    expect(faultsOf(schema, [...rows, { id: -1 }])).toEqual(['/16000/id must be >= 0'])
  })
})
