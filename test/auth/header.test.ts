import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAuth } from '../../src/auth/index.ts'
import { base64url } from '../support/tokens.ts'
import { clock, ENDPOINT, RESOURCE, type Room, seconds, startRoom, verdictOn } from './room.ts'

let room: Room
beforeAll(async () => {
  room = await startRoom()
})
afterAll(() => room.mint.close())

describe('algorithms (A-70)', () => {
  const claims = (): string =>
    base64url(JSON.stringify({ iss: room.mint.issuer, sub: 'ann', aud: RESOURCE, iat: seconds(0), exp: seconds(60) }))

  test('alg none is refused, with and without a signature', async () => {
    const unsigned = `${base64url('{"alg":"none","typ":"at+jwt"}')}.${claims()}`
    expect(await verdictOn(room.auth, `${unsigned}.`, ENDPOINT)).toBe('AUTH_TOKEN_INVALID malformed')
    expect(await verdictOn(room.auth, `${unsigned}.AAAA`, ENDPOINT)).toBe('AUTH_TOKEN_INVALID algorithm')
  })

  test.each(['pem', 'jwk'] as const)('HS256 under the public key (%s) is refused', async format => {
    const { publicKey } = room.mint.key
    const secret = format === 'pem' ? publicKey.export({ format, type: 'spki' }) : JSON.stringify(publicKey.export({ format }))
    const input = `${base64url('{"alg":"HS256","typ":"at+jwt","kid":"k1"}')}.${claims()}`
    const token = `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
    expect(await verdictOn(room.auth, token, ENDPOINT)).toBe('AUTH_TOKEN_INVALID algorithm')
  })

  test('an algorithm that is not on the list is refused even under a published key', async () => {
    const key = { ...room.mint.key, algorithm: 'PS256' as const }
    expect(await verdictOn(room.auth, room.mint.token({ aud: RESOURCE }, {}, key), ENDPOINT)).toBe('AUTH_TOKEN_INVALID algorithm')
  })

  test('the names of Object.prototype are no algorithms', async () => {
    expect(await room.judge({}, { alg: 'constructor' })).toBe('AUTH_TOKEN_INVALID algorithm')
  })

  test.each(['none', 'HS256', 'dir', '__proto__'])('a configuration with %s does not start', algorithm => {
    expect(() => createAuth({ clock, issuers: [room.mint.config({ algorithms: [algorithm] })] })).toThrow(TypeError)
  })
})

describe('types (A-73)', () => {
  test.each([
    ['at+jwt', { typ: 'at+jwt' }, 'accepted'],
    ['its media type in capitals', { typ: 'Application/AT+JWT' }, 'accepted'],
    ['JWT, as most providers write', { typ: 'JWT' }, 'accepted'],
    ['no type', { typ: undefined }, 'accepted'],
    ['a DPoP proof', { typ: 'dpop+jwt' }, 'AUTH_TOKEN_INVALID type'],
    ['an ID-JAG', { typ: 'oauth-id-jag+jwt' }, 'AUTH_TOKEN_INVALID type'],
    ['a logout token', { typ: 'logout+jwt' }, 'AUTH_TOKEN_INVALID type'],
    ['a type that is no text', { typ: ['at+jwt'] }, 'AUTH_TOKEN_INVALID type'],
    ['an empty type', { typ: '' }, 'AUTH_TOKEN_INVALID type'],
    ['an unknown critical extension', { crit: ['x'], x: 1 }, 'AUTH_TOKEN_INVALID critical'],
    ['an unencoded payload', { crit: ['b64'], b64: false }, 'AUTH_TOKEN_INVALID critical'],
    ['b64 that is not marked critical', { b64: true }, 'AUTH_TOKEN_INVALID critical'],
  ])('%s', async (_, header, verdict) => {
    expect(await room.judge({}, header)).toBe(verdict)
  })
})
