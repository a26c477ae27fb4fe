import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editStrings } from '../../src/core/json.ts'

const upper = (value: string) => value.toUpperCase()

describe('a text in which some strings give way to others', () => {
  it.each<[string, string, RegExp, string]>([
    ['no hit', '{"a":"b", "n":1.50}', /z/g, '{"a":"b", "n":1.50}'],
    ['a value', '{ "a" : "bz" , "n":1.50}', /z/g, '{ "a" : "BZ" , "n":1.50}'],
    ['a key', '{"az":"b"}', /z/g, '{"AZ":"b"}'],
    ['several hits in one string', '["zaz","b","cz"]', /z/g, '["ZAZ","b","CZ"]'],
    ['members without braces', '"a":"z","b":[9007199254740993,"z"]', /z/g, '"a":"Z","b":[9007199254740993,"Z"]'],
    ['a hit in an escape', '["a","\\u007ab"]', /\\u/g, '["a","ZB"]'],
    ['quotes and backslashes on the way', '["\\"z\\\\","\\\\","z"]', /z/g, '["\\"Z\\\\","\\\\","Z"]'],
    ['a long string before', `["${'a\\"'.repeat(100)}","z"]`, /z/g, `["${'a\\"'.repeat(100)}","Z"]`],
    ['nothing at all', '', /z/g, ''],
  ])('%s', (_, text, where, edited) => {
    expect(editStrings(text, where, upper)).toBe(edited)
  })

  it('one that stays the same stays as it was written', () => {
    expect(editStrings('["\\u0061\\/z"]', /z/g, value => value)).toBe('["\\u0061\\/z"]')
  })

  it('any strings of any value, and nothing else', () => {
    // A letter of no literal: a hit is to be inside a string.
    const bracketed = (text: string) => (text.includes('o') ? `<${text}>` : text)
    const changed = (value: unknown): unknown => {
      if (typeof value === 'string') return bracketed(value)
      if (Array.isArray(value)) return value.map(changed)
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(Object.entries(value).map(([key, member]) => [bracketed(key), changed(member)]))
    }
    const text = fc.string({ unit: fc.constantFrom('o', 'x', '"', '\\', '\n', 'é', '😀') })
    const { tree } = fc.letrec(tie => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        tie('list'),
        tie('object'),
      ),
      list: fc.array(tie('tree')),
      object: fc.dictionary(text, tie('tree')),
    }))
    fc.assert(
      fc.property(tree, fc.nat(2), (value, indent) => {
        const edited = editStrings(JSON.stringify(value, undefined, indent), /o/g, bracketed)
        expect(edited).toBe(JSON.stringify(changed(value), undefined, indent))
      }),
    )
  })
})
