/**
 * Characters a reviewer would not see: controls, format characters (zero width, bidi, tags), blank letters, variation
 * selectors, separators that look like a space. U+2800 is neither a format character nor default-ignorable, and looks empty.
 */
export const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/gu

/** The text with everything hidden spelled out as `\u{…}`; line breaks and tabs too, so that text cannot imitate our own lines. */
export function visible(text: string): string {
  return text.replace(HIDDEN, character => `\\u{${codePoint(character)}}`)
}

/** The hidden characters of a text that have no honest use in words for people or models, each once, as `U+200B`. */
export function suspiciousCharacters(text: string): readonly string[] {
  const found = new Set<string>()
  for (const { 0: character, index } of text.matchAll(HIDDEN)) {
    if (!isOrdinary(text, character, index)) found.add(`U+${codePoint(character).padStart(4, '0').toUpperCase()}`)
  }
  return [...found]
}

/** Line breaks and tabs, no-break spaces, and what holds an emoji together: one variation selector, a joiner between pictures. */
function isOrdinary(text: string, character: string, index: number): boolean {
  if (character === '\n' || character === '\t' || character === '\r' || character === '\u00a0' || character === '\u3000') return true
  const before = text.slice(Math.max(0, index - 3), index)
  if (character === '\ufe0f') return /\p{Extended_Pictographic}$/u.test(before)
  if (character !== '\u200d') return false
  return /\p{Extended_Pictographic}\ufe0f?$/u.test(before) && /^\p{Extended_Pictographic}/u.test(text.slice(index + 1, index + 3))
}

function codePoint(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16)
}
