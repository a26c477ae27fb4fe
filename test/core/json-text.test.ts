import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson, ExactNumber, JsonError, parseJsonText, writeJson } from '../../src/core/json.ts'

describe('writeJson', () => {
  test('writes exact numbers digit for digit, at any depth', () => {
    const text = '{"id":9007199254740993,"list":[0.1000000000000000055,{"a":-1E-400}],"plain":1.5}'
    expect(writeJson(parseJsonText(text).value)).toBe(text)
    expect(writeJson(new ExactNumber('18446744073709551615'))).toBe('18446744073709551615')
  })

  test('a plain JSON.stringify of a value around an exact number does the same', () => {
    expect(JSON.stringify({ audit: { id: new ExactNumber('9007199254740993') } })).toBe('{"audit":{"id":9007199254740993}}')
  })
})

describe('canonicalJson', () => {
  test.each([
    [
      'keys in the order of UTF-16 units',
      '{"\\u20ac":1,"\\r":2,"\\ufb33":3,"1":4,"\\ud83d\\ude00":5,"\\u0080":6,"\\u00f6":7}',
      '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}',
    ],
    ['no space', '{ "b" : [ 1 , 2 ] , "a" : { } }', '{"a":{},"b":[1,2]}'],
    ['integers that came as fractions', '[1.0,1e2,-0,0.0,-0e5,100E-2]', '[1,100,0,0,0,1]'],
    [
      'the shortest double',
      '[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001]',
      '[333333333.3333333,1e+30,4.5,0.002,1e-27]',
    ],
    ['the fewest escapes', '"\\u000f\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/"', '"\\u000f\\nA\'B\\"\\\\\\\\\\"/"'],
    ['NFC and NFD apart (A-53)', '["\\u00e9","e\\u0301"]', '["\u00e9","e\u0301"]'],
    ['literals', '[true,false,null,""]', '[true,false,null,""]'],
  ])('%s', (what, text, expected) => {
    const { value } = parseJsonText(text)
    // RFC 8785 rounds where we keep digits: the published number vector is not a double.
    if (what === 'the shortest double') expect(canonicalJson(JSON.parse(text))).toBe(expected)
    else expect(canonicalJson(value)).toBe(expected)
  })

  test.each([
    ['9007199254740993', ['9007199254740993', '9007199254740993.0', '9007199254740993e0', '90071992547409930e-1', '9.007199254740993E+15']],
    ['-18446744073709551615', ['-18446744073709551615', '-184467440737095516150.0E-1']],
    ['1.2345678901234567890123e+22', ['12345678901234567890123', '12345678901234567890123.00', '1.2345678901234567890123e22']],
    ['123456789012345678901', ['123456789012345678901', '1234567890123456789010e-1']],
    ['0.1000000000000000055', ['0.1000000000000000055', '1000000000000000055e-19', '0.10000000000000000550']],
    ['1.0000000000000000055e-7', ['0.00000010000000000000000055', '1.0000000000000000055E-7']],
    ['0.0000010000000000000000055', ['0.0000010000000000000000055', '1.0000000000000000055e-6']],
    ['1e-400', ['1e-400', '0.1e-399', '1000E-403', `0.${'0'.repeat(399)}1`]],
  ])('%s is the one text of its value', (expected, spellings) => {
    for (const spelling of spellings) expect(canonicalJson(parseJsonText(spelling).value)).toBe(expected)
  })

  test('an ExactNumber that a double holds has the text of the double', () => {
    expect(canonicalJson(new ExactNumber('1.0'))).toBe('1')
    expect(canonicalJson(new ExactNumber('-0.0'))).toBe('0')
    expect(canonicalJson(new ExactNumber('1e2'))).toBe('100')
  })

  test('two numbers have one text exactly when they are the same number', () => {
    const scaled = fc.tuple(fc.bigInt({ min: -(10n ** 22n), max: 10n ** 22n }), fc.integer({ min: -30, max: 30 }), fc.nat({ max: 4 }))
    const spell = ([digits, power, zeros]: [bigint, number, number]) =>
      `${digits}${digits === 0n ? '' : '0'.repeat(zeros)}e${power - zeros}`
    const worth = ([digits, power]: [bigint, number, number]) => digits * 10n ** BigInt(40 + power)
    const near = fc
      .tuple(scaled, scaled, fc.boolean())
      .map(([one, two, same]) => (same ? [one, [one[0], one[1], two[2]]] : [one, two])) as fc.Arbitrary<
      [[bigint, number, number], [bigint, number, number]]
    >
    fc.assert(
      fc.property(near, ([one, two]) => {
        const texts = [one, two].map(number => canonicalJson(parseJsonText(spell(number)).value))
        expect(texts[0] === texts[1]).toBe(worth(one) === worth(two))
      }),
      { numRuns: 1000 },
    )
  })

  test('agrees with another implementation of RFC 8785', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 8, stringUnit: 'binary' }),
        fc.uniqueArray(fc.string({ unit: 'binary' }), { maxLength: 40 }),
        (value, keys) => {
          const both = { value, many: Object.fromEntries(keys.map((key, index) => [key, index])) }
          const source = JSON.parse(JSON.stringify(both))
          expect(canonicalJson(source)).toBe(canonicalize(source))
        },
      ),
      { numRuns: 500 },
    )
  })

  test('and for rows, whose keys are sorted and written once', () => {
    const key = fc.constantFrom('b', 'a', 'é', '\u{1f600}', '\ufb33', '"', '10', '9', '')
    const cell = fc.oneof(fc.integer(), fc.constant({}), fc.dictionary(key, fc.integer(), { maxKeys: 3 }))
    const row = fc.uniqueArray(key, { maxLength: 5 }).chain(keys => fc.tuple(...keys.map(name => fc.tuple(fc.constant(name), cell))))
    const rows = fc.array(fc.tuple(row, fc.integer({ min: 1, max: 3 })), { maxLength: 6 })
    fc.assert(
      fc.property(rows, many => {
        const source = many.flatMap(([entries, times]) => Array.from({ length: times }, () => Object.fromEntries(entries)))
        expect(canonicalJson(source)).toBe(canonicalize(source))
      }),
      { numRuns: 500 },
    )
  })

  test('does not depend on the order of keys (A-53)', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), object => {
        const turned = Object.fromEntries(Object.entries(object).reverse())
        expect(canonicalJson(turned as never)).toBe(canonicalJson(object as never))
      }),
    )
  })

  test.each([
    ['a lone surrogate in a value (A-52)', { a: '\ud800' }],
    ['a lone surrogate in a key', { '\udfff': 1 }],
    ['NaN', [Number.NaN]],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['a member that is undefined', { a: undefined }],
    ['an ExactNumber that is no number', new ExactNumber('twelve')],
  ])('%s is refused', (_what, value) => {
    expect(() => canonicalJson(value as never)).toThrow(JsonError)
  })
})

test('throws for a key with a lone surrogate however often it is written', () => {
  for (let time = 0; time < 4; time++) expect(() => canonicalJson({ '\ud800': 1, a: 2 })).toThrow('lone surrogate')
})
