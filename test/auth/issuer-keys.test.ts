import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Auth, createAuth } from '../../src/auth/index.ts'
import { createTestClock } from '../support/clock.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { createMintKey, publicJwk, startTokenMint, type TokenMint } from '../support/tokens.ts'
import { ENDPOINT, RESOURCE, refusalOf, verdictOn } from './room.ts'

const MINUTE_MS = 60_000

let clock: ReturnType<typeof createTestClock>
let mint: TokenMint
let events: { readonly name: string; readonly facts: object }[]
beforeEach(async () => {
  clock = createTestClock()
  mint = await startTokenMint({ clock })
  events = []
})
afterEach(() => mint.close())

function createRoom(changes: Parameters<TokenMint['config']>[0] = {}): Auth {
  const seen = events
  return createAuth({ clock, issuers: [mint.config(changes)], report: (name, facts) => seen.push({ name, facts }) })
}
const token = (key = mint.key): string => mint.token({ aud: RESOURCE }, {}, key)
const settled = (count: number): Promise<void> => eventuallyHolds(() => expect(events).toHaveLength(count))

describe('with warm keys', () => {
  test('1,000 tokens with random kids cost at most two fetches in 60 s (A-75)', async () => {
    const auth = createRoom()
    await settled(1)
    for (let second = 0; second < 60; second++) {
      const verdicts = await Promise.all(Array.from({ length: 17 }, () => verdictOn(auth, token(createMintKey('EdDSA')), ENDPOINT)))
      expect(new Set(verdicts)).toEqual(new Set(['AUTH_TOKEN_INVALID algorithm']))
      const forged = await Promise.all(
        Array.from({ length: 17 }, (_, index) => verdictOn(auth, mint.token({ aud: RESOURCE }, { kid: `${second}-${index}` }), ENDPOINT)),
      )
      expect(new Set(forged)).toEqual(new Set(['AUTH_TOKEN_INVALID key']))
      clock.advance(1_000)
    }
    expect(mint.jwksFetches()).toBe(2)
  })

  test('a key server that fails is not noticed by callers (A-75)', async () => {
    const auth = createRoom()
    await settled(1)
    mint.jwks = 'error'
    clock.advance(11 * MINUTE_MS)
    expect(await verdictOn(auth, token(), ENDPOINT)).toBe('accepted')
    clock.advance(23 * 60 * MINUTE_MS)
    expect(await verdictOn(auth, token(), ENDPOINT)).toBe('accepted')
    expect(events.at(-1)?.name).toBe('auth.keys.failed')
    expect(auth.missing()).toEqual([])
  })

  test('keys that could not be renewed for 24 h are not trusted any more', async () => {
    const auth = createRoom()
    await settled(1)
    mint.jwks = 'error'
    clock.advance(24 * 60 * MINUTE_MS + 1)
    expect(await verdictOn(auth, token(), ENDPOINT)).toBe('AUTH_KEYS_UNAVAILABLE')
    expect(await verdictOn(auth, token(), ENDPOINT)).toBe('AUTH_KEYS_UNAVAILABLE')
    mint.jwks = 'ok'
    clock.advance(31_000)
    expect(await verdictOn(auth, token(), ENDPOINT)).toBe('accepted')
  })

  test('a new key is found by its kid, without a restart; a dropped one is refused after 10 min (B17)', async () => {
    const auth = createRoom()
    await settled(1)
    const old = token()
    expect(await verdictOn(auth, old, ENDPOINT)).toBe('accepted')

    const next = createMintKey('ES256', 'k2')
    mint.published.push(publicJwk(next))
    clock.advance(31_000)
    expect(await verdictOn(auth, token(next), ENDPOINT)).toBe('accepted')
    expect(mint.jwksFetches()).toBe(2)

    mint.published = [publicJwk(next)]
    clock.advance(10 * MINUTE_MS + 1)
    expect(await verdictOn(auth, token(), ENDPOINT)).toBe('AUTH_TOKEN_INVALID key')
    expect(await verdictOn(auth, token(next), ENDPOINT)).toBe('accepted')
  })

  test('a request that comes before the keys are due does not wait for their refresh', async () => {
    const auth = createRoom()
    await settled(1)
    mint.jwks = 'silent'
    clock.advance(9 * MINUTE_MS)
    expect(await verdictOn(auth, token(), ENDPOINT)).toBe('accepted')
    expect(await verdictOn(auth, token(), ENDPOINT)).toBe('accepted')
    await eventuallyHolds(() => expect(mint.jwksFetches()).toBe(2))
    expect(events).toHaveLength(1)
  })

  test('an issuer that publishes an empty list has withdrawn its keys', async () => {
    const auth = createRoom()
    await settled(1)
    mint.published = []
    clock.advance(11 * MINUTE_MS)
    expect(await verdictOn(auth, token(), ENDPOINT)).toBe('AUTH_TOKEN_INVALID key')
  })
})

describe('without keys', () => {
  test.each(['error', 'redirect', 'garbage', 'huge'] as const)(
    'a key server that answers with %s leaves callers with 503 (A-75)',
    async mode => {
      mint.jwks = mode
      const auth = createRoom()
      const refusal = await refusalOf(auth, `Bearer ${token()}`, ENDPOINT)
      expect(refusal.code).toBe('AUTH_KEYS_UNAVAILABLE')
      expect(refusal.open.retryAfterMs).toBeGreaterThanOrEqual(1_000)
      expect(auth.missing()).toEqual([{ issuer: mint.issuer, reason: expect.any(String) }])
      expect(mint.requests).toEqual(['/jwks'])
    },
  )

  test('callers between two attempts are refused at once, and cost no fetch', async () => {
    mint.jwks = 'error'
    const auth = createRoom()
    await settled(1)
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => verdictOn(auth, token(), ENDPOINT)))
    expect(new Set(verdicts)).toEqual(new Set(['AUTH_KEYS_UNAVAILABLE']))
    expect(mint.jwksFetches()).toBe(1)
  })

  test('a token that is refused for another reason is refused for that reason', async () => {
    mint.jwks = 'error'
    expect(await verdictOn(createRoom(), mint.token({ aud: 'https://other.example' }), ENDPOINT)).toBe('AUTH_TOKEN_INVALID audience')
  })

  test('callers who arrive together share one fetch', async () => {
    const auth = createRoom()
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => verdictOn(auth, token(), ENDPOINT)))
    expect(new Set(verdicts)).toEqual(new Set(['accepted']))
    expect(mint.jwksFetches()).toBe(1)
  })

  test('keys are found by themselves once the issuer answers', async () => {
    mint.jwks = 'error'
    const auth = createRoom()
    await settled(1)
    mint.jwks = 'ok'
    await eventuallyHolds(() => expect(auth.missing()).toEqual([]))
    expect(await verdictOn(auth, token(), ENDPOINT)).toBe('accepted')
  })

  test('keys of which none fits the configured algorithms are no keys', async () => {
    const auth = createRoom({ algorithms: ['RS256'] })
    await settled(1)
    expect(events[0]).toMatchObject({ name: 'auth.keys.failed', facts: { reason: 'no key for the configured algorithms' } })
    expect(auth.missing()).toEqual([{ issuer: mint.issuer, reason: 'no key for the configured algorithms' }])
  })

  test('a place that may not be asked is named with the setting that would allow it, and no URL is', async () => {
    const auth = createRoom({ allowPrivateAddress: false, jwksUrl: `${mint.jwksUrl}?key=s3cret` })
    await settled(1)
    const reason = expect.stringMatching(/^the address is not public; .*issuers\[\]\.allowPrivateAddress$/)
    expect(auth.missing()).toEqual([{ issuer: mint.issuer, reason }])
    expect(events).toEqual([{ name: 'auth.keys.failed', facts: { issuer: mint.issuer, failures: 1, reason } }])
  })
})

describe('where the keys are', () => {
  test.each(['oauth', 'openid'] as const)('is found in %s metadata', async metadata => {
    mint.metadata = metadata
    const auth = createRoom({ jwksUrl: undefined })
    expect(await verdictOn(auth, token(), ENDPOINT)).toBe('accepted')
    expect(mint.requests[0]).toBe('/.well-known/oauth-authorization-server')
  })

  test('metadata that names another issuer is not used', async () => {
    mint.metadata = 'foreign'
    expect(await verdictOn(createRoom({ jwksUrl: undefined }), token(), ENDPOINT)).toBe('AUTH_KEYS_UNAVAILABLE')
    expect(mint.jwksFetches()).toBe(0)
  })

  test('an issuer with a path is asked in the order of the specification', async () => {
    const tenant = await startTokenMint({ clock, path: '/tenant1' })
    tenant.metadata = 'none'
    const auth = createAuth({ clock, issuers: [tenant.config({ jwksUrl: undefined })] })
    expect(await verdictOn(auth, tenant.token({ aud: RESOURCE }), ENDPOINT)).toBe('AUTH_KEYS_UNAVAILABLE')
    expect(tenant.requests).toEqual([
      '/.well-known/oauth-authorization-server/tenant1',
      '/.well-known/openid-configuration/tenant1',
      '/tenant1/.well-known/openid-configuration',
    ])
    await tenant.close()
  })
})

describe('over a policy reload', () => {
  test('an issuer whose keys are fetched the same way keeps them, and gets its new settings', async () => {
    const before = createRoom()
    await settled(1)
    const after = createAuth({ clock, previous: before, issuers: [mint.config({ audience: ['api://x'] })] })
    expect(after.missing()).toEqual([])
    expect(await verdictOn(after, mint.token({ aud: 'api://x' }), ENDPOINT)).toBe('accepted')
    expect(await verdictOn(after, token(), ENDPOINT)).toBe('AUTH_TOKEN_INVALID audience')
    expect(mint.jwksFetches()).toBe(1)
  })

  test('another place for the keys means another fetch', async () => {
    const before = createRoom()
    await settled(1)
    const after = createAuth({ clock, previous: before, issuers: [mint.config({ jwksUrl: undefined })] })
    expect(after.missing()).toEqual([{ issuer: mint.issuer, reason: 'no answer yet' }])
    expect(await verdictOn(after, token(), ENDPOINT)).toBe('accepted')
    expect(mint.jwksFetches()).toBe(2)
  })
})

describe('a room that is closed', () => {
  test('leaves its issuers alone, and another goes on with those it has taken over', async () => {
    const other = await startTokenMint({ clock })
    mint.jwks = 'error'
    other.jwks = 'error'
    const before = createAuth({ clock, issuers: [mint.config(), other.config()] })
    const after = createAuth({ clock, previous: before, issuers: [other.config()] })
    before.close()
    before.close()
    // Both were asked first at the same moment: whoever is asked again has been so by then.
    await eventuallyHolds(() => expect(other.jwksFetches()).toBeGreaterThanOrEqual(3))
    expect(mint.jwksFetches()).toBe(1)
    after.close()
    await other.close()
  })

  test('says nothing of an issuer that may be well with keys from elsewhere', async () => {
    mint.jwks = 'silent'
    const before = createRoom()
    const after = createAuth({ clock, previous: before, issuers: [mint.config({ jwksUrl: undefined })] })
    await eventuallyHolds(() => expect(mint.jwksFetches()).toBe(2))
    const waiting = verdictOn(before, token(), ENDPOINT)
    before.close()
    await mint.close()
    expect(await waiting).toBe('AUTH_KEYS_UNAVAILABLE')
    expect(events).toEqual([])
    after.close()
    mint = await startTokenMint({ clock })
  })

  test('judges whoever has entered before by the keys it has', async () => {
    const auth = createRoom()
    await settled(1)
    auth.close()
    clock.advance(11 * MINUTE_MS)
    expect(await verdictOn(auth, token(), ENDPOINT)).toBe('accepted')
    expect(await verdictOn(auth, mint.token({ aud: RESOURCE }, { kid: 'new' }), ENDPOINT)).toBe('AUTH_TOKEN_INVALID key')
    expect(mint.jwksFetches()).toBe(1)
  })
})

test('one issuer cannot sign in the name of another', async () => {
  const other = await startTokenMint({ clock })
  other.published = [publicJwk({ ...other.key, kid: 'k2' })]
  const auth = createAuth({ clock, issuers: [mint.config(), other.config()] })
  expect(await verdictOn(auth, mint.token({ aud: RESOURCE }, { kid: 'k2' }, other.key), ENDPOINT)).toBe('AUTH_TOKEN_INVALID key')
  expect(await verdictOn(auth, mint.token({ aud: RESOURCE }, {}, { ...other.key, kid: 'k1' }), ENDPOINT)).toBe(
    'AUTH_TOKEN_INVALID signature',
  )
  await other.close()
})
