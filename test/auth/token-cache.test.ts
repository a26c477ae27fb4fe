import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Auth, createAuth } from '../../src/auth/index.ts'
import { createTestClock } from '../support/clock.ts'
import { createMintKey, publicJwk, startTokenMint, type TokenMint } from '../support/tokens.ts'
import { ENDPOINT, endpointAt, RESOURCE, verdictOn } from './room.ts'

const clock = createTestClock()

let mint: TokenMint
let auth: Auth
beforeAll(async () => {
  mint = await startTokenMint({ clock })
})
beforeEach(() => {
  mint.published = [publicJwk(mint.key)]
  auth = createAuth({ clock, issuers: [mint.config()] })
})
afterAll(() => mint.close())

const isKept = (token: string, endpoint = ENDPOINT): boolean => {
  const answer = auth.authenticate(`Bearer ${token}`, endpoint)
  if (!(answer instanceof Promise)) return true
  answer.catch(() => {})
  return false
}

test('a token is verified once, then answered at once with the same principal', async () => {
  const token = mint.token({ aud: RESOURCE })
  const principal = await auth.authenticate(`Bearer ${token}`, ENDPOINT)
  expect(auth.authenticate(`Bearer ${token}`, ENDPOINT)).toBe(principal)
  expect(auth.authenticate(`bearer ${token}`, ENDPOINT)).toBe(principal)
})

test('a token is verified again after 60 s', async () => {
  const token = mint.token({ aud: RESOURCE })
  await auth.authenticate(`Bearer ${token}`, ENDPOINT)
  clock.advance(59_999)
  expect(isKept(token)).toBe(true)
  clock.advance(1)
  expect(isKept(token)).toBe(false)
})

test('an expired token is refused at once, however recently it was verified', async () => {
  const exact = createAuth({ clock, issuers: [mint.config({ clockToleranceSeconds: 0 })] })
  const token = mint.token({ aud: RESOURCE, exp: Math.floor(clock.now() / 1000) + 5 })
  expect(await verdictOn(exact, token, ENDPOINT)).toBe('accepted')
  clock.advance(5_000)
  expect(await verdictOn(exact, token, ENDPOINT)).toBe('AUTH_TOKEN_INVALID expired')
})

test('between exp and the end of the tolerance a token is verified each time', async () => {
  const token = mint.token({ aud: RESOURCE, exp: Math.floor(clock.now() / 1000) + 5 })
  await auth.authenticate(`Bearer ${token}`, ENDPOINT)
  clock.advance(10_000)
  expect(await verdictOn(auth, token, ENDPOINT)).toBe('accepted')
  expect(isKept(token)).toBe(false)
})

test('endpoints do not share what was verified', async () => {
  const token = mint.token({ aud: RESOURCE })
  expect(await verdictOn(auth, token, ENDPOINT)).toBe('accepted')
  expect(await verdictOn(auth, token, endpointAt('https://gw.example/other'))).toBe('AUTH_TOKEN_INVALID audience')
})

test('refusals are not kept: the same token is accepted once its key is known', async () => {
  const next = createMintKey('ES256', 'k2')
  const token = mint.token({ aud: RESOURCE }, {}, next)
  await verdictOn(auth, mint.token({ aud: RESOURCE }), ENDPOINT)
  expect(await verdictOn(auth, token, ENDPOINT)).toBe('AUTH_TOKEN_INVALID key')
  mint.published.push(publicJwk(next))
  clock.advance(31_000)
  expect(await verdictOn(auth, token, ENDPOINT)).toBe('accepted')
})

test('a key that is gone takes its tokens with it, within their 60 s', async () => {
  const token = mint.token({ aud: RESOURCE })
  await auth.authenticate(`Bearer ${token}`, ENDPOINT)
  mint.published = [publicJwk(createMintKey('ES256', 'k2'))]
  clock.advance(31_000)
  expect(await verdictOn(auth, mint.token({ aud: RESOURCE }, { kid: 'anything' }), ENDPOINT)).toBe('AUTH_TOKEN_INVALID key')
  expect(await verdictOn(auth, token, ENDPOINT)).toBe('AUTH_TOKEN_INVALID key')
})

test('a refresh that brings the same keys forgets nothing', async () => {
  const token = mint.token({ aud: RESOURCE })
  await auth.authenticate(`Bearer ${token}`, ENDPOINT)
  clock.advance(31_000)
  await verdictOn(auth, mint.token({ aud: RESOURCE }, { kid: 'anything' }), ENDPOINT)
  expect(isKept(token)).toBe(true)
})

test('no more than 10,000 tokens are kept', async () => {
  const key = createMintKey('EdDSA', 'fast')
  mint.published = [publicJwk(key)]
  auth = createAuth({ clock, issuers: [mint.config({ algorithms: ['EdDSA'] })] })
  const first = mint.token({ aud: RESOURCE }, {}, key)
  await auth.authenticate(`Bearer ${first}`, ENDPOINT)
  expect(isKept(first)).toBe(true)
  for (let batch = 0; batch < 100; batch++) {
    await Promise.all(Array.from({ length: 100 }, () => auth.authenticate(`Bearer ${mint.token({ aud: RESOURCE }, {}, key)}`, ENDPOINT)))
  }
  expect(isKept(first)).toBe(false)
})
