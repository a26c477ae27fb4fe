import { canonicalJson, ExactNumber, isJsonArray, type Json, type JsonObject } from '../core/json.ts'
import { compareDecimals, type Decimal, isInteger, isMultiple, parseDecimal } from './decimal.ts'

/**
 * Numbers a double cannot hold, in a value that is checked by code made for doubles. Each gets a stand-in: a double of its own
 * (equal numbers share one) that is an integer exactly when it is one and that no schema names. Types, `const`, `enum` and
 * `uniqueItems` are then right by themselves; the keywords that compare numbers ask `satisfies`, which knows whom it stands for.
 * Rounding instead would let 9007199254740993 through `maximum: 9007199254740992`.
 */
class ExactValues {
  /** False for nearly every call: then no keyword asks here. */
  active = false
  readonly #decimals = new Map<number, Decimal>()
  readonly #standIns = new Map<string, number>()

  /** The value to check: the same one when it has no exact numbers. Throws RangeError for a number nobody could calculate with. */
  project(value: Json): unknown {
    if (this.active) this.clear()
    return this.#project(value)
  }

  clear(): void {
    this.active = false
    this.#decimals.clear()
    this.#standIns.clear()
  }

  satisfies(keyword: string, data: number, limitText: string): boolean {
    const value = this.#decimals.get(data) ?? parseDecimal(String(data))
    const limit = parseDecimal(limitText)
    if (value === undefined || limit === undefined) return false
    switch (keyword) {
      case 'maximum':
        return compareDecimals(value, limit) <= 0
      case 'minimum':
        return compareDecimals(value, limit) >= 0
      case 'exclusiveMaximum':
        return compareDecimals(value, limit) < 0
      case 'exclusiveMinimum':
        return compareDecimals(value, limit) > 0
      default:
        return isMultiple(value, limit)
    }
  }

  #project(value: Json): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (value instanceof ExactNumber) return this.#standIn(value)
    if (isJsonArray(value)) return this.#projectArray(value)
    return this.#projectObject(value)
  }

  #projectArray(values: readonly Json[]): unknown {
    let copy: unknown[] | undefined
    for (let index = 0; index < values.length; index++) {
      const value = values[index] as Json
      const projected = this.#project(value)
      if (projected === value) continue
      copy ??= [...values]
      copy[index] = projected
    }
    return copy ?? values
  }

  #projectObject(object: JsonObject): unknown {
    let copy: Record<string, unknown> | undefined
    for (const key of Object.keys(object)) {
      const value = object[key] as Json
      const projected = this.#project(value)
      if (projected === value) continue
      copy ??= { ...object }
      copy[key] = projected
    }
    return copy ?? object
  }

  #standIn(exact: ExactNumber): number {
    const decimal = parseDecimal(exact.text)
    if (decimal === undefined) throw new RangeError('a number too large to check')
    const text = canonicalJson(exact)
    const known = this.#standIns.get(text)
    if (known !== undefined) return known
    const count = this.#decimals.size
    const standIn = isInteger(decimal) ? 2 ** 1000 + count * 2 ** 948 : Number.MIN_VALUE * (count + 1)
    this.#standIns.set(text, standIn)
    this.#decimals.set(standIn, decimal)
    this.active = true
    return standIn
  }
}

/** A check is synchronous, so one serves all. */
export const exactValues = new ExactValues()
