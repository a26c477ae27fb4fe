import { ExactNumber, isJsonArray, type Json } from '../core/json.ts'
import { isIntegerText } from './decimal.ts'
import type { FaultLog } from './fault-log.ts'
import { meter } from './meter.ts'
import type { Limit } from './number-limits.ts'
import { type StringRules, TYPE_BITS } from './rule.ts'

const {
  null: NULL = 0,
  boolean: BOOLEAN = 0,
  integer: INTEGER = 0,
  number = 0,
  string: STRING = 0,
  array: ARRAY = 0,
  object: OBJECT = 0,
} = TYPE_BITS
const FRACTION = number & ~INTEGER

/** The bit of a value's type: an integer is what has no fraction, however it is spelled. */
export function typeBit(value: Json): number {
  switch (typeof value) {
    case 'string':
      return STRING
    case 'number':
      return Number.isInteger(value) ? INTEGER : FRACTION
    case 'boolean':
      return BOOLEAN
    default:
      if (value === null) return NULL
      if (isJsonArray(value)) return ARRAY
      return value instanceof ExactNumber ? (isIntegerText(value.text) ? INTEGER : FRACTION) : OBJECT
  }
}

export function fitsNumber(limits: readonly Limit[], value: number | ExactNumber, log: FaultLog): boolean {
  let fits = true
  for (const limit of limits) {
    if (!limit.allows(value)) fits = log.add(limit.keyword, limit.text)
  }
  return fits
}

export function fitsString({ minLength, maxLength, pattern, format }: StringRules, value: string, log: FaultLog): boolean {
  let fits = true
  if (minLength > 0 || maxLength < Infinity) {
    const length = characters(value, minLength, maxLength)
    if (length < minLength) fits = log.add('minLength', minLength)
    if (length > maxLength) fits = log.add('maxLength', maxLength)
  }
  if (pattern !== undefined && (fits || log.goesOn)) fits = (pattern.test(value) || log.add('pattern', pattern.source)) && fits
  if (format !== undefined && (fits || log.goesOn)) {
    meter.spend(10 + (value.length >> 3))
    fits = (format.test(value) || log.add('format', format.name)) && fits
  }
  return fits
}

/** Characters are code points; counted only where their number of units leaves it open whether they are within the limits. */
function characters(text: string, min: number, max: number): number {
  if (text.length <= max && text.length >> 1 >= min) return text.length
  if (text.length < min || text.length >> 1 > max) return text.length
  meter.spend(text.length >> 3)
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0xdc00 || unit > 0xdfff) count++
  }
  return count
}
