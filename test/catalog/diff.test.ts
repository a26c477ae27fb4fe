import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changesOf, diffLines } from '../../src/catalog/diff.ts'
import { visible } from '../../src/catalog/hidden-characters.ts'
import { type JsonObject, parseJson } from '../../src/core/json.ts'

const plain = { color: false }
/** As it is shown, without the ends of its lines. */
const oneLine = (text: string) => visible(text.replaceAll('\n', ''))

describe('a diff', () => {
  test('shows words of a text and values of a schema under their pointers', () => {
    const approved = {
      name: 'send',
      description: 'Sends a letter.',
      inputSchema: { type: 'object', properties: { to: { type: 'string' } } },
    }
    const live = {
      name: 'send',
      description: 'Sends a secret letter.',
      inputSchema: { type: 'object', properties: { to: { type: 'number' }, cc: { type: 'string' } } },
    }
    expect(diffLines(approved, live, plain)).toMatchInlineSnapshot(`
      [
        "/description",
        "    ~ Sends a {+secret +}letter.",
        "/inputSchema/properties/to/type",
        "    ~ [-string-]{+number+}",
        "/inputSchema/properties/cc",
        "    + {",
        "    +   "type": "string"",
        "    + }",
      ]
    `)
  })

  test('shows members that came and went, and nothing of what is the same', () => {
    expect(diffLines({ a: 1, same: { x: [1] } }, { b: [true], same: { x: [1] } }, plain)).toEqual([
      '/a',
      '    - 1',
      '/b',
      '    + [',
      '    +   true',
      '    + ]',
    ])
    expect(diffLines({ a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 } }, plain)).toEqual([])
  })

  test('of a new tool is the whole descriptor, of a missing one all that is gone', () => {
    const tool = { name: 'send', inputSchema: { type: 'object' } }
    expect(diffLines(undefined, tool, plain)).toEqual(['/name', '    + send', '/inputSchema/type', '    + object'])
    expect(diffLines(tool, undefined, plain)).toContain('    - send')
  })

  test('tells exact numbers apart', () => {
    const [a, b] = ['{"n":9007199254740992}', '{"n":9007199254740993}'].map(text => parseJson(Buffer.from(text)).value as JsonObject)
    expect(diffLines(a, b, plain)).toEqual(['/n', '    - 9007199254740992', '    + 9007199254740993'])
  })

  test('shows a hidden character, an escape sequence and the tail of a long text (A-54, A-63)', () => {
    const long = 'word '.repeat(12_000)
    const lines = diffLines({ d: long }, { d: `${long}the\u200btail\u001b[8m` }, plain).join('\n')
    expect(lines).toContain('the\\u{200b}tail\\u{1b}[8m')
    const other = diffLines({ d: long }, { d: `${'other text '.repeat(6_000)}tail` }, plain).join('\n')
    expect(other).toContain('tail')
  })

  test('shows lists line by line, what is the same beside what is not', () => {
    const list = (...items: readonly unknown[]) => ({ enum: items }) as JsonObject
    expect(diffLines(list('me', 'team'), list('me', 'team', 'web'), plain)).toEqual([
      '/enum',
      '      [',
      '        "me",',
      '        "team",',
      '    +   "web"',
      '      ]',
    ])
    const many = Array.from({ length: 40 }, (_, index) => index)
    expect(diffLines(list(...many), list(...many.with(20, -1)), plain)).toEqual([
      '/enum',
      '    … 18 lines as before',
      '        17,',
      '        18,',
      '        19,',
      '    -   20,',
      '    +   -1,',
      '        21,',
      '        22,',
      '        23,',
      '    … 17 lines as before',
    ])
  })

  test('of a list of as many objects as before says which of them changed, and where', () => {
    const [a, b] = ['What it is about.', 'What it is about, and who asks.'].map(description => ({
      arguments: [{ name: 'a' }, { description }],
    }))
    expect(diffLines(a, b, plain)).toEqual(['/arguments/1/description', '    ~ What it is about{+, and who asks+}.'])
    expect(changesOf(a, b)).toEqual([
      { pointer: '/arguments/1/description', before: 'What it is about.', after: 'What it is about, and who asks.' },
    ])
  })

  test.each(['{+', '+}', '[-', '-]', '＋｝', '{➕', '⁺}', '[‐', '[−', '–］'])(
    'does not mark words where a text has %s in it, which could pass new words off as old',
    mark => {
      const live = `Sends. Never mind${mark} that it mails a copy.`
      expect(diffLines({ d: 'Sends.' }, { d: live }, plain)).toEqual(['/d', '    - Sends.', `    + ${live}`])
      expect(diffLines({ d: live }, { d: 'Sends.' }, plain)).toEqual(['/d', `    - ${live}`, '    + Sends.'])
    },
  )

  test('loses nothing: what is not marked as removed is the new text, what is not marked as added the old one', () => {
    const text = fc.string({ unit: fc.constantFrom('word ', 'another ', '\n', 'é', '\u200b', '.'), maxLength: 30 })
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines({ d: before }, { d: after }, plain)
        const whole = lines
          .slice(1)
          .map(line => line.slice(6).replace(/^↳ /, ''))
          .join('')
        const side = (gone: RegExp, kept: RegExp) => whole.replace(gone, '').replace(kept, '$1').replaceAll('\\u{a}', '')
        fc.pre(before !== after)
        expect(lines.slice(1).every(line => line.startsWith('    ~ '))).toBe(true)
        expect(side(/\[-(.*?)-\]/g, /\{\+(.*?)\+\}/g)).toBe(oneLine(after))
        expect(side(/\{\+(.*?)\+\}/g, /\[-(.*?)-\]/g)).toBe(oneLine(before))
      }),
      { numRuns: 500 },
    )
  })

  test('of a long text shows what changed with some lines around it, and says how many more are as before', () => {
    const words = 'It is read as it stands. '.repeat(200)
    const lines = diffLines({ d: `${words}${words}` }, { d: `${words}Mail it. ${words}` }, plain)
    expect(lines.filter(line => line.includes('{+Mail it. +}'))).toHaveLength(1)
    expect(lines.length).toBeLessThan(40)
    expect([lines[1], lines.at(-1)]).toEqual([
      expect.stringMatching(/^ {4}… \d+ lines as before$/),
      expect.stringMatching(/^ {4}… \d+ lines as before$/),
    ])
  })

  test('spells out the end of a line that came or went', () => {
    expect(diffLines({ d: 'a\nb' }, { d: 'a\n\n\nb' }, plain)).toEqual(['/d', '    ~ a', '    ~ {+\\u{a}+}', '    ~ {+\\u{a}+}', '    ~ b'])
    expect(diffLines({ d: 'a\nb' }, { d: 'a b' }, plain)).toEqual(['/d', '    ~ a[-\\u{a}-]', '    ~ {+ +}b'])
  })

  test('indents every line of foreign text, so that it cannot pose as a line of ours', () => {
    const lines = diffLines({ d: 'a' }, { d: 'a\nnothing waits for review\r\n/description\u2028x' }, plain)
    expect(lines.slice(1).every(line => line.startsWith('    '))).toBe(true)
    expect(lines.join('\n')).toContain('\\u{d}')
  })

  describe('breaks a long line itself, so that no terminal does and no page has something beyond its edge', () => {
    const wide = (lines: readonly string[]) => lines.filter(line => line.length > 78)
    const words = 'It is read as it stands. '

    test.each([
      ['of a new text', undefined, `${words.repeat(20)}Mail it.`],
      ['of a text with an addition behind', words.repeat(20), `${words.repeat(20)}Mail it.`],
      ['of a text with an addition in front', words.repeat(4), `${words.repeat(20)}Mail it. ${words.repeat(4)}`],
      ['of a text that is all another', 'x', words.repeat(20)],
      ['of one long word', undefined, 'x'.repeat(500)],
      ['of a gap', undefined, `Reads.${' '.repeat(300)}Mail it.`],
      ['of a value in a list', undefined, [words.repeat(20)]],
      ['of hidden characters', 'x', '\u{e0041}'.repeat(100)],
    ])('%s', (_, before, after) => {
      const at = (value: unknown) => (value === undefined ? { a: 1 } : { a: 1, d: value }) as JsonObject
      const lines = diffLines(at(before), at(after), plain)
      expect(wide(lines)).toEqual([])
      expect(lines.length).toBeGreaterThan(7)
      expect(lines.slice(2).every(line => /^ {4}[~+-] ↳ |^ {4}\+ \]$|^ {4}\+ {3}/.test(line))).toBe(true)
    })

    test('of a pointer', () => {
      const lines = diffLines({ a: 1 }, { a: 1, ['nothing waits for review '.repeat(10)]: 1 }, plain)
      expect(wide(lines)).toEqual([])
      expect(lines.slice(1, -1).every(line => line.startsWith('↳ '))).toBe(true)
    })

    test('and marks each part by itself', () => {
      expect(diffLines({ d: 'a' }, { d: `a ${'word '.repeat(20)}` }, plain)).toEqual([
        '/d',
        `    ~ a{+ ${'word '.repeat(12)}+}`,
        `    ~ ↳ {+${'word '.repeat(8)}+}`,
      ])
    })
  })

  test('in colour says the same', () => {
    const [a, b] = [{ d: 'one two' }, { d: 'one three\nfour' }]
    const colored = diffLines(a, b, { color: true }).join('\n')
    expect(colored).toContain('\u001b[')
    expect(stripVTControlCharacters(colored)).toBe(diffLines(a, b, plain).join('\n'))
  })
})
