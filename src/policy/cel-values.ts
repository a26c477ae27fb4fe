import type { CelInput } from '@bufbuild/cel'
import { ExactNumber, isJsonArray, type Json } from '../core/json.ts'

/** CEL has no run-time cost limit, so what it walks is capped: a longer list, or a map with more members, makes the test a no. */
const MAX_LIST_ITEMS = 500

const INT64_MAX = 9_223_372_036_854_775_807n
/** Below it, a double and an int64 are written with the same digits. */
const MAX_WHOLE = 2 ** 63
const INTEGER = /^-?\d{1,19}$/

/** Throws where CEL could not hold the value exactly. Whole numbers become int, others double. */
export function toCelValue(value: Json): CelInput {
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) < MAX_WHOLE ? BigInt(String(value)) : value
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof ExactNumber) return toInt64(value)
  if (isJsonArray(value)) {
    if (value.length > MAX_LIST_ITEMS) throw new RangeError('list too long')
    return value.map(toCelValue)
  }
  const map = new Map<string, CelInput>()
  const keys = Object.keys(value)
  if (keys.length > MAX_LIST_ITEMS) throw new RangeError('map too large')
  for (const key of keys) {
    const member = value[key]
    if (member !== undefined) map.set(key, toCelValue(member))
  }
  return map
}

function toInt64(value: ExactNumber): bigint {
  if (!INTEGER.test(value.text)) throw new RangeError('not exact')
  const integer = BigInt(value.text)
  if (integer > INT64_MAX || integer < -INT64_MAX - 1n) throw new RangeError('not an int64')
  return integer
}
