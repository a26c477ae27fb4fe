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

function codePoint(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16)
}
