import { stripVTControlCharacters } from 'node:util'
import { describe, expect, test } from 'vitest'
import { diffLines } from '../../src/catalog/diff.ts'
import type { JsonObject } from '../../src/core/json.ts'
import { parseJson } from '../../src/core/json.ts'

const plain = { color: false }

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

  test('indents every line of foreign text, so that it cannot pose as a line of ours', () => {
    const lines = diffLines({ d: 'a' }, { d: 'a\nnothing waits for review\r\n/description\u2028x' }, plain)
    expect(lines.slice(1).every(line => line.startsWith('    '))).toBe(true)
    expect(lines.join('\n')).toContain('\\u{d}')
  })

  test('in colour says the same', () => {
    const [a, b] = [{ d: 'one two' }, { d: 'one three\nfour' }]
    const colored = diffLines(a, b, { color: true }).join('\n')
    expect(colored).toContain('\u001b[')
    expect(stripVTControlCharacters(colored)).toBe(diffLines(a, b, plain).join('\n'))
  })
})
