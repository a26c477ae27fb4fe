/**
 * Characters a reviewer would not see: controls, format characters (zero width, bidi, tags), blank letters, variation
 * selectors, separators that look like a space. U+2800 is neither a format character nor default-ignorable, and looks empty.
 */
export const HIDDEN =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/gu

/**
 * Marks that stand on nothing of a text, and so on what is before it; on more marks than any language sets; or across what they stand on, as
 * if it were struck out. Behind a joiner may stand a mark that it joins (Bengali).
 */
export const DEFACING =
  /(?<![\p{L}\p{M}\p{N}\p{S}\u200c\u200d])\p{M}|(?<=\p{M}{4})\p{M}|[\u0334-\u0338\u20d2\u20d3\u20d8-\u20da\u20dd-\u20e0\u20e2\u20e4-\u20eb]/gu

/** The text with everything hidden or defacing spelled out as `\u{…}`; line breaks and tabs too, so that text cannot imitate our own lines. */
export function visible(text: string): string {
  const spell = (character: string) => `\\u{${codePoint(character)}}`
  return text.replace(HIDDEN, spell).replace(DEFACING, spell)
}

/** The hidden characters of a text that have no honest use in words for people or models, each once, as `U+200B`. */
export function suspiciousCharacters(text: string): readonly string[] {
  return [...new Set(unseenIn(text))].map(nameOfCharacter)
}

/** The same as they come. */
export function* unseenIn(text: string): Generator<string> {
  const isRightToLeft = RIGHT_TO_LEFT.test(text)
  for (const { 0: character, index } of text.matchAll(HIDDEN)) {
    if (!ORDINARY.has(character) && !(isRightToLeft && MARKS.has(character)) && !holdsTogether(text, character, index)) yield character
  }
}

export function nameOfCharacter(character: string): string {
  return `U+${codePoint(character).padStart(4, '0').toUpperCase()}`
}

/** Line breaks and tabs, and the spaces of typography: no-break, narrow, thin, ideographic. */
const ORDINARY = new Set(['\n', '\t', '\r', '\u00a0', '\u202f', '\u2009', '\u3000'])

const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u
/** Where words of both directions meet, these keep punctuation in its place. */
const MARKS = new Set(['\u200e', '\u200f', '\u061c'])

/** What joins or varies the characters beside it: in emoji, in scripts with joined letters, in Han. Looks at no more than these. */
function holdsTogether(text: string, character: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 3), index)
  const after = text.slice(index + character.length, index + character.length + 2)
  if (character === '\ufe0f' || character === '\ufe0e') return PICTURE.test(before) || (KEY.test(before) && after.startsWith('\u20e3'))
  if (character === '\u200c' || character === '\u200d') {
    if (JOINED.test(before.slice(-1)) && JOINED.test(after.slice(0, 1))) return true
    return character === '\u200d' && PICTURE_BEFORE.test(before) && PICTURE_AFTER.test(after)
  }
  if (character >= '\u{e0100}' && character <= '\u{e01ef}') return HAN.test(before)
  return character >= '\u{e0020}' && character <= '\u{e007f}' && isInFlag(text, index)
}

const PICTURE = /\p{Extended_Pictographic}$/u
const PICTURE_BEFORE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?$/u
const PICTURE_AFTER = /^\p{Extended_Pictographic}/u
const KEY = /[0-9#*]$/
const HAN = /\p{Script=Han}$/u
/** Letters of scripts in which a joiner, or its absence, changes how a word is written. */
const JOINED =
  /^[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}]$/u

/** England, Scotland and Wales: the only flags that are written with tags. */
const FLAGS = ['gbeng', 'gbsct', 'gbwls'].map(
  region => `\u{1f3f4}${[...region].map(letter => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')}\u{e007f}`,
)
const FLAG_LENGTH = 14

function isInFlag(text: string, index: number): boolean {
  const start = Math.max(0, index - FLAG_LENGTH)
  const near = text.slice(start, index + FLAG_LENGTH)
  return FLAGS.some(flag => {
    const at = near.indexOf(flag, Math.max(0, index - start - FLAG_LENGTH + 1))
    return at !== -1 && start + at < index
  })
}

function codePoint(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16)
}
