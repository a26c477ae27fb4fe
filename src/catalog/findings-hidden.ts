import { DEFACING, nameOfCharacter, unseenIn, visible } from '../core/visible.ts'
import { type Finding, type FindingCode, findingOf } from './findings-codes.ts'

const MOST_NAMED = 8
const MOST_DECODED = 120

/** What a reader of the text does not see: characters that show nothing, gaps that push the rest away, comments. */
export function hiddenIn(text: string, pointer: string): Finding[] {
  const found = new Map<FindingCode, Set<string>>()
  let decoded = ''
  const add = (code: FindingCode, character: string) => {
    const named = found.get(code)
    if (named === undefined) found.set(code, new Set([character]))
    else if (named.size < MOST_NAMED) named.add(character)
  }
  for (const character of unseenIn(text)) {
    const code = kindOf(character)
    add(code, character)
    if (code === 'hidden.tags' && decoded.length < MOST_DECODED) decoded += letterOfTag(character)
  }
  for (const [mark] of text.matchAll(DEFACING)) if (!VARIATION.test(mark)) add('hidden.marks', mark)
  const findings = [...found].map(([code, characters]) => {
    const names = [...characters].map(nameOfCharacter).join(' ')
    return findingOf(code, pointer, code === 'hidden.tags' && decoded !== '' ? `${names}, read as "${visible(decoded)}"` : names)
  })
  if (hasGap(text)) findings.push(findingOf('hidden.padding', pointer))
  if (text.includes('<!--')) findings.push(findingOf('hidden.comment', pointer))
  return findings
}

const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/
const VARIATION = /[\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u
const BLANK = /[\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]/
const SPACE = /[\u1680\u2000-\u200a\u205f]/
const UNASSIGNED = /[\p{Co}\p{Cs}\p{Cn}]/u
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u

function kindOf(character: string): FindingCode {
  if (character >= '\u{e0000}' && character <= '\u{e007f}') return 'hidden.tags'
  if (character === '\u001b' || character === '\u009b') return 'hidden.escape'
  if (CONTROL.test(character)) return 'hidden.control'
  if (VARIATION.test(character)) return 'hidden.variation'
  if (BIDI.test(character)) return 'hidden.bidi'
  if (BLANK.test(character)) return 'hidden.blank'
  if (SPACE.test(character)) return 'hidden.space'
  return UNASSIGNED.test(character) ? 'hidden.unassigned' : 'hidden.zero-width'
}

/** Tags are ASCII moved out of sight. */
function letterOfTag(character: string): string {
  const code = (character.codePointAt(0) ?? 0) - 0xe0000
  return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : ''
}

const WIDEST_GAP = 100
/** A screen is not much higher. */
const HIGHEST_GAP = 20

/** A run of blanks, with text behind it, that is wider or higher than an interface shows. */
function hasGap(text: string): boolean {
  let width = 0
  let height = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === 0x0a) height += 1
    if (code === 0x20 || code === 0xa0 || code === 0x3000 || (code >= 0x09 && code <= 0x0d)) width += 1
    else {
      if (width >= WIDEST_GAP || height >= HIGHEST_GAP) return true
      width = 0
      height = 0
    }
  }
  return false
}
