import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findHidden, spellOut } from '../../src/validation/hidden-characters.ts'

const shown = (text: string) => spellOut(text, findHidden(text))

describe('text as its writers write it has nothing hidden', () => {
  it.each<[string, string]>([
    ['English', 'Hello, world: naïve café – “quoted” … 50 % off'],
    ['lines and tabs', 'a\tb\r\nc\n\n'],
    ['pages of a document', 'page one\fpage two'],
    ['no-break and wide spaces', 'a\u00a0b\u202fc\u2009d\u3000e'],
    ['other line ends', 'a\u2028b\u2029c'],
    ['Greek, Russian, Armenian, Georgian, Amharic', 'Καλημέρα Привет Բարեւ გამარჯობა ሰላም'],
    ['decomposed letters', 'e\u0301 n\u0303 q\u0307\u0323'],
    ['Vietnamese, Turkish, Polish', 'Xin chào Việt Nam, İstanbul, Zażółć gęślą jaźń'],
    ['Chinese, Japanese, Korean', '你好，世界。こんにちは、カタカナ。한국어 안녕하세요'],
    ['names of people in Japan', '葛\u{e0100}城 辻\u{e0101}さん'],
    ['a place where a line may end, in Japanese', '今日は\u200bいい天気です 12\u200b月'],
    ['the same in Thai, Lao, Khmer, Burmese and Tibetan', 'ภาษา\u200bไทย ພາສາ\u200bລາວ ភាសា\u200bខ្មែរ မြန်မာ\u200bစာ བོད་\u200bཡིག'],
    ['Persian with half spaces', 'می\u200cخواهم کتاب\u200cها را بخوانم'],
    ['a Persian word that ends in one', 'خانه\u200c '],
    ['Arabic letters in their forms', 'ه\u200d و\u200dه\u200d'],
    ['Urdu, Uyghur, Syriac', 'اردو ئۇيغۇرچە ܫܠܡܐ ܫ\u200d'],
    ['Hindi, Marathi and Nepali with joiners', 'क्\u200dष र्\u200dय शक्\u200cति'],
    ['Bengali, Gujarati, Gurmukhi, Odia', 'র\u200d্য ક્\u200dષ ਸ\u200dਹ କ୍\u200dଷ'],
    ['Tamil, Telugu, Kannada, Malayalam, Sinhala', 'க்\u200cஷ క్\u200cష ನ್\u200cನ ക്\u200dഷ ක්\u200dෂ'],
    ['Mongolian', 'ᠮᠣᠩᠭᠣᠯ\u180b ᠠ\u180eᠨ'],
    ['Hebrew with points, of which two stand under one letter', 'בְּרֵאשִׁית יְרוּשָׁלַ\u034fִם'],
    ['marks of direction, one at a time', '\u200fשלום! (abc)\u200e \u061c١٢٣'],
    ['words that may be divided', 'Donau\u00addampf\u00adschiff, при\u00adвет'],
    ['Braille', '⠓⠑⠇⠇⠕⠀⠺⠕⠗⠇⠙'],
    ['signs of a private font, and of a later Unicode', '\ue0b0 \uf8ff \u{10fffd} \u0378'],
    ['a byte order mark at the beginning', '\ufeff#include <stdio.h>'],
    ['mathematics', '∪\ufe00 ≨\ufe00 x² ≤ ∞'],
    ['faces', '😀 🙂 ☺️ ☹︎ 🫠'],
    ['colours of skin', '👍🏽 ☝🏿 👩🏽\u200d💻 🧑🏻\u200d❤️\u200d💋\u200d🧑🏿'],
    ['families', '👨\u200d👩\u200d👧\u200d👦'],
    ['flags', '🇩🇪 🏳️\u200d🌈 🏳️\u200d⚧️ 🏴\u200d☠️'],
    [
      'flags of England, Scotland and Wales',
      '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}🏴\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}',
    ],
    ['keys, signs and arrows', '1️⃣ #️⃣ *️⃣ ©️ ™️ ➡️ ✔️ ↔︎'],
    ['other pictures of several', '👁️\u200d🗨️ 🐻\u200d❄️ ❤️\u200d🔥 🧑\u200d🦰 ⛹🏽\u200d♀️'],
  ])('%s', (_, text) => {
    expect(findHidden(text)).toEqual([])
    expect(shown(text)).toBe(text)
  })

  it('any letters, marks, numbers, punctuation and spaces', () => {
    const honest = fc.string({ unit: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }) })
    // Graphemes of fast-check come from alphabets of every script, some with joiners in emoji.
    fc.assert(
      fc.property(
        honest.filter(text => !/[\p{Cc}\p{DI}]/v.test(text)),
        text => findHidden(text).length === 0,
      ),
    )
  })
})

describe('what hides, or steers a display, is found', () => {
  it.each<[string, string, string]>([
    ['a colour of a terminal', 'a\u001b[31mred', 'a\\u{1b}[31mred'],
    ['its title', '\u001b]0;owned\u0007', '\\u{1b}]0;owned\\u{7}'],
    ['the same in one character', '\u009b31m', '\\u{9b}31m'],
    ['what is struck over', 'rm -rf /\b\b\b\bls', 'rm -rf /\\u{8}\\u{8}\\u{8}\\u{8}ls'],
    ['zero, delete, next line, vertical tab', '\u0000\u007f\u0085\u000b', '\\u{0}\\u{7f}\\u{85}\\u{b}'],
    ['a message in tags', 'hi\u{e0041}\u{e0042}', 'hi\\u{e0041}\\u{e0042}'],
    ['tags behind a flag that is none', '🏴\u{e0061}\u{e0062}\u{e007f}', '🏴\\u{e0061}\\u{e0062}\\u{e007f}'],
    ['a flag that does not end', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}', '🏴\\u{e0067}\\u{e0062}\\u{e0065}\\u{e006e}\\u{e0067}'],
    ['a flag without its pole', 'x\u{e0067}\u{e0062}\u{e0065}', 'x\\u{e0067}\\u{e0062}\\u{e0065}'],
    ['an override of direction', 'user\u202enimda', 'user\\u{202e}nimda'],
    ['isolates', '\u2066a\u2067b\u2068c\u2069', '\\u{2066}a\\u{2067}b\\u{2068}c\\u{2069}'],
    ['embeddings', '\u202aa\u202bb\u202cc\u202dd', '\\u{202a}a\\u{202b}b\\u{202c}c\\u{202d}d'],
    ['marks of direction in a row', 'a\u200e\u200fb', 'a\\u{200e}\\u{200f}b'],
    ['a word that is broken up', 'ig\u200bnore', 'ig\\u{200b}nore'],
    ['joiners in Latin text', 'a\u200db\u200cc', 'a\\u{200d}b\\u{200c}c'],
    ['several where one would do', 'می\u200c\u200cخ', 'می\\u{200c}\\u{200c}خ'],
    ['bits in zeros of width', '人\u200b\u200c\u200b人', '人\\u{200b}\\u{200c}\\u{200b}人'],
    ['a joiner that joins nothing', '😀\u200d x', '😀\\u{200d} x'],
    ['a joiner behind what cannot be joined', 'x\u200d😀', 'x\\u{200d}😀'],
    ['bytes in selectors behind a face', '😀\u{e0100}\u{e0141}', '😀\\u{e0100}\\u{e0141}'],
    ['the same in short ones', '😀\ufe01\ufe02', '😀\\u{fe01}\\u{fe02}'],
    ['a selector behind a letter', 'a\ufe0fb', 'a\\u{fe0f}b'],
    ['a selector behind another letter', 'é\ufe00', 'é\\u{fe00}'],
    ['several selectors of names', '葛\u{e0100}\u{e0101}', '葛\\u{e0100}\\u{e0101}'],
    ['a selector of names behind a letter', 'a\u{e0100}', 'a\\u{e0100}'],
    ['soft hyphens outside words', '\u00ad a\u00ad b \u00adc', '\\u{ad} a\\u{ad} b \\u{ad}c'],
    ['a byte order mark inside', 'a\ufeffb', 'a\\u{feff}b'],
    ['several at the beginning', '\ufeff\ufeffb', '\\u{feff}\\u{feff}b'],
    ['word joiners and unseen operators', 'a\u2060b\u2063c', 'a\\u{2060}b\\u{2063}c'],
    ['fillers', 'a\u3164b\uffa0c\u115fd', 'a\\u{3164}b\\u{ffa0}c\\u{115f}d'],
    ['a grapheme joiner between letters', 'a\u034fb', 'a\\u{34f}b'],
    ['the same beside one mark alone', 'e\u0301\u034fb', 'e\u0301\\u{34f}b'],
    ['the same in front of one', 'b\u034f\u0301', 'b\\u{34f}\u0301'],
    ['marks of Mongolian elsewhere', 'a\u180eb\u180bc', 'a\\u{180e}b\\u{180b}c'],
    ['annotations between lines', '\ufff9a\ufffab\ufffb', '\\u{fff9}a\\u{fffa}b\\u{fffb}'],
    ['what is deprecated, and what will never show', '\u206a\u2065\u{e0fff}', '\\u{206a}\\u{2065}\\u{e0fff}'],
    ['behind a character of two units', '😀\u0001', '😀\\u{1}'],
  ])('%s', (_, text, spelled) => {
    expect(shown(text)).toBe(spelled)
  })

  it('as far as there are looks left', () => {
    const text = 'a\u0001é\u00ad😀\ufe0fb\u0002c\u0003'
    for (const [left, found, then] of [
      [0, [], 0],
      [1, [1], 0],
      [4, [1, 3, 8], 0],
      [5, [1, 3, 8, 10], 0],
      [9, [1, 3, 8, 10], 4],
    ] as const) {
      const looks = { left }
      expect([findHidden(text, looks), looks.left]).toEqual([found, then])
    }
  })

  it('a joiner behind a variant of nothing joins nothing', () => {
    expect(findHidden('\ufe0f\u200d😀')).toEqual([0, 1])
    expect(findHidden('❤\ufe0f\u200d🔥')).toEqual([])
  })

  it('what is spelled out has none left, and is the same text otherwise', () => {
    const unit = fc.constantFrom(
      'a',
      'é',
      '人',
      'ن',
      '😀',
      ' ',
      '\\',
      '\u200b',
      '\u200c',
      '\u200d',
      '\u202e',
      '\ufe0f',
      '\u001b',
      '\u{e0041}',
      '\u{e0100}',
    )
    fc.assert(
      fc.property(fc.string({ unit }), text => {
        const offsets = findHidden(text)
        const spelled = spellOut(text, offsets)
        const rest = spelled.replace(/\\u\{[0-9a-f]+\}/g, '')
        const without = [...text].filter((_, index, all) => !offsets.includes(all.slice(0, index).join('').length)).join('')
        expect(rest).toBe(without)
        expect(findHidden(spelled)).toEqual([])
      }),
    )
  })
})
