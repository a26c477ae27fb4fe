import { ExactNumber, type Json } from '../core/json.ts'

/** Longest text from outside that a record repeats, in UTF-16 units, before escaping. */
export const MAX_TEXT = 256

const PLAIN = /^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\\]/gu

/**
 * Text from outside as a record may show it: at most 256 units, then `…` and the number left out; control, bidi, zero-width
 * and other invisible characters as `\u{…}`. The backslash is escaped too, so that nobody can write such an escape himself.
 */
export function escapeText(text: string): string {
  if (text.length <= MAX_TEXT && PLAIN.test(text)) return text
  const head = text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text
  const shown = head.replace(HIDDEN, character => `\\u{${character.codePointAt(0)?.toString(16)}}`)
  return head === text ? shown : `${shown}…+${text.length - MAX_TEXT}`
}

/** JSON string of text from outside. */
export function quote(text: string): string {
  return text.length <= MAX_TEXT && PLAIN.test(text) ? `"${text}"` : JSON.stringify(escapeText(text))
}

/** JSON text of a scalar, or `undefined` for arrays and objects, and for numbers too long to show. */
export function scalarText(value: Json): string | undefined {
  if (typeof value === 'string') return quote(value)
  if (value instanceof ExactNumber) return value.text.length <= MAX_TEXT ? value.text : undefined
  return value === null || typeof value !== 'object' ? String(value) : undefined
}
