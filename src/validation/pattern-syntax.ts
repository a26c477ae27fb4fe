import { CharacterSet, escapedSet, NOT_LINE_END, propertySet } from './character-set.ts'
import { Unenforceable } from './unenforceable.ts'

export type Assertion = 'start' | 'end' | 'boundary' | 'inside'

/** What an expression says; a sequence of nothing matches the empty text. */
export type Expression =
  | { readonly kind: 'set'; readonly set: CharacterSet }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | { readonly kind: 'sequence'; readonly parts: readonly Expression[] }
  | { readonly kind: 'choice'; readonly options: readonly Expression[] }
  | { readonly kind: 'repetition'; readonly part: Expression; readonly min: number; readonly max: number }

/**
 * Reads an ECMA-262 expression with the `u` flag. What no automaton can do (look-around, back-references) and what other dialects
 * mean otherwise is refused, never guessed; escapes of signs, and brackets and braces that open nothing, are taken as themselves, as
 * without the flag. Throws Unenforceable.
 */
export function parseExpression(source: string): Expression {
  return new Parser(source).parse()
}

/** True when a match can begin at the start of a text only. */
export function isAnchored(expression: Expression): boolean {
  switch (expression.kind) {
    case 'assertion':
      return expression.assertion === 'start'
    case 'sequence':
      return expression.parts[0] !== undefined && isAnchored(expression.parts[0])
    case 'choice':
      return expression.options.every(isAnchored)
    case 'repetition':
      return expression.min > 0 && isAnchored(expression.part)
    case 'set':
      return false
  }
}

const QUANTIFIER = /[*+?]|\{(\d+)(?:(,)(\d*))?\}/y
const GROUP = /\((?:\?(?::|<[A-Za-z_$][\w$]*>)|(?!\?))/y
const CODE_ESCAPE =
  /\\(?:x([0-9a-fA-F]{2})|u\{([0-9a-fA-F]{1,8})\}|u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|c([A-Za-z])|0(?![0-9]))/y
const PROPERTY_ESCAPE = /\\([pP])\{([^}]*)\}/y
const SIGNS: Readonly<Record<string, number>> = { t: 0x09, n: 0x0a, v: 0x0b, f: 0x0c, r: 0x0d }

class Parser {
  readonly #source: string
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  parse(): Expression {
    const expression = this.#choice()
    if (this.#at < this.#source.length) throw unreadable()
    return expression
  }

  #choice(): Expression {
    const options = [this.#sequence()]
    while (this.#takes('|')) options.push(this.#sequence())
    return options.length === 1 ? (options[0] as Expression) : { kind: 'choice', options }
  }

  #sequence(): Expression {
    const parts: Expression[] = []
    while (this.#at < this.#source.length && !this.#sees('|') && !this.#sees(')')) parts.push(this.#quantified(this.#term()))
    return parts.length === 1 ? (parts[0] as Expression) : { kind: 'sequence', parts }
  }

  #quantified(part: Expression): Expression {
    const found = this.#match(QUANTIFIER)
    if (found === undefined) return part
    if (part.kind === 'assertion') throw unreadable()
    // Lazy or not: the same texts match.
    this.#takes('?')
    const [sign, least, comma, most] = found
    const min = least === undefined ? (sign === '+' ? 1 : 0) : Number(least)
    const max = least === undefined ? (sign === '?' ? 1 : Infinity) : comma === undefined ? min : most === '' ? Infinity : Number(most)
    if (min > max) throw unreadable()
    return { kind: 'repetition', part, min, max }
  }

  #term(): Expression {
    const char = this.#source[this.#at] as string
    switch (char) {
      case '^':
        return this.#assertion('start', 1)
      case '$':
        return this.#assertion('end', 1)
      case '(':
        return this.#group()
      case '[':
        return { kind: 'set', set: this.#class() }
      case '.':
        this.#at++
        return { kind: 'set', set: NOT_LINE_END }
      case '*':
      case '+':
      case '?':
        throw unreadable()
      case '\\':
        if (this.#source[this.#at + 1] === 'b') return this.#assertion('boundary', 2)
        if (this.#source[this.#at + 1] === 'B') return this.#assertion('inside', 2)
        return { kind: 'set', set: toSet(this.#escape()) }
      case '{':
        // One that could be meant to repeat repeats nothing here.
        if (this.#match(QUANTIFIER) !== undefined) throw unreadable()
    }
    return { kind: 'set', set: toSet(this.#character()) }
  }

  #assertion(assertion: Assertion, length: number): Expression {
    this.#at += length
    return { kind: 'assertion', assertion }
  }

  #group(): Expression {
    if (this.#match(GROUP) === undefined) {
      const isLookAround = /^\(\?<?[=!]/.test(this.#source.slice(this.#at, this.#at + 4))
      throw new Unenforceable(isLookAround ? 'a pattern with look-around' : 'a pattern with an unknown group')
    }
    const inner = this.#choice()
    if (!this.#takes(')')) throw unreadable()
    // Kept apart from what stands beside it, for the quantifier that may follow.
    return { kind: 'sequence', parts: [inner] }
  }

  #class(): CharacterSet {
    this.#at++
    const isNegated = this.#takes('^')
    const ranges: number[] = []
    const sets: CharacterSet[] = []
    // `[]` and `[^]` are complete: the first bracket always closes.
    while (!this.#takes(']')) {
      const from = this.#member()
      if (typeof from !== 'number') sets.push(from)
      else if (this.#sees('-') && this.#at + 1 < this.#source.length && this.#source[this.#at + 1] !== ']') {
        this.#at++
        const to = this.#member()
        if (typeof to !== 'number') {
          ranges.push(from, from, 0x2d, 0x2d)
          sets.push(to)
        } else if (to < from) throw unreadable()
        else ranges.push(from, to)
      } else ranges.push(from, from)
    }
    return new CharacterSet(ranges, sets, isNegated)
  }

  #member(): number | CharacterSet {
    if (this.#at >= this.#source.length) throw unreadable()
    if (!this.#sees('\\')) return this.#character()
    if (this.#source[this.#at + 1] !== 'b') return this.#escape()
    this.#at += 2
    return 0x08
  }

  #character(): number {
    const code = this.#source.codePointAt(this.#at) as number
    this.#at += code > 0xffff ? 2 : 1
    return code
  }

  #escape(): number | CharacterSet {
    const property = this.#match(PROPERTY_ESCAPE)
    if (property !== undefined) return propertySet(property[2] as string, property[1] === 'P')
    const code = this.#match(CODE_ESCAPE)
    if (code !== undefined) return codeOf(code)
    this.#at++
    const letter = this.#source[this.#at] ?? ''
    if ((letter >= '1' && letter <= '9') || letter === 'k') throw new Unenforceable('a pattern with a back-reference')
    const set = escapedSet(letter)
    const sign = Object.hasOwn(SIGNS, letter) ? SIGNS[letter] : undefined
    if (set === undefined && sign === undefined && (letter === '' || /[0-9A-Za-z]/.test(letter))) {
      throw new Unenforceable('a pattern with an unknown escape')
    }
    const itself = this.#character()
    return set ?? sign ?? itself
  }

  #match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at
    const found = expression.exec(this.#source)
    if (found === null) return undefined
    this.#at = expression.lastIndex
    return found
  }

  #sees(char: string): boolean {
    return this.#source[this.#at] === char
  }

  #takes(char: string): boolean {
    if (!this.#sees(char)) return false
    this.#at++
    return true
  }
}

/** Of single ASCII characters; most of a pattern are those. */
const SINGLE: CharacterSet[] = []

function toSet(member: number | CharacterSet): CharacterSet {
  if (typeof member !== 'number') return member
  if (member >= 128) return new CharacterSet([member, member])
  SINGLE[member] ??= new CharacterSet([member, member])
  return SINGLE[member]
}

function codeOf([, byte, braced, high, low, unit, control]: RegExpExecArray): number {
  if (control !== undefined) return control.charCodeAt(0) % 32
  if (high !== undefined && low !== undefined) {
    return ((Number.parseInt(high, 16) - 0xd800) << 10) + (Number.parseInt(low, 16) - 0xdc00) + 0x10000
  }
  const code = Number.parseInt(byte ?? braced ?? unit ?? '0', 16)
  if (code > 0x10ffff) throw unreadable()
  return code
}

function unreadable(): Unenforceable {
  return new Unenforceable('a pattern that is not a regular expression')
}
