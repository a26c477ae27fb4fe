import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ExactNumber } from '../../src/core/json.ts'
import { compareNumbers } from '../../src/policy/exact-number.ts'

const exact = (text: string) => new ExactNumber(text)

test.each([
  [exact('9007199254740993'), 9007199254740992, 1],
  [exact('-9007199254740993'), -9007199254740992, -1],
  [exact('9007199254740993'), exact('9007199254740993.0'), 0],
  [exact('90071992547409930e-1'), exact('9007199254740993'), 0],
  [exact('1e400'), 1e308, 1],
  [exact('-1e400'), 0, -1],
  [exact('1e-400'), 0, 1],
  [exact('0.10000000000000000001'), 0.1, 1],
  [exact('0e9'), 0, 0],
])('%o against %o is %i', (left, right, expected) => {
  expect(compareNumbers(left, right)).toBe(expected)
  expect(compareNumbers(right, left)).toBe(0 - expected)
})

test('whole numbers of any length compare as bigints do', () => {
  const number = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n })
  fc.assert(
    fc.property(number, number, (a, b) => {
      expect(compareNumbers(exact(String(a)), exact(String(b)))).toBe(a < b ? -1 : a > b ? 1 : 0)
    }),
  )
})

test('doubles compare as doubles do, whichever way they are written', () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true })
  fc.assert(
    fc.property(number, number, (a, b) => {
      expect(compareNumbers(exact(String(a)), b)).toBe(a < b ? -1 : a > b ? 1 : 0)
    }),
  )
})
