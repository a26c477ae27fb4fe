import { parseDecimalText } from '../core/json.ts'

/** A decimal value to calculate with: `digits` times ten to the `exponent`. */
export interface Decimal {
  readonly digits: bigint
  readonly exponent: number
}

/** Beyond what a double reaches either way; keeps a hostile exponent from becoming a number of a billion digits. */
const MAX_EXPONENT = 1_100
const MAX_DIGITS = 400

/** Reads a JSON number; `undefined` for one too long or too far from zero to calculate with. */
export function parseDecimal(text: string): Decimal | undefined {
  const { negative, digits, point } = parseDecimalText(text)
  if (digits.length > MAX_DIGITS || Math.abs(point) > MAX_EXPONENT) return undefined
  return { digits: BigInt(`${negative ? '-' : ''}${digits || '0'}`), exponent: point - digits.length }
}

export function isInteger({ digits, exponent }: Decimal): boolean {
  return exponent >= 0 || digits % 10n ** BigInt(-exponent) === 0n
}

/** Negative, zero or positive, as `left` is below, at or above `right`. */
export function compareDecimals(left: Decimal, right: Decimal): number {
  const [a, b] = aligned(left, right)
  return a < b ? -1 : a > b ? 1 : 0
}

export function isMultiple(value: Decimal, of: Decimal): boolean {
  const [a, b] = aligned(value, of)
  return b !== 0n && a % b === 0n
}

function aligned(left: Decimal, right: Decimal): readonly [bigint, bigint] {
  const least = Math.min(left.exponent, right.exponent)
  return [left.digits * 10n ** BigInt(left.exponent - least), right.digits * 10n ** BigInt(right.exponent - least)]
}
