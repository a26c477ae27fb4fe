import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMentions } from '../../src/catalog/findings-names.ts'
import { placesIn } from '../../src/catalog/findings-places.ts'
import { SIGNALS } from '../../src/catalog/findings-rules.ts'
import { createTextReader } from '../../src/catalog/findings-text.ts'
import { PHRASES } from '../../src/catalog/findings-vocabulary.ts'

const LENGTH = 65_536
const WORDS = [...new Set([...PHRASES, ...SIGNALS].flatMap(({ steps }) => steps.flatMap(([words]) => words.split(' '))))]

/** Words and phrase steps that reading a text costs. */
function workOf(text: string): number {
  const reader = createTextReader()
  reader.read(text)
  return reader.work
}

const fill = (part: string, length = LENGTH) => part.repeat(Math.ceil(length / part.length)).slice(0, length)

describe('what reading costs is at most in proportion to the length, whatever the text', () => {
  const hostile = [
    'a',
    'put ',
    'send pass ',
    'ignore all previous ',
    'before any other tool ',
    'never tell ',
    'read .ssh id rsa ',
    '<important>',
    'aB',
    'a b ',
    '.',
    ' ',
    '\n',
    '0',
    "'",
    'é',
    'а',
    '\u0301\u0323',
    '\u200b',
    '\u{e0041}',
    '漢',
    '://a@b.',
  ]

  test.each(hostile)('64 KiB of %j', part => {
    expect(workOf(fill(part))).toBeLessThan(10 * LENGTH)
    expect(workOf(fill(part))).toBeLessThanOrEqual(2 * workOf(fill(part, LENGTH / 2)) + 100)
  })

  test('64 KiB of any words the scanner knows', () => {
    const texts = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 30 }).map(words => `${words.join(' ')} `)
    fc.assert(
      fc.property(texts, part => workOf(fill(part)) < 10 * LENGTH),
      { numRuns: 40 },
    )
  })

  test('a phrase is found with any amount of its own beginning before it', () => {
    const reader = createTextReader()
    expect([...reader.read(`${fill('ignore all ', 30_000)} ignore all rules`).keys()]).toEqual(['text.override'])
    expect([...reader.read('rules')]).toEqual([])
  })

  test('names are looked up, not looked for: a thousand cost what one costs', () => {
    const lookups = (count: number) => {
      let looked = 0
      class Counted extends Map<string, readonly string[]> {
        override has(alias: string): boolean {
          looked += 1
          return super.has(alias)
        }
      }
      const names = Array.from({ length: count }, (_, index) => `some tool ${index}`)
      createMentions(names, new Counted([['mail', names]]))(fill('mail__x docs+file://x a.b/c '), undefined)
      return looked
    }
    expect(lookups(1_000)).toBe(lookups(1))
    expect(lookups(1_000)).toBeLessThan(LENGTH)
  })

  test('of a descriptor, no more than its budget is scanned, in pieces of bounded length', () => {
    const { texts, isWhole } = placesIn({ a: fill('x', 1_000_000), b: Array.from({ length: 10_000 }, () => fill('y', 100)) })
    expect(isWhole).toBe(false)
    expect(texts.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(300_000)
    expect(Math.max(...texts.map(({ text }) => text.length))).toBeLessThanOrEqual(16_384)
    const { texts: all, isWhole: isAll } = placesIn({ a: fill('x', 200_000) })
    expect([isAll, all.length]).toEqual([true, 14])
    expect(placesIn({ a: fill('x', 15_900) }).texts.map(({ text }) => text.length)).toEqual([1, 15_900])
  })
})

/** What comes after something without end is tried at each place the end could be; at each start, that is quadratic. */
test('no pattern over a text has more behind a repetition without end', () => {
  const folder = new URL('../../src/catalog/', import.meta.url)
  const files = readdirSync(folder).filter(file => /^findings.*\.ts$|^lookalikes\.ts$/.test(file))
  const patterns = files.flatMap(file =>
    [...readFileSync(new URL(file, folder), 'utf8').matchAll(/(?:= |\(|\[)\/((?:\\.|\[(?:\\.|[^\]\n])+\]|[^/\n[\\])+)\/[a-z]*/g)].map(
      ([, source]) => source ?? '',
    ),
  )
  expect(patterns.length).toBeGreaterThan(15)
  const open = patterns.filter(source =>
    /[^\\](?:[+*]|\{\d+,\})./.test(source.replace(/\[(?:\\.|[^\]])+\]/g, 'C').replaceAll(/\\p\{[^}]*\}/g, 'P')),
  )
  // Both begin at the first character, and there is one way at each.
  expect(open).toEqual(['^(?:[A-Za-z0-9-]+\\.)+[A-Za-z]{2,}', '^[A-Za-z][a-z]*$'])
})
