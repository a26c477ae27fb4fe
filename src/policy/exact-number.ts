import { compareDecimals, type DecimalText, type ExactNumber, parseDecimalText } from '../core/json.ts'

/** -1, 0 or 1 by the decimal value both are written as: a large id is never rounded into equality with another. */
export function compareNumbers(left: number | ExactNumber, right: number | ExactNumber): number {
  if (typeof left === 'number' && typeof right === 'number') return left < right ? -1 : left > right ? 1 : 0
  return compareDecimals(decimalOf(left), decimalOf(right))
}

function decimalOf(value: number | ExactNumber): DecimalText {
  return parseDecimalText(typeof value === 'number' ? String(value) : value.text)
}
