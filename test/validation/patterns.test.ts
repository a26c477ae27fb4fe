import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { meter } from '../../src/validation/meter.ts'
import { compilePattern } from '../../src/validation/patterns.ts'
import { Unenforceable } from '../../src/validation/unenforceable.ts'

function matches(source: string, text: string): boolean {
  meter.startVerdict()
  return compilePattern(source).test(text)
}

const TEXTS = [
  ...[
    '',
    'a',
    'ab',
    'abc',
    'xaby',
    'A',
    '1',
    'a1',
    'a b',
    'a\nb',
    'a\u2028b',
    '\u00a0',
    '\ufeff',
    '\v',
    '\r',
    '_',
    '-',
    '[',
    ']',
    '/',
    '\b',
  ],
  ...['é', 'Ж', '漢字', '😀', 'a😀b', 'x😀', '(', ')', '.', 'aaaa!', '2026-01-02', 'acme/site', 'a:', '\0', '\u0001'],
]

describe('a pattern means what ECMA-262 with the u flag says', () => {
  it.each([
    ...[
      '^a',
      'b$',
      'ab',
      '^abc$',
      '.',
      '^.$',
      '^..$',
      '^\\s$',
      '\\S',
      '[\\s]',
      '^[^\\s]+$',
      '^[\\S]+$',
      '[^\\S]',
      '\\d',
      '^\\w+$',
      '\\W',
      '\\bb',
    ],
    ...[
      '[a-c]',
      '[^a-c]',
      '^[\\w-]+$',
      '[[]',
      '[\\]]',
      '[[:a]',
      '^[\\b]$',
      '\\u0061',
      '\\u{1F600}',
      '\\ud83d\\ude00',
      '[\\ud83d\\ude00]',
      '\\x61',
    ],
    ...[
      '^\\p{L}+$',
      '\\p{Letter}',
      '\\P{L}',
      '[\\p{L}\\p{Nd}]',
      '\\p{Script=Cyrillic}',
      '\\p{sc=Han}',
      '\\p{General_Category=Lu}',
      '^\\p{Lu}',
    ],
    ...[
      '(a|b)+',
      '(?:ab)+',
      '(?<year>\\d{4})-(?<month>\\d\\d)',
      'a{2,3}',
      'a*?b',
      '\\/',
      '\\.',
      '\\(',
      '^$',
      '',
      '[]',
      '[^]',
      '\\cA',
      '\\0',
      '\\v',
      '\\t|\\n',
    ],
    ...['^[a-z0-9-]+/[a-z0-9-]+$', '^[\\u4e00-\\u9fa5]+$', '^(a+)+!$', '(^|x)😀'],
  ])('%s', source => {
    for (const text of TEXTS) expect([text, matches(source, text)]).toEqual([text, new RegExp(source, 'u').test(text)])
  })

  it('differs from ECMA-262 for no simple expression and no text', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      '.',
      '\\s',
      '\\S',
      '\\d',
      '\\w',
      '[ab]',
      '[^a]',
      '[\\s\\d]',
      '[\\S]',
      '(?:ab|b)',
      '(a)',
      'é',
      '😀',
      '\\u00e9',
      '\\.',
    )
    const part = fc.tuple(atom, fc.constantFrom('', '*', '+', '?', '{2}', '{0,2}', '*?')).map(([left, right]) => left + right)
    const source = fc
      .tuple(fc.constantFrom('', '^'), fc.array(part, { maxLength: 5 }), fc.constantFrom('', '$'))
      .map(([start, parts, end]) => start + parts.join('') + end)
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\u00a0', '\n', '\u2029', '1', 'é', '😀', '.', '_'), maxLength: 8 })
    fc.assert(fc.property(source, text, (left, right) => matches(left, right) === new RegExp(left, 'u').test(right)))
  })
})

describe('what the engine cannot do is refused, not guessed', () => {
  it.each([
    ['(?=a)', 'look-around'],
    ['(?!a)', 'look-around'],
    ['(?<=a)b', 'look-around'],
    ['(?<!a)b', 'look-around'],
    ['(a)\\1', 'back-reference'],
    ['(?<n>a)\\k<n>', 'back-reference'],
    ['(?i)a', 'unknown group'],
    ['(?P<n>a)', 'unknown group'],
    ['(?>a)', 'unknown group'],
    ['\\Qa+\\E', 'unknown escape'],
    ['\\Aa\\z', 'unknown escape'],
    ['\\pL', 'unknown escape'],
    ['\\a', 'unknown escape'],
    ['\\p{Nonsense}', 'does not support'],
    ['a**', 'does not support'],
    ['(', 'does not support'],
    ['[a', 'does not support'],
    ['a{1001}', 'does not support'],
  ])('%s', (source, reason) => {
    expect(() => compilePattern(source)).toThrow(Unenforceable)
    expect(() => compilePattern(source)).toThrow(reason)
  })
})

it('A-42: a pattern made to backtrack costs what a harmless one costs', () => {
  const text = `${'a'.repeat(20_000)}!`
  const harmless = compilePattern('^[a-z]+$')
  const hostile = compilePattern('^(a+)+$')
  const cost = (run: () => void) => {
    run()
    const start = process.hrtime.bigint()
    for (let round = 0; round < 20; round++) run()
    return Number(process.hrtime.bigint() - start)
  }
  const testing = (pattern: { test(text: string): boolean }) => () => {
    meter.startVerdict()
    expect(pattern.test(text)).toBe(false)
  }
  // Backtracking would need two to the power of 20,000 steps; the factor is for a busy machine.
  expect(cost(testing(hostile)) / cost(testing(harmless))).toBeLessThan(50)
})
