/*
 * Whatever the JWT library threw came out as 500. Clients log in again on 401 and on nothing else, so a token that had merely
 * expired ended the connection for good; and the message told of the library, and sometimes of the token.
 * So: a token that cannot be used is 401 `invalid_token`, whatever is wrong with it; the answer never says what. Only one that
 * does not fit into the header section is told so.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())

const seconds = () => Math.floor(systemClock.now() / 1000)

it.each([
  ['expired beyond the tolerance', () => scene.gateway.token('tools:write', { exp: seconds() - 31 })],
  ['not valid yet', () => scene.gateway.token('tools:write', { nbf: seconds() + 60 })],
  ['unsigned', () => 'eyJhbGciOiJub25lIn0.eyJhdWQiOiJ4In0.'],
  ['cut short', () => scene.gateway.token().slice(0, 60)],
  ['of a key that reads like a path', () => scene.gateway.mint.token({ aud: scene.gateway.url }, { kid: '../../x' })],
  ['of a key that is a number', () => scene.gateway.mint.token({ aud: scene.gateway.url }, { kid: 7 })],
  ['made of nothing but dots', () => '..'],
  ['with bytes above ASCII', () => 'é.é.é'],
])('B19 a token %s is 401, with the same text as any other', async (_, token) => {
  const answer = await expectRefused(scene, 'AUTH_TOKEN_INVALID', () => scene.raw({ headers: { Authorization: `Bearer ${token()}` } }))
  expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"')
})

it('B19 a token of twenty kilobytes is too large a header', async () => {
  await expectRefused(scene, 'HTTP_HEADERS_TOO_LARGE', () => scene.raw({ headers: { Authorization: `Bearer ${'a'.repeat(20_000)}` } }))
})
