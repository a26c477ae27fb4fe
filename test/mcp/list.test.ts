import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeCursor, encodeCursor, exposedUri, MAX_URI_LENGTH, parseListParams, uriPrefixOf } from '../../src/mcp/index.ts'
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

  it('the longest URI there can be comes back', () => {
    const uri = exposedUri(uriPrefixOf('0123456789abcdef'), `a:${'b'.repeat(MAX_URI_LENGTH - 2)}`)
    expect(decodeCursor(encodeCursor(uri))).toBe(uri)
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
    ['more than any name', encodeCursor('x'.repeat(9_000))],
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
