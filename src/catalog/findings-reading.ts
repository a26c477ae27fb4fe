import { foldCharacter } from './lookalikes.ts'

/** Between two sentences, words are that much further apart. */
const SENTENCE = 3

/**
 * Reads a text once, as words the way a model takes them: lower case, accents and look-alikes folded, hidden characters and apostrophes
 * left out, `snakeCase_names` taken apart, letters that are s p e l l e d apart put together. Each word is given with its position, and
 * again with what touches it (`<system`, `.ssh`, `assistant:`, `user's`), with its parts put together (`openai`) and with digits as letters;
 * each time with where it begins and ends in the text.
 */
export function readWords(text: string, give: (word: string, position: number, start: number, end: number) => void): void {
  let position = 0
  let at = 0
  let start = 0
  let word = ''
  /** What was split at a capital letter, put together again. */
  let compound = ''
  let mark = ''
  let hasDigit = false
  let isLower = false
  let spelled = ''
  let gap = 0
  let isStop = false
  let hasEnded = false
  let isOwner = false

  function take(each: string, place: number): void {
    give(each, place, start, at)
  }

  function end(next: string): void {
    if (word === '') return
    const isJoined = word.length === 1 && gap === 1 && spelled !== ''
    if (!isJoined) {
      spell()
      position += 1
    }
    spelled = word.length === 1 ? spelled + word : ''
    take(word, position)
    if (mark !== '') take(mark + word, position)
    if (next === ':' || next === '>') {
      take(word + next, position)
      if (mark === '<') take(`<${word}>`, position)
    }
    if (hasDigit) take(word.replace(DIGITS, letterOf), position)
    if (isOwner && word.endsWith('s')) take(`${word.slice(0, -1)}'s`, position)
    word = ''
    isOwner = false
    hasDigit = false
    gap = 0
    mark = ''
  }

  function spell(): void {
    if (spelled.length > 2) take(spelled, position)
    spelled = ''
  }

  function endCompound(): void {
    if (compound !== '') take(compound, position)
    compound = ''
  }

  for (; at < text.length; ) {
    const code = text.charCodeAt(at)
    const character = code < 128 ? text.charAt(at) : String.fromCodePoint(text.codePointAt(at) ?? code)
    const folded = code < 128 ? (isLetter(code) ? character : '') : foldCharacter(character)
    if (folded !== '') {
      const lower = folded.toLowerCase()
      const isUpper = lower !== folded
      if (isUpper && isLower && word !== '') {
        compound += compound === '' ? word : ''
        end('')
      }
      if (word === '') start = at
      if (word === '' && hasEnded) position += SENTENCE
      isStop = false
      hasEnded = false
      word += lower
      if (compound !== '') compound += lower
      if (folded >= '0' && folded <= '9') hasDigit = true
      isLower = !isUpper
    } else if (isApostrophe(code) && word !== '') {
      isOwner = true
    } else if (!isSkipped(character, code)) {
      end(character)
      endCompound()
      gap += 1
      if (character === ' ') mark = KEPT.has(mark) ? mark : ''
      else mark = character
      // `.` before a blank ends a sentence, `.` in a file name does not.
      if (isStop && BLANK.test(character)) hasEnded = true
      isStop = STOP.test(character)
      isLower = false
    }
    at += character.length
  }
  end('')
  endCompound()
  spell()
}

const STOP = /^[.!?\n]$/
const BLANK = /^\s$/
/** Marks that belong to the next word even when a space is between. */
const KEPT = new Set(['<', '[', '|'])
/** What nobody sees as the end of a word. */
const SKIPPED = /^[\p{Cf}\p{Mn}\p{Default_Ignorable_Code_Point}]$/u

function isSkipped(character: string, code: number): boolean {
  return code >= 128 && SKIPPED.test(character)
}

function isApostrophe(code: number): boolean {
  return code === 0x27 || code === 0x2019
}

/** Digits are letters here. */
function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39)
}

const DIGITS = /[0-9]/g
const LETTERS = 'oizeasgtbg'

function letterOf(digit: string): string {
  return LETTERS.charAt(Number(digit))
}
