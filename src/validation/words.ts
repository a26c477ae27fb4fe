export interface Word {
  readonly text: string
  /** Where it ends in the text that was read. */
  readonly end: number
}

/** The words of a text that `plain` made: `apiKey`, `API-Key`, `api_key` and `Api Key` are the same two. */
export function wordsOf(text: string): readonly Word[] {
  return joinLetters([...text.matchAll(WORD)].map(({ 0: word, index }) => ({ text: word.toLowerCase(), end: index + word.length })))
}

/** Capitals with a plural s; capitals; one capital and what follows; digits. */
const WORD = /\p{Lu}{2,}s(?!\p{L})|\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}]+|\p{Nd}+/gu

/** `P.I.N.` and `o t p` are spelled out: three letters or more that stand alone are one word. */
function joinLetters(words: readonly Word[]): readonly Word[] {
  const joined: Word[] = []
  let run: Word[] = []
  const settle = () => {
    const last = run.at(-1)
    if (run.length >= 3 && last !== undefined) joined.push({ text: run.map(({ text }) => text).join(''), end: last.end })
    else joined.push(...run)
    run = []
  }
  for (const word of words) {
    if (word.text.length === 1 && word.text >= 'a') run.push(word)
    else {
      settle()
      joined.push(word)
    }
  }
  settle()
  return joined
}

/** Without accents and widths, and with letters of other scripts that look Latin as those they look like. Costs the length of a normalizable text. */
export function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(OTHER_SCRIPT, letter => LOOKALIKES.get(letter.toLowerCase()) ?? letter)
}

/** `passw0rd`, `p@$$word`: signs in the place of letters, inside what is a word otherwise. */
export function withoutLeet(text: string): string {
  return text.replace(LEET_WORD, word => (/\p{L}{2}/u.test(word) ? word.replace(LEET, sign => LEET_SIGNS.get(sign) ?? sign) : word))
}

const LEET = /[013457@$!]/g
const LEET_WORD = /[\p{L}013457@$!]+/gu
const LEET_SIGNS = new Map(Object.entries({ 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's', '!': 'i' }))

/** Dotless i, crossed l, IPA, Greek, Cyrillic, Armenian, small capitals. */
const OTHER_SCRIPT = /[\u0131\u0142\u0250-\u02af\u0370-\u058f\u1d00-\u1d7f\ua730]/g
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'аɑαᴀ',
    b: 'βʙ',
    c: 'сϲᴄ',
    d: 'ԁᴅ',
    e: 'еєεᴇ',
    g: 'ɡɢ',
    h: 'һʜ',
    i: 'іιıɩɪ',
    j: 'јϳᴊ',
    k: 'кκᴋ',
    l: 'ӏłʟ',
    m: 'мᴍ',
    n: 'ոηɴ',
    o: 'оοօσᴏ',
    p: 'рρᴘ',
    r: 'гʀ',
    s: 'ѕꜱ',
    t: 'тτᴛ',
    u: 'υսᴜ',
    v: 'νᴠ',
    w: 'ԝѡωᴡ',
    x: 'хχ',
    y: 'уγʏ',
  }).flatMap(([latin, letters]) => [...letters].map(letter => [letter, latin] as const)),
)
