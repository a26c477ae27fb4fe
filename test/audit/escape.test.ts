import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeText, MAX_TEXT, quote } from '../../src/audit/escape.ts'
import { parseJsonText } from '../../src/core/json.ts'

const anyText = fc.string({ unit: 'binary', maxLength: 400 })
const withLoneSurrogates = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 400 }).map(units => String.fromCharCode(...units))

describe('text from outside', () => {
  it('always becomes one JSON string without hidden characters', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, withLoneSurrogates), text => {
        const { value } = parseJsonText(quote(text))
        expect(value).toBe(escapeText(text))
        expect(value).not.toMatch(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u)
      }),
    )
  })

  it('cannot imitate an escape: what is shown of one text is never shown for the text that says just that', () => {
    const short = fc.string({ unit: fc.constantFrom('\\', 'u', '{', 'a', '}', '\n', '\u202e'), maxLength: 12 })
    fc.assert(
      fc.property(short, text => {
        const shown = escapeText(text)
        return shown === text || escapeText(shown) !== shown
      }),
    )
  })

  it('is repeated as it is when it is plain', () => {
    const plain = fc.string({ unit: fc.constantFrom(...'abc {}:,é日😀'), maxLength: MAX_TEXT / 2 })
    fc.assert(fc.property(plain, text => escapeText(text) === text))
  })
})
