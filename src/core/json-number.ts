import { JsonError } from './json-value.ts'

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/
const ZERO = 0x30
const NINE = 0x39
const MINUS = 0x2d

/** A double gives back every decimal of up to 15 significant digits (IEEE 754: DBL_DIG) … */
export const SAFE_DIGITS = 15
/** … from here on: below, it has fewer. */
const MIN_NORMAL = 2 ** -1022

/**
 * Whether a double carries the number a JSON spelling denotes: `JSON.stringify(Number(text))` denotes the same decimal value. `digits` are
 * at least those before the exponent that count. Throws JsonError for a text that is no JSON number, and for one that a reader with
 * doubles would take for infinity.
 */
export function isDouble(text: string, offset = 0, digits = text.length): boolean {
  if (!NUMBER.test(text)) throw new JsonError('malformed number', offset)
  const value = Number(text)
  if (!Number.isFinite(value)) throw new JsonError('number out of range', offset)
  if (digits <= SAFE_DIGITS && Math.abs(value) >= MIN_NORMAL) return true
  const shortest = String(value)
  if (shortest === text) return true
  // An int64 that was rounded: below 10^20 both spell an integer with all its digits, so other digits are another number.
  if (text.length <= 20 && value !== 0 && /^-?[0-9]+$/.test(text)) return false
  const [was, is] = [parseDecimalText(text, offset), parseDecimalText(shortest, offset)]
  return was.digits === is.digits && was.point === is.point
}

export function isNumber(text: string): boolean {
  return NUMBER.test(text)
}

/** A decimal value of any precision: 0.`digits` times ten to the `point`. */
export interface DecimalText {
  readonly negative: boolean
  /** Without zeros at either end; empty for zero. */
  readonly digits: string
  readonly point: number
}

/** Reads what must be a JSON number. Throws JsonError for an exponent of more than nine digits, which `parseJson` lets nobody write. */
export function parseDecimalText(text: string, offset = 0): DecimalText {
  const negative = text.charCodeAt(0) === MINUS
  const mantissaStart = negative ? 1 : 0
  let mantissaEnd = text.search(/[eE]/)
  if (mantissaEnd < 0) mantissaEnd = text.length
  const exponent = mantissaEnd === text.length ? 0 : exponentOf(text.slice(mantissaEnd + 1), offset)
  const dot = text.indexOf('.')
  const pointAt = dot < 0 ? mantissaEnd : dot

  const all = dot < 0 ? text.slice(mantissaStart, mantissaEnd) : text.slice(mantissaStart, dot) + text.slice(dot + 1, mantissaEnd)
  // Loops, not /0+$/: a regular expression would be quadratic in a long run of zeros.
  let first = 0
  while (first < all.length && all.charCodeAt(first) === ZERO) first++
  if (first === all.length) return { negative, digits: '', point: 0 }
  let last = all.length
  while (all.charCodeAt(last - 1) === ZERO) last--
  return { negative, digits: all.slice(first, last), point: pointAt - mantissaStart - first + exponent }
}

/** -1, 0 or 1, as `left` is below, at or above `right`: exact for numbers of any length. */
export function compareDecimals(left: DecimalText, right: DecimalText): number {
  const [a, b] = [signOf(left), signOf(right)]
  if (a !== b) return a < b ? -1 : 1
  if (left.point !== right.point) return left.point < right.point ? -a : a
  // Behind the same point, and without zeros at either end, digits stand in the order of their texts.
  return left.digits === right.digits ? 0 : left.digits < right.digits ? -a : a
}

function signOf({ negative, digits }: DecimalText): number {
  return digits === '' ? 0 : negative ? -1 : 1
}

/**
 * One text per decimal value, whatever its precision, laid out as ECMAScript's Number::toString lays out a double: the same text as
 * RFC 8785 where a double holds the value. `text` must be a JSON number.
 */
export function canonicalDecimal(text: string, offset = 0): string {
  const { negative, digits, point } = parseDecimalText(text, offset)
  if (digits === '') return '0'
  return (negative ? '-' : '') + layOut(digits, point)
}

function exponentOf(text: string, offset: number): number {
  const exponent = Number(text)
  // Keeps the arithmetic on exponents exact, and an exponent of a million digits from costing anything.
  if (Math.abs(exponent) > 999_999_999) throw new JsonError('number out of range', offset)
  return exponent
}

/** ECMA-262 §6.1.6.1.20 Number::toString: `digits` without zeros at either end, `point` places before the decimal point. */
function layOut(digits: string, point: number): string {
  const count = digits.length
  if (point > 21 || point <= -6) {
    const exponent = point - 1
    const mantissa = count === 1 ? digits : `${digits[0]}.${digits.slice(1)}`
    return `${mantissa}e${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}`
  }
  if (point >= count) return digits + '0'.repeat(point - count)
  if (point > 0) return `${digits.slice(0, point)}.${digits.slice(point)}`
  return `0.${'0'.repeat(-point)}${digits}`
}

export function digitsEnd(text: string, from: number): number {
  let at = from
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code < ZERO || code > NINE) break
    at++
  }
  return at
}

/** From inside a number to behind every character that could belong to one; `isDouble` judges the spelling. */
export function numberEnd(text: string, from: number): number {
  let at = from
  while (at < text.length && '0123456789+-.eE'.includes(text[at] as string)) at++
  return at
}
