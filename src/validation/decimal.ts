import { type DecimalText, parseDecimalText } from '../core/json.ts'
import { meter } from './meter.ts'

/** A number that is too long, or too far from zero, to calculate with. */
export class Incalculable extends Error {
  override readonly name = 'Incalculable'
}

/** Beyond what a double reaches either way; keeps a hostile exponent from becoming a number of a billion digits. */
const MAX_EXPONENT = 1_100
const MAX_DIGITS = 400

/** Whether a JSON number is an integer, however long it is. */
export function isIntegerText(text: string): boolean {
  meter.spend(text.length)
  const { digits, point } = parseDecimalText(text)
  return digits.length <= point
}

/** Throws Incalculable. */
export function isMultiple(value: DecimalText, of: DecimalText): boolean {
  if (value.digits === '') return true
  const [a, b] = [exponentOf(value), exponentOf(of)]
  const least = Math.min(a, b)
  meter.spend(50 + ((a - least + (b - least)) >> 1))
  const dividend = BigInt(value.digits) * 10n ** BigInt(a - least)
  const divisor = BigInt(of.digits) * 10n ** BigInt(b - least)
  return divisor !== 0n && dividend % divisor === 0n
}

/** Of the last digit. */
function exponentOf({ digits, point }: DecimalText): number {
  if (digits.length > MAX_DIGITS || Math.abs(point) > MAX_EXPONENT) throw new Incalculable('a number too long to calculate with')
  return point - digits.length
}
