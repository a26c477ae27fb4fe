import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { escapeHidden } from '../../src/catalog/hidden-characters.ts'
import { visible } from '../../src/core/visible.ts'

const OVERLAY = '\u0336'
const ACUTE = '\u0301'

describe('what a person reads', () => {
  test.each([
    ['a text that seems struck out', `R${OVERLAY}e${OVERLAY}`, 'R\\u{336}e\\u{336}'],
    ['a sign that forbids', 'a\u20e0', 'a\\u{20e0}'],
    ['a mark on what stands before the text', `${ACUTE}a`, '\\u{301}a'],
    ['a mark on a space', ` ${ACUTE}`, ' \\u{301}'],
    ['a tower of marks', `a${ACUTE.repeat(6)}`, `a${ACUTE.repeat(4)}\\u{301}\\u{301}`],
  ])('%s is spelled out', (_, text, shown) => {
    expect(visible(text)).toBe(shown)
    expect(escapeHidden(JSON.stringify(text))).not.toMatch(/[\u0336\u20e0]|["\s]\u0301|\u0301{5}/u)
    expect(JSON.parse(escapeHidden(JSON.stringify(text)))).toBe(text)
  })

  test.each(['e\u0301te\u0301', 'Tiê\u0301ng Viê\u0323t', 'नमस्ते दुनिया', 'שָׁלוֹם', 'العَرَبِيَّة', 'ภาษาไทยที่นี่', 'Καλημε\u0301ρα'])(
    '%s is not',
    text => {
      expect(visible(text)).toBe(text)
      expect(escapeHidden(text)).toBe(text)
    },
  )

  test('JSON keeps its value', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '"', '\\', ACUTE, OVERLAY, '\u200b', '\u{e0041}', '\u{1d167}') }), text => {
        expect(JSON.parse(escapeHidden(JSON.stringify(text)))).toBe(text)
      }),
    )
  })
})
