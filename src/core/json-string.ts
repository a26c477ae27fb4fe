import { JsonError } from './json-value.ts'

const QUOTE = 0x22
const SLASH = 0x2f
const BACKSLASH = 0x5c
const SMALL_B = 0x62
const SMALL_F = 0x66
const SMALL_N = 0x6e
const SMALL_R = 0x72
const SMALL_T = 0x74
const SMALL_U = 0x75
const END = -1

/** Beyond this many characters the end of a string is searched natively. */
const LONG_STRING = 48

/**
 * From inside a string to just behind its closing quote. Throws JsonError for a lone surrogate; for a control character or an unknown
 * escape too when `thorough`, otherwise those may be left, in a long string, to the `JSON.parse` that follows.
 */
export function stringEnd(text: string, from: number, thorough: boolean): number {
  const length = text.length
  let at = from
  let escapes = 0
  for (let stop = thorough ? length : Math.min(from + LONG_STRING, length); ; stop = length) {
    while (at < stop) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) return at + 1
      if (code < 0x20) throw new JsonError('control character in a string', at)
      if (code === BACKSLASH) {
        at = escapeEnd(text, at)
        escapes++
      } else {
        at++
      }
    }
    if (at >= length) throw new JsonError('unterminated string', length)
    // JSON within JSON: its escapes stand so close that searching would cost more than looking.
    const quote = escapes > 2 ? END : searchQuote(text, at)
    if (quote !== END) return quote + 1
  }
}

/** The closing quote, or END where the string must be looked through: an escaped surrogate may be in it, or many escaped quotes. */
function searchQuote(text: string, from: number): number {
  let at = from
  for (let tries = 0; tries < 4; tries++) {
    const quote = text.indexOf('"', at)
    if (quote < 0) throw new JsonError('unterminated string', text.length)
    if (text.slice(at, quote).includes('\\u')) return END
    if (!isEscaped(text, quote, at)) return quote
    at = quote + 1
  }
  return END
}

/** Whether an odd number of backslashes stands before `quote`; none before `from` counts. */
function isEscaped(text: string, quote: number, from: number): boolean {
  let at = quote
  while (at > from && text.charCodeAt(at - 1) === BACKSLASH) at--
  return (quote - at) % 2 === 1
}

/** From a backslash to just behind its escape; a surrogate pair written as two escapes is one. */
function escapeEnd(text: string, at: number): number {
  switch (at + 1 < text.length ? text.charCodeAt(at + 1) : END) {
    case QUOTE:
    case BACKSLASH:
    case SLASH:
    case SMALL_B:
    case SMALL_F:
    case SMALL_N:
    case SMALL_R:
    case SMALL_T:
      return at + 2
    case SMALL_U:
      return unicodeEscapeEnd(text, at)
    default:
      throw new JsonError('unknown escape', at)
  }
}

function unicodeEscapeEnd(text: string, at: number): number {
  const unit = hexUnit(text, at + 2)
  if (unit < 0xd800 || unit > 0xdfff) return at + 6
  if (unit > 0xdbff || !text.startsWith('\\u', at + 6)) throw new JsonError('lone surrogate', at)
  const low = hexUnit(text, at + 8)
  if (low < 0xdc00 || low > 0xdfff) throw new JsonError('lone surrogate', at)
  return at + 12
}

/** By hand: an expression takes longer, and a text may be of nothing else. */
function hexUnit(text: string, at: number): number {
  let unit = 0
  for (let index = at; index < at + 4; index++) {
    const code = text.charCodeAt(index)
    const small = code | 0x20
    const isDigit = code >= 0x30 && code <= 0x39
    if (!isDigit && !(small >= 0x61 && small <= 0x66)) throw new JsonError('unknown escape', at)
    unit = unit * 16 + (isDigit ? code - 0x30 : small - 0x57)
  }
  return unit
}
