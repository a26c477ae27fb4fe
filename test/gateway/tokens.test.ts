import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'
import { base64url, createMintKey, publicJwk, signToken } from '../support/tokens.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())

const now = () => Math.floor(systemClock.now() / 1000)
const refused = async (token: string, reason?: string) => {
  const answer = await expectRefused(scene, 'AUTH_TOKEN_INVALID', () => scene.raw({ headers: { Authorization: `Bearer ${token}` } }), {
    ...(reason && { detail: { reason } }),
  })
  expect(answer.headers.get('www-authenticate')).toBe(
    `Bearer error="invalid_token", resource_metadata="${scene.gateway.origin}/.well-known/oauth-protected-resource/mcp", scope="tools:read"`,
  )
}
/** A token that is right but for these claims and this header. */
const token = (claims: Record<string, unknown>, header: Record<string, unknown> = {}) =>
  scene.gateway.mint.token({ aud: scene.gateway.url, scope: 'tools:read tools:write', ...claims }, header)

const NEAR = 'this host, but another scheme, port or path'

describe('audience', () => {
  it.each([
    ['of another service', () => 'https://other.example/mcp', 'another host, or no URL'],
    ['that is missing', () => undefined, 'none'],
    ['of two services, ours among them', () => [scene.gateway.url, 'https://other.example'], 'several'],
    ['with a slash more', () => `${scene.gateway.url}/`, NEAR],
    ['of the origin alone', () => scene.gateway.origin, NEAR],
    ['of another port', () => 'http://127.0.0.1:1/mcp', NEAR],
    ['with a query', () => `${scene.gateway.url}?x=1`, NEAR],
    ['that is a number', () => 1, 'none'],
    ['that is empty', () => '', 'another host, or no URL'],
    ['that is an empty list', () => [], 'none'],
  ])('A-67 %s is refused, and the record says in our words what it was [REQ-TOKEN-AUDIENCE]', async (_, aud, audience) => {
    await refused(token({ aud: aud() }))
    expect(scene.gateway.trail.last()?.detail).toEqual({ reason: 'audience', issuer: scene.gateway.mint.issuer, audience })
  })

  it('A-67 whose scheme and host are in another case is ours', async () => {
    const aud = scene.gateway.url.replace('http:', 'HTTP:')
    expect((await scene.raw({ headers: { Authorization: `Bearer ${token({ aud })}` } })).status).toBe(200)
  })
})

describe('time', () => {
  it.each([
    ['no exp', () => ({ exp: undefined })],
    ['exp in milliseconds', () => ({ exp: systemClock.now() })],
    ['exp a minute ago', () => ({ exp: now() - 61 })],
    ['exp that is text', () => ({ exp: String(now() + 60) })],
    ['nbf in the future', () => ({ nbf: now() + 120 })],
    ['iat an hour ahead', () => ({ iat: now() + 3600 })],
  ])('A-68 %s is refused [REQ-TOKEN-VALIDATE]', async (_, claims) => {
    await refused(token(claims()))
  })
})

describe('algorithm', () => {
  it('A-70 none is refused, in every spelling', async () => {
    for (const alg of ['none', 'None', 'NONE', '']) {
      const unsigned = `${base64url(JSON.stringify({ alg, typ: 'at+jwt' }))}.${base64url(JSON.stringify({ aud: scene.gateway.url }))}.`
      await refused(unsigned)
    }
  })

  it("A-70 HS256 with the issuer's public key as its secret is refused", async () => {
    const { key } = scene.gateway.mint
    const pem = key.publicKey.export({ type: 'spki', format: 'pem' })
    const good = token({}, { alg: 'HS256' })
    const input = good.slice(0, good.lastIndexOf('.'))
    await refused(`${input}.${createHmac('sha256', pem).update(input).digest('base64url')}`)
  })

  it('A-70 one that is not on the list is refused, though its key is published', async () => {
    const other = createMintKey('EdDSA', 'other')
    scene.gateway.mint.published.push(publicJwk(other))
    await refused(scene.gateway.mint.token({ aud: scene.gateway.url }, {}, other))
  })

  it('A-70 a key that is not published is refused, and so is one the token brings along', async () => {
    const own = createMintKey('ES256', 'own')
    await refused(scene.gateway.mint.token({ aud: scene.gateway.url }, {}, own))
    await refused(scene.gateway.mint.token({ aud: scene.gateway.url }, { jwk: publicJwk(own), kid: undefined }, own))
    await refused(scene.gateway.mint.token({ aud: scene.gateway.url }, { jku: 'https://evil.example/jwks', kid: '../../x' }, own))
  })
})

describe('a token for something else', () => {
  it.each([
    ['an ID token', { aud: 'client', nonce: 'n', scope: undefined, client_id: undefined, sid: 's' }, { typ: 'JWT' }],
    ['an ID token for our resource', { nonce: 'n', at_hash: 'x', scope: undefined, client_id: undefined }, { typ: 'JWT' }],
    ['a DPoP proof', { htm: 'POST', htu: 'x', iss: undefined }, { typ: 'dpop+jwt' }],
    ['an ID-JAG', {}, { typ: 'oauth-id-jag+jwt' }],
    ['a logout token', { events: {} }, { typ: 'logout+jwt' }],
  ])('A-73 %s is refused', async (_, claims, header) => {
    await refused(token(claims, header))
  })
})

describe('a token that is no token', () => {
  it.each([
    ['cut short', () => token({}).slice(0, -10)],
    ['of two parts', () => token({}).split('.').slice(0, 2).join('.')],
    ['of five parts', () => 'a.b.c.d.e'],
    ['text', () => 'x'],
    ['with a flipped bit', () => `${token({}).slice(0, -4)}AAAA`],
    ['from another issuer', () => token({ iss: 'https://evil.example' })],
    ['whose claims are a list', () => signToken({ alg: 'ES256', typ: 'at+jwt', kid: 'k1' }, '[]', scene.gateway.mint.key)],
    ['with a claim twice', () => signToken({ alg: 'ES256', typ: 'at+jwt', kid: 'k1' }, '{"aud":"a","aud":"b"}', scene.gateway.mint.key)],
    ['with an unknown critical header', () => token({}, { crit: ['x'], x: 1 })],
  ])('%s is refused like any other', async (_, made) => {
    await refused(made())
  })

  it.each(['Basic dXNlcjpwYXNz', 'Bearer', 'Bearer ', 'Bearer a b', 'bearer', 'Token x', 'DPoP x', ''])(
    'Authorization: %j is refused',
    async value => {
      const { status } = await scene.raw({ headers: { Authorization: value } })
      expect(status).toBe(401)
      expect(['AUTH_TOKEN_INVALID', 'AUTH_TOKEN_MISSING']).toContain(scene.gateway.trail.last().outcome)
    },
  )

  it('in a cookie, in the body or in another header is none [REQ-TOKEN-HEADER]', async () => {
    const good = token({})
    const headers = {
      Authorization: undefined,
      Cookie: `access_token=${good}`,
      'X-Authorization': `Bearer ${good}`,
      'Proxy-Authorization': `Bearer ${good}`,
    }
    await expectRefused(scene, 'AUTH_TOKEN_MISSING', () => scene.raw({ headers, body: scene.body({ access_token: good }) }))
  })

  it('the scheme is read without its case [REQ-TOKEN-SCHEME]', async () => {
    expect((await scene.raw({ headers: { Authorization: `bEARER ${token({})}` } })).status).toBe(200)
  })
})

describe('every request', () => {
  it('is judged by its own token, on the same connection too [REQ-TOKEN-EVERY-REQUEST]', async () => {
    const { sendBytes } = await import('../support/raw-http.ts')
    const good = scene.bytes({ headers: { Connection: 'keep-alive' } })
    const bad = scene.bytes({ headers: { Authorization: undefined } })
    const { answers } = await sendBytes(scene.gateway.origin, Buffer.concat([good, bad]))
    expect(answers.map(({ status }) => status)).toEqual([200, 401])
  })
})
