/** Choices that a seed decides: the same seed and case make the same schema and the same values, on every machine. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 up to, not including, 1. */
  unit(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** From 0 up to, not including, `end`. */
  below(end: number): number {
    return Math.floor(this.unit() * end)
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1)
  }

  happens(chance: number): boolean {
    return this.unit() < chance
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T
  }

  some<T>(values: readonly T[], most: number): T[] {
    const left = [...values]
    return Array.from({ length: Math.min(this.below(most + 1), values.length) }, () => left.splice(this.below(left.length), 1)[0] as T)
  }

  list<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.below(most + 1) }, make)
  }
}

/** Apart for every case, so that parts of a run are the same cases as the whole. */
export function randomOf(seed: number, index: number): Random {
  const random = new Random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b))
  random.unit()
  return random
}
