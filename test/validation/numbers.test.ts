import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { faultsOf, reasonFor } from './support.ts'

const fits = (keywords: string, value: string) => faultsOf(`{"properties":{"n":{${keywords}}}}`, `{"n":${value}}`).length === 0

describe('limits hold exactly for numbers a double cannot hold', () => {
  it.each([
    ['"maximum":9223372036854775807', '9223372036854775807', true],
    ['"maximum":9223372036854775807', '9223372036854775808', false],
    ['"maximum":9007199254740992', '9007199254740993', false],
    ['"maximum":9007199254740994', '9007199254740993', true],
    ['"maximum":10', '9007199254740993', false],
    ['"minimum":9007199254740994', '9007199254740993', false],
    ['"minimum":9007199254740993', '9007199254740993', true],
    ['"minimum":9007199254740993', '9007199254740992', false],
    ['"minimum":9007199254740993', '9007199254740994', true],
    ['"minimum":-9223372036854775808', '-9223372036854775807', true],
    ['"minimum":-9223372036854775807', '-9223372036854775808', false],
    ['"exclusiveMaximum":9007199254740993', '9007199254740993', false],
    ['"exclusiveMaximum":9007199254740993', '9007199254740992', true],
    ['"exclusiveMaximum":9007199254740994', '9007199254740993', true],
    ['"exclusiveMinimum":9007199254740993', '9007199254740993', false],
    ['"exclusiveMinimum":9007199254740993', '9007199254740994', true],
    ['"exclusiveMinimum":9007199254740993', '9007199254740992', false],
    ['"multipleOf":2', '9007199254740993', false],
    ['"multipleOf":3', '9007199254740993', true],
    ['"multipleOf":9007199254740993', '18014398509481986', true],
    ['"multipleOf":0.01', '19.99', true],
    ['"multipleOf":0.01', '19.995', false],
    ['"multipleOf":0.1', '0.30000000000000000001', false],
    ['"maximum":0.1', '0.10000000000000000001', false],
    ['"maximum":1e308', '99999999999999999999999', true],
    ['"type":"integer"', '9007199254740993', true],
    ['"type":"integer"', '9007199254740993.0', true],
    ['"type":"integer"', '9007199254740993.5', false],
    ['"type":"integer"', '1.00000000000000000001', false],
    ['"type":"number"', '1.00000000000000000001', true],
    ['"type":"string"', '9007199254740993', false],
    ['"enum":[9007199254740992,9007199254740994]', '9007199254740993', false],
    ['"const":9007199254740992', '9007199254740993', false],
  ])('{%s} of %s', (keywords, value, expected) => {
    expect(fits(keywords, value)).toBe(expected)
  })

  it('agrees with whole-number arithmetic, for any integer and any limit', () => {
    const big = fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n })
    const near = fc.tuple(big, fc.bigInt({ min: -3n, max: 3n }))
    fc.assert(
      fc.property(near, ([limit, distance]) => {
        const value = limit + distance
        return (
          fits(`"maximum":${limit}`, `${value}`) === value <= limit &&
          fits(`"minimum":${limit}`, `${value}`) === value >= limit &&
          fits(`"exclusiveMaximum":${limit}`, `${value}`) === value < limit &&
          fits(`"exclusiveMinimum":${limit}`, `${value}`) === value > limit
        )
      }),
      { numRuns: 60 },
    )
  })

  it('the limit is told as the schema spells it', () => {
    expect(faultsOf('{"maximum":9223372036854775807}', '9223372036854775808')).toEqual(['/ must be <= 9223372036854775807'])
  })

  it('equal items are found among exact numbers', () => {
    const schema = '{"uniqueItems":true}'
    expect(faultsOf(schema, '[9007199254740993,9007199254740995]')).toEqual([])
    expect(faultsOf(schema, '[9007199254740993,9007199254740993.0]')).toEqual(['/ must not hold equal items'])
    expect(faultsOf(schema, '[{"a":1,"b":2},{"b":2,"a":1}]')).toEqual(['/ must not hold equal items'])
  })

  it('a constant is equal to itself alone, digit for digit', () => {
    expect(fits('"const":9007199254740993', '9007199254740993')).toBe(true)
    expect(fits('"const":9007199254740993', '9007199254740993.0')).toBe(true)
    for (const other of ['9007199254740992', '9007199254740994', '9007199254740995', '"9007199254740993"', '9007199254740993.5'])
      expect([other, fits('"const":9007199254740993', other)]).toEqual([other, false])
    expect(fits('"enum":[1,{"a":[9007199254740993]}]', '{"a":[9007199254740993]}')).toBe(true)
    expect(fits('"enum":[1,{"a":[9007199254740993]}]', '{"a":[9007199254740992]}')).toBe(false)
  })

  it('a number of any length is compared', () => {
    expect(fits('"minimum":0,"exclusiveMaximum":1e-400', '1e-400000')).toBe(true)
    expect(fits('"maximum":1e-400', '1.0000000000000000000001e-400')).toBe(false)
    expect(fits('"type":"integer"', `${'9'.repeat(300)}.0`)).toBe(true)
    expect(fits('"type":"integer"', `0.${'1'.repeat(500)}`)).toBe(false)
    expect(fits('"maximum":0.2', `0.${'1'.repeat(500)}`)).toBe(true)
    expect(fits('"maximum":-0.2', `-0.${'1'.repeat(500)}`)).toBe(false)
  })

  it('one too long to divide is refused where somebody wants it divided', () => {
    expect(faultsOf('{"multipleOf":0.1}', `0.${'1'.repeat(500)}`)).toEqual(['a number is too large or too long to check'])
    expect(faultsOf('{"multipleOf":0.1}', '1e-400000')).toEqual(['a number is too large or too long to check'])
    expect(faultsOf('{}', '1e-400000')).toEqual([])
  })

  it.each(['0', '-1', '1e-400', '"1"', 'null'])('multipleOf %s is no divisor, or none that can be told from zero', divisor => {
    expect(reasonFor(`{"multipleOf":${divisor}}`)).toBe('a schema that is not valid 2020-12 at "/multipleOf"')
  })
})
