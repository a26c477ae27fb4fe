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

  it('stays distinguishable: two texts that fit are shown alike only when they are equal', () => {
    const short = fc.string({ unit: fc.constantFrom('\\', 'u', '{', 'a', '}', '\n', '5', 'c'), maxLength: 12 })
    fc.assert(fc.property(short, short, (a, b) => (escapeText(a) === escapeText(b)) === (a === b)))
  })

  it('is repeated as it is when it is plain', () => {
    const plain = fc.string({ unit: fc.constantFrom(...'abc {}:,é日😀'), maxLength: MAX_TEXT / 2 })
    fc.assert(fc.property(plain, text => escapeText(text) === text))
  })
})
