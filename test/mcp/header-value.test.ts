import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeHeaderValue, encodeHeaderValue } from '../../src/mcp/index.ts'
import vectors from './vectors/value-encoding.json' with { type: 'json' }

describe('the value of a header', () => {
  it.each([...vectors.specification, ...vectors.encoded].map(vector => [vector.value, vector.header]))(
    '%j is written %j and read back',
    (value, header) => {
      expect(encodeHeaderValue(value)).toBe(header)
      expect(decodeHeaderValue(header)).toBe(value)
    },
  )

  it.each(vectors.decoded.map(vector => [vector.why, vector] as const))('%s', (_, { header, value }) => {
    expect(decodeHeaderValue(header)).toBe(value)
  })

  it.each(vectors.malformed.map(vector => [vector.why, vector.header]))('%s is malformed', (_, header) => {
    expect(decodeHeaderValue(header)).toBeUndefined()
  })

  it('any text comes back, and travels as visible ASCII', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' })), text => {
        const header = encodeHeaderValue(text)
        expect(header).toMatch(/^[\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?$/)
        expect(decodeHeaderValue(header)).toBe(text)
      }),
    )
  })

  it('no encoded value has two spellings', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), fc.string({ maxLength: 3 }), (bytes, noise) => {
        const header = `=?base64?${Buffer.from(bytes).toString('base64')}${noise}?=`
        const value = decodeHeaderValue(header)
        if (value !== undefined) expect(`=?base64?${Buffer.from(value).toString('base64')}?=`).toBe(header)
      }),
    )
  })
})
