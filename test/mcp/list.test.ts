import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decodeCursor as decode,
  encodeCursor as encode,
  exposedUri,
  MAX_URI_LENGTH,
  parseListParams,
  uriPrefixOf,
} from '../../src/mcp/index.ts'
import { codeOf, requestOf } from './support.ts'

const METHOD = 'resources/templates/list'
const encodeCursor = (name: string): string => encode(METHOD, name)
const decodeCursor = (cursor: string): string => decode(METHOD, cursor)
const bytesOf = (...parts: readonly (string | number[])[]): Buffer => Buffer.concat(parts.map(part => Buffer.from(part as string)))

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
    ['a version alone', 'Ag'],
    ['another version', bytesOf([1], `${METHOD}\nname`).toString('base64url')],
    ['a name without a method', bytesOf([2], 'name').toString('base64url')],
    ['a method without a name', bytesOf([2], `${METHOD}\n`).toString('base64url')],
    ['a cursor of another list', encode('resources/list', 'name')],
    ['a cursor of a list whose name begins like it', encode(`${METHOD}/x`, 'name')],
    ['padding', `${encodeCursor('name')}=`],
    ['loose trailing bits', `${bytesOf([2], `${METHOD}\nab`).toString('base64url').slice(0, -1)}h`],
    ['the other alphabet', bytesOf([2], `${METHOD}\n???>>>>`).toString('base64')],
    ['bytes that are not UTF-8', bytesOf([2], `${METHOD}\n`, [0xff]).toString('base64url')],
    ['more than any name', encodeCursor('x'.repeat(9_000))],
    ['a foreign cursor', 'eyJwYWdlIjogMn0='],
  ])('%s is refused', (_, cursor) => {
    expect(codeOf(() => decodeCursor(cursor))).toBe('MCP_PARAMS_INVALID')
  })
})

describe('parseListParams', () => {
  it('has no position on the first page, and the last name after it', () => {
    expect(parseListParams(requestOf('tools/list', {}))).toEqual({ cursor: undefined })
    expect(parseListParams(requestOf('tools/list', { cursor: encode('tools/list', 'a__b') }))).toEqual({ cursor: 'a__b' })
  })

  it.each([[null], [7], [{}], ['']])('refuses the cursor %j', cursor => {
    expect(codeOf(() => parseListParams(requestOf('tools/list', { cursor })))).toBe('MCP_PARAMS_INVALID')
  })
})
