import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { meter, TooCostly } from '../../src/validation/meter.ts'
import { compilePattern } from '../../src/validation/patterns.ts'
import { Unenforceable } from '../../src/validation/unenforceable.ts'

function matches(source: string, text: string): boolean {
  meter.startVerdict()
  return compilePattern(source, 8_000).test(text)
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
    ...['^a|b', '(?:^a)?b', '(?:^a|b)y', '(?:^){0}b', '^[a-z0-9-]+/[a-z0-9-]+$', '^[\\u4e00-\\u9fa5]+$', '^(a+)+!$', '(^|x)😀'],
  ])('%s', source => {
    for (const text of TEXTS) expect([text, matches(source, text)]).toEqual([text, new RegExp(source, 'u').test(text)])
  })

  it('differs from ECMA-262 for no expression and no text', () => {
    const atoms = [
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
      '[a-é]',
      'é',
      '😀',
      '\\u00e9',
      '\\.',
      '\\p{L}',
    ]
    const quantifier = fc.constantFrom('', '', '*', '+', '?', '{2}', '{0,2}', '{1,}', '{0}', '*?', '{2,3}?')
    const { any } = fc.letrec<{ any: string; part: string }>(tie => ({
      part: fc.oneof(
        { depthSize: 'small' },
        fc.tuple(fc.constantFrom(...atoms), quantifier).map(([atom, times]) => atom + times),
        fc.constantFrom('^', '$', '\\b', '\\B'),
        fc
          .tuple(fc.constantFrom('(', '(?:', '(?<x>'), fc.array(tie('any'), { minLength: 1, maxLength: 2 }), quantifier)
          .map(([open, options, times]) => `${open}${options.join('|').replaceAll('(?<x>', '(?:')})${times}`),
      ),
      any: fc.array(tie('part'), { maxLength: 4 }).map(parts => {
        let named = 0
        // A name may stand once in an expression.
        return parts.join('').replaceAll('(?<x>', () => (named++ === 0 ? '(?<x>' : '('))
      }),
    }))
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\u00a0', '\n', '\u2029', '1', 'é', '😀', '.', '_'), maxLength: 8 })
    fc.assert(
      fc.property(any, fc.array(text, { maxLength: 4 }), (source, texts) => {
        const theirs = new RegExp(source, 'u')
        // V8 also looks for `\B` between the halves of a pair, where by ECMA-262 no match can begin.
        const whole = source.includes('\\B') ? texts.filter(each => !each.includes('😀')) : texts
        for (const each of whole) expect([each, matches(source, each)]).toEqual([each, theirs.test(each)])
      }),
      { numRuns: 1_000 },
    )
  })

  it.each(['[\\w-.]+', '\\-\\@\\_\\"', 'a{', '{a}', 'a{,2}', ']', '}', '[a-\\d]', '\\ '])(
    'what means itself without the flag is taken so: %s',
    source => {
      const theirs = new RegExp(source)
      for (const text of [...TEXTS, 'a{', '{a}', 'a{,2}', '-@_"', 'x.y-z', ' ', '}'])
        expect([text, matches(source, text)]).toEqual([text, theirs.test(text)])
    },
  )
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
    ['\\', 'unknown escape'],
    ['[\\B]', 'unknown escape'],
    ['\\p{L}\\p{}', 'unknown escape'],
    ['\\p{Nonsense}', 'unknown Unicode property'],
    ['\\u{110000}', 'not a regular expression'],
    ['a**', 'not a regular expression'],
    ['*', 'not a regular expression'],
    ['^*', 'not a regular expression'],
    ['{2}', 'not a regular expression'],
    ['a{2}{2}', 'not a regular expression'],
    ['a{3,2}', 'not a regular expression'],
    ['(', 'not a regular expression'],
    [')', 'not a regular expression'],
    ['[a', 'not a regular expression'],
    ['[b-a]', 'not a regular expression'],
    ['a{8001}', 'too large when written out'],
    ['(?:a{99}){99}', 'too large when written out'],
    ['(?:){999999999}', 'too large when written out'],
    ['(?:(?:){999}){999}', 'too large when written out'],
    ['a{0,9000}', 'too large when written out'],
  ])('%s', (source, reason) => {
    expect(() => compilePattern(source, 8_000)).toThrow(Unenforceable)
    expect(() => compilePattern(source, 8_000)).toThrow(reason)
  })
})

describe('A-42: what a pattern costs is paid step by step', () => {
  const costOf = (source: string, text: string) => {
    const pattern = compilePattern(source, 8_000)
    meter.startVerdict()
    const { left } = meter
    pattern.test(text)
    return left - meter.left
  }

  it('one made to backtrack costs what a harmless one costs', () => {
    const text = `${'a'.repeat(20_000)}!`
    // Backtracking would need two to the power of 20,000 steps.
    expect(costOf('^(a+)+$', text) / costOf('^[a-z]+$', text)).toBeLessThan(5)
  })

  it('twice the text costs twice as much, whatever the pattern', () => {
    for (const source of ['(?:a|b)*a(?:a|b){20}$', '(?:a?){9}(?:a*)*b', '(\\w*\\b){9}x', '^(?:(?:(?:a*)*)*)*$']) {
      expect(costOf(source, 'ab'.repeat(1_000)) / costOf(source, 'ab'.repeat(500))).toBeLessThan(2.1)
    }
  })

  it('nothing, where no match can begin any more', () => {
    expect(costOf('^(?:a|b)c', 'd'.repeat(10_000))).toBeLessThan(50)
    expect(costOf('(?:^a|b)c', 'd'.repeat(10_000))).toBeGreaterThan(10_000)
  })

  it('one that follows a thousand ways at once is stopped in the middle of the text', () => {
    const pattern = compilePattern('(?:a|b)*a(?:a|b){900}$', 8_000)
    meter.startVerdict()
    expect(() => pattern.test('ab'.repeat(400_000))).toThrow(TooCostly)
    // And leaves nothing behind.
    expect(matches('(?:a|b)*a(?:a|b){900}$', `a${'b'.repeat(900)}`)).toBe(true)
    meter.startVerdict()
    expect(pattern.test(`a${'b'.repeat(900)}`)).toBe(true)
    expect(pattern.test(`b${'b'.repeat(900)}`)).toBe(false)
  })

  it('a large set costs more beyond ASCII', () => {
    const set = `^[${'\\p{L}\\p{N}'.repeat(40)}]*$`
    expect(costOf(set, 'é'.repeat(100)) / costOf('^é*$', 'é'.repeat(100))).toBeGreaterThan(20)
  })
})
