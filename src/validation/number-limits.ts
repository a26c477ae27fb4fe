import { compareDecimals, type DecimalText, ExactNumber, parseDecimalText } from '../core/json.ts'
import { isMultiple } from './decimal.ts'
import { meter } from './meter.ts'

export type LimitKeyword = 'maximum' | 'minimum' | 'exclusiveMaximum' | 'exclusiveMinimum' | 'multipleOf'

/** A bound on numbers that is exact for numbers, and in numbers, that a double cannot hold. */
export class Limit {
  readonly keyword: LimitKeyword
  /** As the schema spells it. */
  readonly text: string
  readonly #double: number
  readonly #decimal: DecimalText

  constructor(keyword: LimitKeyword, limit: number | ExactNumber) {
    this.keyword = keyword
    this.text = limit instanceof ExactNumber ? limit.text : String(limit)
    this.#decimal = parseDecimalText(this.text)
    this.#double = limit instanceof ExactNumber ? limitAsDouble(keyword, this.text, this.#decimal) : limit
  }

  /** Throws Incalculable. */
  allows(value: number | ExactNumber): boolean {
    return typeof value === 'number' ? this.#allowsDouble(value) : this.#allowsExact(value.text)
  }

  #allowsDouble(value: number): boolean {
    switch (this.keyword) {
      case 'maximum':
        return value <= this.#double
      case 'minimum':
        return value >= this.#double
      case 'exclusiveMaximum':
        return value < this.#double
      case 'exclusiveMinimum':
        return value > this.#double
      case 'multipleOf':
        // 19.99 is a multiple of 0.01, though not in binary fractions.
        return Number.isSafeInteger(value) && Number.isSafeInteger(this.#double)
          ? value % this.#double === 0
          : isMultiple(parseDecimalText(String(value)), this.#decimal)
    }
  }

  #allowsExact(text: string): boolean {
    meter.spend(text.length)
    const value = parseDecimalText(text)
    if (this.keyword === 'multipleOf') return isMultiple(value, this.#decimal)
    const side = compareDecimals(value, this.#decimal)
    switch (this.keyword) {
      case 'maximum':
        return side <= 0
      case 'minimum':
        return side >= 0
      case 'exclusiveMaximum':
        return side < 0
      case 'exclusiveMinimum':
        return side > 0
    }
  }
}

/**
 * The double to compare doubles with so that the answer is exact: the nearest one on the strict side of a limit that none holds.
 * `maximum: 9223372036854775807` would otherwise admit 9223372036854775808.
 */
function limitAsDouble(keyword: LimitKeyword, text: string, exact: DecimalText): number {
  // Multiples of the nearest double are others than those of the limit.
  if (keyword === 'multipleOf') return NaN
  const nearest = Number(text)
  const side = compareDecimals(parseDecimalText(String(nearest)), exact)
  const down = keyword === 'maximum' || keyword === 'exclusiveMinimum'
  if (side === 0 || side < 0 === down) return nearest
  return neighbour(nearest, down)
}

function neighbour(value: number, down: boolean): number {
  if (value === 0) return down ? -Number.MIN_VALUE : Number.MIN_VALUE
  const bits = new BigInt64Array(new Float64Array([value]).buffer)
  bits[0] = (bits[0] ?? 0n) + (value > 0 === down ? -1n : 1n)
  return new Float64Array(bits.buffer)[0] as number
}
