import { meter, TooCostly } from '../src/validation/meter.ts'
import { compilePattern, type Pattern } from '../src/validation/patterns.ts'
import { Unenforceable } from '../src/validation/unenforceable.ts'
import type { Random } from './random.ts'
import type { Tally } from './tally.ts'

const ATOMS = [
  'a',
  'b',
  '.',
  '\\s',
  '\\S',
  '\\d',
  '\\w',
  '\\W',
  '[ab]',
  '[^a]',
  '[\\s\\d]',
  '[a-é]',
  '[]',
  '[^]',
  'é',
  '😀',
  '\\u00e9',
  '\\u{1F600}',
  '\\.',
  '\\p{L}',
  '\\P{Lu}',
  '[\\p{Nd}_-]',
  '\\x61',
  '\\cJ',
  '\\0',
  '\\/',
  '[\\]a]',
  '[\\b]',
  '\\-',
  '[\\w-.]',
]
const TIMES = ['', '', '', '*', '+', '?', '{2}', '{0,2}', '{1,}', '{0}', '*?', '+?', '{2,3}?']
const SIGNS = [...'ab[](){}*+?|^$\\-.,0123:<>=!dwsbBpuxk/é']
const CHARACTERS = ['a', 'b', 'A', ' ', '\u00a0', '\n', '\u2028', '1', 'é', '😀', '.', '_', '-', ']', '\0', '\b']

/** Expressions, right ones and any others, against the engine's own: with the `u` flag, or without where the flag forbids what is harmless. */
export function checkPattern(random: Random, tally: Tally): void {
  const source = random.happens(0.6) ? expression(random, 3) : random.list(10, () => random.pick(SIGNS)).join('')
  tally.count('schemas')
  tally.count('checks')
  const theirs = native(source)
  let ours: Pattern
  try {
    ours = tally.compiling(() => compilePattern(source, 8_000))
  } catch (error) {
    if (!(error instanceof Unenforceable)) tally.find(`a pattern threw ${error}`, { schema: source })
    else tally.note(`refused: ${error.reason}`, source)
    if (error instanceof Unenforceable && error.reason === 'a pattern that is not a regular expression' && theirs?.unicode === true)
      tally.find('a pattern refused', { schema: source })
    return
  }
  if (theirs === undefined) tally.find('a pattern that is none', { schema: source })
  else holdAgainst(ours, theirs, source, random, tally)
}

function holdAgainst(ours: Pattern, theirs: RegExp, source: string, random: Random, tally: Tally): void {
  for (let count = 6; count > 0; count--) {
    const text = random.list(7, () => random.pick(CHARACTERS)).join('')
    // V8 also looks for these between the halves of a pair, where by ECMA-262 no match can begin; without the flag halves are characters.
    // Without the flag the rest of what it brings means something else.
    if (!theirs.unicode && /\\[pPu]|😀/.test(source)) return
    if (text.includes('😀') && (source.includes('\\B') || !theirs.unicode)) continue
    tally.count('checks')
    const verdict = tally.checking(() => tested(ours, text))
    if (verdict !== theirs.test(text)) tally.find('a text judged otherwise', { schema: source, value: text, verdicts: { ours: verdict } })
  }
}

function expression(random: Random, depth: number): string {
  const parts = random.list(4, () => {
    if (random.happens(0.12)) return random.pick(['^', '$', '\\b', '\\B'])
    if (depth > 0 && random.happens(0.25)) {
      const options = [expression(random, depth - 1), ...random.list(1, () => expression(random, depth - 1))]
      return `${random.pick(['(', '(?:'])}${options.join('|')})${random.pick(TIMES)}`
    }
    return random.pick(ATOMS) + random.pick(TIMES)
  })
  return parts.join('')
}

function native(source: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags)
    } catch {}
  }
  return undefined
}

function tested(pattern: Pattern, text: string): boolean | undefined {
  meter.startVerdict()
  try {
    return pattern.test(text)
  } catch (error) {
    if (error instanceof TooCostly) return undefined
    throw error
  }
}
