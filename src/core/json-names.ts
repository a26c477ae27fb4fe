/** Until here nobody asks whether a name is new: an ordinary text has fewer, and does not pay for the question. */
const UNASKED = 2_048
/** A power of two. Two names of one slot push each other out and are counted again, which only matters where thousands of rows have both. */
const SLOTS = 65_536

/**
 * Tells names of members that a text has not had before, about. Exact is not needed: names that meet in one slot are new more often than
 * they are, never less. Its memory is used again for the next text.
 */
export class NameCount {
  /** In each slot where the last name that fell into it starts and ends. */
  readonly #starts = new Uint32Array(SLOTS)
  readonly #ends = new Uint32Array(SLOTS)
  #unasked = 0

  start(): void {
    this.#unasked = UNASKED
  }

  /** Of a name as it is written, between its quotes. The first two thousand never are. */
  isNew(text: string, start: number, end: number): boolean {
    if (this.#unasked > 0) {
      if (--this.#unasked === 0) this.#ends.fill(0)
      return false
    }
    let hash = 0
    for (let at = start; at < end; at++) hash = Math.imul(hash, 31) + text.charCodeAt(at)
    const slot = (hash ^ (hash >>> 16)) & (SLOTS - 1)
    if (this.#isName(text, slot, start, end)) return false
    this.#starts[slot] = start
    this.#ends[slot] = end
    return true
  }

  #isName(text: string, slot: number, start: number, end: number): boolean {
    const offset = start - (this.#starts[slot] as number)
    if ((this.#ends[slot] as number) + offset !== end) return false
    for (let at = start; at < end; at++) if (text.charCodeAt(at) !== text.charCodeAt(at - offset)) return false
    return true
  }
}

/** Whether two objects have the same keys, in the same order. */
export function areSame(keys: readonly string[], before: readonly string[]): boolean {
  if (keys.length !== before.length) return false
  for (let index = 0; index < keys.length; index++) if (keys[index] !== before[index]) return false
  return true
}
