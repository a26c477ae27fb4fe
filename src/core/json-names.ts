import { JsonError } from './json-value.ts'

/** Until here nobody asks whether a name is new: an ordinary text has fewer, and does not pay for the question. */
const UNASKED = 2_048
/** A power of two. Two names of one slot push each other out and are counted again, which only matters where thousands of rows have both. */
const SLOTS = 65_536

/**
 * About how many different names of members a text has. Exact is not needed: whoever makes names that meet in one slot is counted more
 * often than that, never less. Its memory is used again for the next text.
 */
export class NameCount {
  /** In each slot where the last name that fell into it starts and ends. */
  readonly #starts = new Uint32Array(SLOTS)
  readonly #ends = new Uint32Array(SLOTS)
  #left = 0
  #unasked = 0

  start(maxNames: number): void {
    this.#left = maxNames
    this.#unasked = UNASKED
  }

  /** A name as it is written, between its quotes. Throws JsonError where there have been too many. */
  note(text: string, start: number, end: number): void {
    if (this.#unasked > 0) {
      if (--this.#unasked === 0) this.#ends.fill(0)
      return
    }
    let hash = 0
    for (let at = start; at < end; at++) hash = Math.imul(hash, 31) + text.charCodeAt(at)
    const slot = (hash ^ (hash >>> 16)) & (SLOTS - 1)
    if (this.#isName(text, slot, start, end)) return
    if (--this.#left < 0) throw new JsonError('too many names', start)
    this.#starts[slot] = start
    this.#ends[slot] = end
  }

  #isName(text: string, slot: number, start: number, end: number): boolean {
    const offset = start - (this.#starts[slot] as number)
    if ((this.#ends[slot] as number) + offset !== end) return false
    for (let at = start; at < end; at++) if (text.charCodeAt(at) !== text.charCodeAt(at - offset)) return false
    return true
  }
}
