import { unicodeProperty } from './unicode-property.ts'

/** Code points from and to, in pairs. */
export type Ranges = readonly number[]

/** ECMA-262 §22.2.2.9 `\s`: WhiteSpace and LineTerminator. */
const SPACE: Ranges = [
  0x09, 0x0d, 0x20, 0x20, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x202f, 0x205f, 0x205f, 0x3000, 0x3000,
  0xfeff, 0xfeff,
]
const DIGIT: Ranges = [0x30, 0x39]
const WORD: Ranges = [0x30, 0x39, 0x41, 0x5a, 0x5f, 0x5f, 0x61, 0x7a]
const LINE_END: Ranges = [0x0a, 0x0a, 0x0d, 0x0d, 0x2028, 0x2029]

const ASCII = 128

/** What one character of a text may be. */
export class CharacterSet {
  readonly #ranges: Ranges
  readonly #others: readonly CharacterSet[]
  readonly #property: RegExp | undefined
  readonly #isNegated: boolean
  /** A bit for each, sixteen in a number: small and asked most. */
  readonly #ascii: number[] = [0, 0, 0, 0, 0, 0, 0, 0]
  /** Steps that asking for a character beyond ASCII takes. */
  readonly weight: number

  constructor(ranges: Ranges, others: readonly CharacterSet[] = [], isNegated = false, property?: RegExp) {
    this.#ranges = ranges
    this.#others = others
    this.#property = property
    this.#isNegated = isNegated
    this.weight = 1 + (ranges.length >> 4) + (property === undefined ? 0 : 6) + others.reduce((sum, { weight }) => sum + weight, 0)
    for (let code = 0; code < ASCII; code++) if (this.#search(code)) this.#ascii[code >> 4] = this.#sixteen(code) | (1 << (code & 15))
  }

  has(code: number): boolean {
    return code < ASCII ? ((this.#sixteen(code) >> (code & 15)) & 1) === 1 : this.#search(code)
  }

  #sixteen(code: number): number {
    return this.#ascii[code >> 4] as number
  }

  #search(code: number): boolean {
    return this.#isAmong(code) !== this.#isNegated
  }

  #isAmong(code: number): boolean {
    const ranges = this.#ranges
    for (let at = 0; at < ranges.length; at += 2) if (code >= (ranges[at] as number) && code <= (ranges[at + 1] as number)) return true
    for (const other of this.#others) if (other.has(code)) return true
    return this.#property?.test(String.fromCodePoint(code)) === true
  }
}

/** `.` without the `s` flag. */
export const NOT_LINE_END = new CharacterSet(LINE_END, [], true)

const ESCAPED: Readonly<Record<string, CharacterSet>> = {
  s: new CharacterSet(SPACE),
  S: new CharacterSet(SPACE, [], true),
  d: new CharacterSet(DIGIT),
  D: new CharacterSet(DIGIT, [], true),
  w: new CharacterSet(WORD),
  W: new CharacterSet(WORD, [], true),
}

/** The set a letter behind `\` stands for. */
export function escapedSet(letter: string): CharacterSet | undefined {
  return Object.hasOwn(ESCAPED, letter) ? ESCAPED[letter] : undefined
}

export function isWord(code: number): boolean {
  return code >= 0 && (ESCAPED.w as CharacterSet).has(code)
}

/** `\p{…}` and `\P{…}`. Throws Unenforceable. */
export function propertySet(name: string, isNegated: boolean): CharacterSet {
  return new CharacterSet([], [], isNegated, unicodeProperty(name))
}
