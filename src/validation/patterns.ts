import { RE2JS } from 're2js'
import { meter } from './meter.ts'
import { Unenforceable } from './unenforceable.ts'

/** ECMA-262 §22.2.2.9 `\s`: WhiteSpace and LineTerminator. RE2's `\s` is five ASCII characters. */
const SPACE = '\\t\\n\\v\\f\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff'
const NOT_SPACE =
  '\\x00-\\x08\\x0e-\\x1f!-\\u009f\\u00a1-\\u167f\\u1681-\\u1fff\\u200b-\\u2027\\u202a-\\u202e\\u2030-\\u205e\\u2060-\\u2fff\\u3001-\\ufefe\\uff00-\\u{10ffff}'
const NOT_LINE_END = '[^\\n\\r\\u2028\\u2029]'

/** Property names RE2 knows in their short form only. */
const CATEGORIES: Readonly<Record<string, string>> = {
  Letter: 'L',
  Lowercase_Letter: 'Ll',
  Uppercase_Letter: 'Lu',
  Mark: 'M',
  Number: 'N',
  Decimal_Number: 'Nd',
  Punctuation: 'P',
  Symbol: 'S',
  Separator: 'Z',
  Other: 'C',
}

/** One token of an ECMA-262 pattern, as far as RE2 reads it differently. */
const TOKEN =
  /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\[pP]\{[^}]*\}|\\[\s\S]|\(\?(?:<?[=!]|:|<(?=[A-Za-z_])|)|[[\].]|[^\\([\].]+|\(/g

/** A linear-time matcher with ajv's idea of a regular expression; costs are charged to the meter. */
export interface Pattern {
  test(text: string): boolean
  /** The expression itself: ajv takes patterns of one text for one pattern. */
  toString(): string
}

/**
 * Compiles a JSON Schema `pattern` (an unanchored ECMA-262 expression with the `u` flag) for a linear-time engine. What that engine
 * would read otherwise than ECMA-262 does is rewritten or refused, never guessed: throws Unenforceable.
 */
export function compilePattern(source: string): Pattern {
  let engine: RE2JS
  try {
    engine = RE2JS.compile(RE2JS.translateRegExp(normalize(source)))
  } catch (error) {
    if (error instanceof Unenforceable) throw error
    throw new Unenforceable('a pattern the linear-time engine does not support', undefined, { cause: error })
  }
  // Small programs stay in the engine's cached automaton; large ones can be driven to simulate every state for every character.
  const size = engine.programSize()
  const unitsPerCharacter = size <= 16 ? 5 : Math.ceil(size * 0.6)
  return {
    toString: () => source,
    test(text) {
      meter.spend(text.length * unitsPerCharacter)
      return engine.test(text)
    },
  }
}

function normalize(source: string): string {
  let inClass = false
  return source.replace(TOKEN, token => {
    if (token[0] === '\\') return rewriteEscape(token, inClass)
    if (inClass) {
      if (token === '[') return '\\['
      // `[]` and `[^]` are complete classes in ECMA-262, so the first bracket always closes.
      if (token === ']') inClass = false
      return token
    }
    if (token === '[') {
      inClass = true
      return token
    }
    if (token === '.') return NOT_LINE_END
    if (token === '(?:' || token === '(?<' || token[0] !== '(' || token === '(') return token
    throw new Unenforceable(token.length > 2 ? 'a pattern with look-around' : 'a pattern with an unknown group')
  })
}

function rewriteEscape(token: string, inClass: boolean): string {
  const letter = token[1] as string
  if (letter === 's') return inClass ? SPACE : `[${SPACE}]`
  if (letter === 'S') return inClass ? NOT_SPACE : `[^${SPACE}]`
  if (letter === 'p' || letter === 'P') return property(token, letter)
  if (letter === 'b' && inClass) return '\\x08'
  if (letter === '0') return '\\x00'
  if (letter === 'k' || (letter >= '1' && letter <= '9')) throw new Unenforceable('a pattern with a back-reference')
  if (token.length > 2) return `\\u{${codePoint(token).toString(16)}}`
  if (/[A-Za-z]/.test(letter) && !'dDwWbBnrtfvcxu'.includes(letter)) throw new Unenforceable('a pattern with an unknown escape')
  return token
}

function property(token: string, letter: string): string {
  const name = /^\\[pP]\{(?:(?:General_Category|gc|Script|sc|Script_Extensions|scx)=)?(\w+)\}$/.exec(token)?.[1]
  if (name === undefined) throw new Unenforceable('a pattern with an unknown escape')
  return `\\${letter}{${Object.hasOwn(CATEGORIES, name) ? CATEGORIES[name] : name}}`
}

function codePoint(pair: string): number {
  return ((Number.parseInt(pair.slice(2, 6), 16) - 0xd800) << 10) + (Number.parseInt(pair.slice(8, 12), 16) - 0xdc00) + 0x10000
}
