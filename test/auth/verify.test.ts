import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { base64url, createMintKey } from '../support/tokens.ts'
import { ENDPOINT, RESOURCE, type Room, startRoom, verdictOn } from './room.ts'

let room: Room
beforeAll(async () => {
  room = await startRoom()
})
afterAll(() => room.mint.close())

describe('signatures and broken tokens (B19)', () => {
  test('a token signed by somebody else under our kid is refused', async () => {
    const forger = createMintKey('RS256', 'k1')
    expect(await verdictOn(room.auth, room.mint.token({ aud: RESOURCE }, {}, forger), ENDPOINT)).toBe('AUTH_TOKEN_INVALID signature')
  })

  test('a key that travels in the header is not looked at', async () => {
    const forger = createMintKey('RS256', 'k1')
    const header = { jwk: forger.publicKey.export({ format: 'jwk' }), jku: 'https://evil.example/jwks', x5u: 'https://evil.example/x5u' }
    expect(await verdictOn(room.auth, room.mint.token({ aud: RESOURCE }, header, forger), ENDPOINT)).toBe('AUTH_TOKEN_INVALID signature')
  })

  test.each([
    ['nothing', '', 'malformed'],
    ['a word', 'x', 'malformed'],
    ['two parts', 'e30.e30', 'malformed'],
    ['four parts', 'e30.e30.e30.e30', 'malformed'],
    ['an encrypted token', 'e30.e30.e30.e30.e30', 'malformed'],
    ['a payload that is no object', `${base64url('{"alg":"RS256"}')}.${base64url('[1]')}.AAAA`, 'malformed'],
    ['a header that is not JSON', `${base64url('{"alg"')}.e30.AAAA`, 'malformed'],
    ['bytes that are no UTF-8', '_w._w._w', 'malformed'],
    ['padding', 'e30=.e30.AAAA', 'malformed'],
    ['a space more', ' e30.e30.AAAA', 'malformed'],
    ['nothing inside', 'e30.e30.AAAA', 'issuer'],
    ['20 KB', 'a'.repeat(20_480), 'size'],
  ])('%s is refused', async (_, token, reason) => {
    expect(await verdictOn(room.auth, token, ENDPOINT)).toBe(`AUTH_TOKEN_INVALID ${reason}`)
  })

  test('a truncated token is refused wherever it is cut', async () => {
    const token = room.mint.token({ aud: RESOURCE })
    for (let length = 0; length < token.length; length += 7) {
      expect(await verdictOn(room.auth, token.slice(0, length), ENDPOINT)).toMatch(/^AUTH_TOKEN_INVALID/)
    }
  })

  test.each(['../../x', '', '__proto__', 'k1\u0000', 'x'.repeat(2000)])('kid %j is no key', async kid => {
    expect(await room.judge({}, { kid })).toBe('AUTH_TOKEN_INVALID key')
  })

  test('kid that is no text is refused', async () => {
    expect(await room.judge({}, { kid: 1 })).toBe('AUTH_TOKEN_INVALID malformed')
  })
})
