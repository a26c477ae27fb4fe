import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeCursor, encodeCursor, parseListParams } from '../../src/mcp/index.ts'
import { codeOf, requestOf } from './support.ts'

describe('cursors', () => {
  it('any name comes back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 64 }), name => {
        const cursor = encodeCursor(name)
        expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/)
        expect(decodeCursor(cursor)).toBe(name)
      }),
    )
  })

  it('only the one spelling that was given out is taken back', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), text => {
        if (codeOf(() => decodeCursor(text)) === undefined) expect(encodeCursor(decodeCursor(text))).toBe(text)
      }),
    )
  })

  it.each([
    ['nothing', ''],
    ['a version alone', 'AQ'],
    ['another version', Buffer.from('\u0002name').toString('base64url')],
    ['padding', `${encodeCursor('name')}=`],
    ['loose trailing bits', 'AWF'],
    ['the other alphabet', Buffer.from('\u0001???>>>').toString('base64')],
    ['bytes that are not UTF-8', Buffer.from([1, 0xff]).toString('base64url')],
    ['more than any name', encodeCursor('x'.repeat(1_000))],
    ['a foreign cursor', 'eyJwYWdlIjogMn0='],
  ])('%s is refused', (_, cursor) => {
    expect(codeOf(() => decodeCursor(cursor))).toBe('MCP_PARAMS_INVALID')
  })
})

describe('parseListParams', () => {
  it('has no position on the first page, and the last name after it', () => {
    expect(parseListParams(requestOf('tools/list', {}))).toEqual({ cursor: undefined })
    expect(parseListParams(requestOf('tools/list', { cursor: encodeCursor('a__b') }))).toEqual({ cursor: 'a__b' })
  })

  it.each([[null], [7], [{}], ['']])('refuses the cursor %j', cursor => {
    expect(codeOf(() => parseListParams(requestOf('tools/list', { cursor })))).toBe('MCP_PARAMS_INVALID')
  })
})
