/** Letters that look like a Latin one in most fonts: the other letter, then the Latin one. */
const TWINS = new Map<string, string>()
for (const pairs of [
  'аaеeоoрpсcуyхxѕsіiјjһhԁdԛqԝwӏlѵvгrАAВBЕEКKМMНHОOРPСCТTУYХXЅSІIЈJҮYԌGԚQԜWӀI',
  'αaοoνvρpιiκkυuτtχxΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXϲcϳj',
  'օoսuհhոnգqԱUՍUՏSՕOᎪAᎬEᎳWᎻHᏞLᎢTᏢPᏟCꓮAꓰEꓲIꓳOꓢSꓔT',
]) {
  for (let index = 0; index < pairs.length; index += 2) TWINS.set(pairs.charAt(index), pairs.charAt(index + 1))
}

/** Letters that only stand in for a Latin one in the middle of a Latin word. */
const COUSINS = new Map<string, string>()
for (const pairs of ['вbкkмmнhтtкkпnзeєe', 'βbγyδdεeηnωwσo', 'ᴀaʙbᴄcᴅdᴇeɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢzıiɡgɑa']) {
  for (let index = 0; index < pairs.length; index += 2) COUSINS.set(pairs.charAt(index), pairs.charAt(index + 1))
}

const LETTER_OR_DIGIT = /^[A-Za-z0-9]$/

/**
 * The ASCII letter or digit that a reader takes a character for: accents off, styled and fullwidth letters plain, look-alikes
 * of other scripts Latin. `''` for everything else.
 */
export function foldCharacter(character: string): string {
  const twin = TWINS.get(character) ?? COUSINS.get(character)
  if (twin !== undefined) return twin
  if (!mayDecompose(character.codePointAt(0) ?? 0)) return ''
  // One character at a time: normalizing a long text with many marks in the wrong order takes quadratic time.
  const plain = character.normalize('NFKD').charAt(0)
  return LETTER_OR_DIGIT.test(plain) ? plain : ''
}

/** Accented Latin; letter-like, enclosed, fullwidth and mathematical signs. */
function mayDecompose(code: number): boolean {
  return (
    (code >= 0xaa && code <= 0x24f) ||
    (code >= 0x1e00 && code <= 0x1eff) ||
    (code >= 0x2070 && code <= 0x24ff) ||
    (code >= 0xff10 && code <= 0xff5a) ||
    (code >= 0x1d400 && code <= 0x1d7ff) ||
    (code >= 0x1f130 && code <= 0x1f149)
  )
}

/** The word with look-alikes made Latin, or `undefined` where a letter has no Latin twin or nothing is to be made. */
export function latinTwin(word: string): string | undefined {
  let twin = ''
  for (const character of word) {
    if (character.charCodeAt(0) < 128) twin += character
    else {
      const letter = TWINS.get(character)
      if (letter === undefined) return undefined
      twin += letter
    }
  }
  return twin === word ? undefined : twin
}

/** The form in which two names that a person or a model would mix up are equal: look-alikes Latin, no case, no separators. */
export function skeletonOf(name: string): string {
  let skeleton = ''
  for (const character of name) {
    const letter = character.charCodeAt(0) < 128 ? character : foldCharacter(character) || character
    if (!SEPARATOR.test(letter)) skeleton += DIGITS.get(letter) ?? letter.toLowerCase()
  }
  return skeleton
}

const SEPARATOR = /^[\s._/-]$/
/** Digits that are read as letters; a capital I is read as an l. */
const DIGITS = new Map([
  ['0', 'o'],
  ['1', 'l'],
  ['I', 'l'],
  ['|', 'l'],
])

const LATIN = /\p{Script=Latin}/u
const LOOKALIKE_SCRIPTS = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]/u

/** True where one word has Latin letters and letters of a script that has look-alikes of them. */
function isMixed(word: string): boolean {
  return LOOKALIKE_SCRIPTS.test(word) && LATIN.test(word)
}

export function hasMixedWord(text: string): boolean {
  return isMixed(text) && (text.match(WORDS) ?? []).some(isMixed)
}

/** True where a word of a text is mixed and all of it looks Latin. */
export function hasLatinTwin(text: string): boolean {
  return isMixed(text) && (text.match(WORDS) ?? []).some(word => isMixed(word) && latinTwin(word) !== undefined)
}

const WORDS = /\p{L}+/gu
