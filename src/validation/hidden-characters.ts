/**
 * What shows nothing, or steers a terminal. Not page breaks, which text taken from documents is full of; not characters of private use or of
 * a later Unicode, which show something. The flags of England, Scotland and Wales stand first and whole: theirs are the only honest tags.
 * The controls stand by themselves: in one class with the others they make the engine take ten times as long for every other character.
 */
const SUSPECTS =
  /\u{e0067}(?<=\u{1f3f4}\u{e0067})\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}|[\x7f-\x9f\p{DI}\ufff9-\ufffb]|[\p{Cc}--[\t\n\f\r\x7f-\x9f]]/gv

const HIDDEN = /[[\p{Cc}--[\t\n\f\r]]\p{DI}\ufff9-\ufffb]/v
const LETTER = /[\p{L}\p{M}]/v
const MARK = /\p{M}/v
const PICTURE = /\p{Extended_Pictographic}/v
/** What stands at the left of a joiner in an emoji of several. */
const JOINABLE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]/v
/** Letters that change their form with their neighbours. */
const CURSIVE =
  /[\p{scx=Arab}\p{scx=Syrc}\p{scx=Nkoo}\p{scx=Adlm}\p{scx=Mong}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Java}\p{scx=Bali}]/v
/** Writing without spaces between words, where one of no width says that a line may end. */
const UNSPACED =
  /[\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Java}\p{scx=Bali}\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}]/v
const HAN = /\p{scx=Hani}/v
const MONGOLIAN = /\p{scx=Mong}/v
/** What has variants by itself: signs, emoji, keys of a keypad, letters other than Latin ones. */
const VARIED = /[0-9\#*[[\p{S}\p{P}\p{L}\p{Emoji}]--[\p{sc=Latin}!-~]]]/v

/** How many characters may still be looked at one by one, with their neighbours. */
export interface Looks {
  left: number
}

/**
 * Where a text, decoded, has characters that hide something or have no business in words: controls, tags, overrides of direction, and what
 * has no width where no script needs it. As offsets. Emoji, and text of every language as its writers write it, have none.
 */
export function findHidden(text: string, looks: Looks = { left: text.length }): readonly number[] {
  const found: number[] = []
  SUSPECTS.lastIndex = 0
  for (; looks.left > 0; looks.left--) {
    const suspect = SUSPECTS.exec(text)
    if (suspect === null) break
    const [characters] = suspect
    const code = characters.codePointAt(0) ?? 0
    const isFlag = characters.length > 2
    if (!isFlag && !isHonest(code, text, suspect.index, suspect.index + characters.length)) found.push(suspect.index)
  }
  return found
}

/** The text with the characters at these offsets as `\u{…}`. */
export function spellOut(text: string, offsets: readonly number[]): string {
  let shown = ''
  let from = 0
  for (const offset of offsets) {
    const code = text.codePointAt(offset) ?? 0
    shown += `${text.slice(from, offset)}\\u{${code.toString(16)}}`
    from = offset + (code > 0xffff ? 2 : 1)
  }
  return shown + text.slice(from)
}

/** By its neighbours: a character of no width is at home between letters of its script, and never beside another one. */
function isHonest(code: number, text: string, start: number, end: number): boolean {
  const before = characterBefore(text, start)
  const after = characterAt(text, end)
  const isAlone = !HIDDEN.test(before) && !HIDDEN.test(after)
  switch (code) {
    case 0xad:
      return isAlone && LETTER.test(before) && LETTER.test(after)
    case 0x34f:
      return isAlone && MARK.test(before) && MARK.test(after)
    case 0x61c:
    case 0x200e:
    case 0x200f:
      return isAlone
    case 0x200b:
      return isAlone && (UNSPACED.test(before) || UNSPACED.test(after))
    case 0x200c:
      return isAlone && (CURSIVE.test(before) || CURSIVE.test(after))
    case 0x200d:
      return (isJoinable(before, text, start) && PICTURE.test(after)) || (isAlone && (CURSIVE.test(before) || CURSIVE.test(after)))
    case 0xfeff:
      return isAlone && before === ''
  }
  if (code >= 0xfe00 && code <= 0xfe0f) return VARIED.test(before) && (after === '\u200d' || isAlone)
  if (code >= 0xe0100 && code <= 0xe01ef) return isAlone && HAN.test(before)
  return code >= 0x180b && code <= 0x180f && isAlone && (MONGOLIAN.test(before) || MONGOLIAN.test(after))
}

/** A variant is one where there is something that it varies. */
function isJoinable(before: string, text: string, end: number): boolean {
  return before === '\ufe0f' ? VARIED.test(characterBefore(text, end - 1)) : JOINABLE.test(before)
}

function characterBefore(text: string, end: number): string {
  const unit = text.charCodeAt(end - 1)
  return text.slice(Math.max(0, unit >= 0xdc00 && unit <= 0xdfff ? end - 2 : end - 1), end)
}

function characterAt(text: string, start: number): string {
  const code = text.codePointAt(start)
  return code === undefined ? '' : text.slice(start, code > 0xffff ? start + 2 : start + 1)
}
