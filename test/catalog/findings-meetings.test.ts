import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileReader, type Meeting } from '../../src/catalog/findings-meetings.ts'
import { MEETINGS, SIGNALS } from '../../src/catalog/findings-rules.ts'
import { phrases } from '../../src/catalog/findings-words.ts'

type Signal = 'fruit' | 'tool' | 'place' | 'argument'

const WORDS = [
  ...phrases('fruit', ['apple pear']),
  ...phrases('tool', ['knife', 'bread >1 saw'], 'no'),
  ...phrases('place', ['kitchen']),
  ...phrases('alone', ['bell']),
]
const CUT: Meeting<string, Signal> = { code: 'cut', of: [['fruit'], ['tool']], within: 5 }
const GIVEN: Meeting<string, Signal> = { code: 'given', of: [['fruit', 'tool'], ['argument']], within: 0 }

const read = (text: string, given?: string, ...meetings: Meeting<string, Signal>[]) =>
  [...compileReader<string, Signal>(WORDS, meetings.length === 0 ? [CUT] : meetings)().read(text, given)].map(
    ([code, [from, to]]) => `${code}: ${text.slice(from, to)}`,
  )

describe('what stands near each other is found, in whatever order', () => {
  test.each<[string, readonly string[]]>([
    ['an apple, a knife', ['cut: apple, a knife']],
    ['a knife, then a pear!', ['cut: knife, then a pear']],
    ['Take the bread saw. The pear waits.', ['cut: bread saw. The pear']],
    ['an apple and, if there is none nearer, a knife', []],
    ['an apple, no knife', []],
    ['an apple, an apple', []],
    ['a knife. One. Pear.', []],
    ['apple one two three four five knife pear', ['cut: knife pear']],
    ['ring the bell', ['alone: bell']],
    ['in the kitchen', ['place: kitchen']],
  ])('%j', (text, found) => {
    expect(read(text)).toEqual(found)
  })

  test('of several that would do, the nearest', () => {
    const either: Meeting<string, Signal> = { code: 'cut', of: [['fruit', 'place'], ['tool']], within: 9 }
    expect(read('apple, then kitchen, then knife', undefined, either)).toEqual(['cut: kitchen, then knife'])
    expect(read('kitchen, then apple, then knife', undefined, either)).toEqual(['cut: apple, then knife'])
  })

  test('not across texts', () => {
    const reader = compileReader<string, Signal>(WORDS, [CUT])()
    expect([...reader.read('an apple'), ...reader.read('a knife')]).toEqual([])
  })

  test('what comes from the place of a text counts for all of it, and for no other', () => {
    const reader = compileReader<string, Signal>(WORDS, [GIVEN])()
    expect([...reader.read('far, far, far away, an apple', 'argument')]).toEqual([['given', [23, 28]]])
    expect([...reader.read('an apple')]).toEqual([])
    expect(read('a kitchen', 'argument', GIVEN)).toEqual(['place: kitchen'])
  })

  test('the first place is told, and adding words behind takes nothing away', () => {
    const words = fc.array(fc.constantFrom('apple', 'knife', 'no', 'kitchen', 'bell', 'and', 'bread', 'saw', '.', '!'), { maxLength: 20 })
    fc.assert(
      fc.property(words, words, (before, after) => {
        const [short, long] = [read(before.join(' ')), read([...before, ...after].join(' '))]
        expect(long.slice(0, short.length)).toEqual(short)
      }),
    )
  })
})

test('every signal takes part in something, and only what is a signal', () => {
  const used = new Set(MEETINGS.flatMap(({ of }) => of.flat()))
  expect([...new Set(SIGNALS.map(({ code }) => code))].filter(signal => !used.has(signal))).toEqual([])
  expect([...used].filter(signal => signal !== 'argument' && !SIGNALS.some(({ code }) => code === signal))).toEqual([])
})
