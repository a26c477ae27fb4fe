import type { ExactNumber } from '../core/json.ts'

/** -1, 0 or 1 by the decimal value both are written as: a large id is never rounded into equality with another. */
export function compareNumbers(left: number | ExactNumber, right: number | ExactNumber): number {
  if (typeof left === 'number' && typeof right === 'number') return left < right ? -1 : left > right ? 1 : 0
  const a = decimal(left)
  const b = decimal(right)
  if (a.sign !== b.sign) return a.sign < b.sign ? -1 : 1
  if (a.magnitude !== b.magnitude) return a.magnitude < b.magnitude ? -a.sign : a.sign
  const width = Math.max(a.digits.length, b.digits.length)
  const [x, y] = [a.digits.padEnd(width, '0'), b.digits.padEnd(width, '0')]
  return x === y ? 0 : x < y ? -a.sign : a.sign
}

interface Decimal {
  readonly sign: -1 | 0 | 1
  /** Without leading and trailing zeros: the value is 0.digits × 10^magnitude. */
  readonly digits: string
  readonly magnitude: number
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
const ZERO: Decimal = { sign: 0, digits: '', magnitude: 0 }

function decimal(value: number | ExactNumber): Decimal {
  const parts = NUMBER.exec(typeof value === 'number' ? String(value) : value.text)
  if (parts === null) throw new RangeError('not a JSON number')
  const [, minus, whole = '', fraction = '', exponent = '0'] = parts
  const all = whole + fraction
  const digits = all.replace(/^0+/, '')
  if (digits === '') return ZERO
  const leading = all.length - digits.length
  let last = digits.length
  // A loop, not /0+$/: a regular expression would be quadratic in a long run of zeros that is not the last.
  while (digits[last - 1] === '0') last--
  return { sign: minus === '-' ? -1 : 1, digits: digits.slice(0, last), magnitude: whole.length - leading + Number(exponent) }
}
