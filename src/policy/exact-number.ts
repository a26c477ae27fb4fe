import { type DecimalText, type ExactNumber, parseDecimalText } from '../core/json.ts'

/** -1, 0 or 1 by the decimal value both are written as: a large id is never rounded into equality with another. */
export function compareNumbers(left: number | ExactNumber, right: number | ExactNumber): number {
  if (typeof left === 'number' && typeof right === 'number') return left < right ? -1 : left > right ? 1 : 0
  const [a, b] = [decimalOf(left), decimalOf(right)]
  const sign = signOf(a)
  if (sign !== signOf(b)) return sign < signOf(b) ? -1 : 1
  if (a.point !== b.point) return a.point < b.point ? -sign : sign
  // Behind the same point, and without zeros at the end, digits stand in the order of their texts.
  return a.digits === b.digits ? 0 : a.digits < b.digits ? -sign : sign
}

function decimalOf(value: number | ExactNumber): DecimalText {
  return parseDecimalText(typeof value === 'number' ? String(value) : value.text)
}

function signOf({ negative, digits }: DecimalText): -1 | 0 | 1 {
  if (digits === '') return 0
  return negative ? -1 : 1
}
