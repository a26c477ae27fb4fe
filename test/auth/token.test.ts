import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Auth, createAuth } from '../../src/auth/index.ts'
import { systemClock } from '../../src/core/clock.ts'
import { startTokenMint, type TokenMint } from '../support/tokens.ts'
import { ENDPOINT, RESOURCE, verdictOn } from './room.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ ~'

describe.each(['ES256', 'RS256', 'PS256', 'EdDSA'] as const)('%s', algorithm => {
  let mint: TokenMint
  let auth: Auth
  let token: string
  beforeAll(async () => {
    mint = await startTokenMint({ algorithm })
    auth = createAuth({ clock: systemClock, issuers: [mint.config()] })
    token = mint.token({ aud: RESOURCE })
    expect(await verdictOn(auth, token, ENDPOINT)).toBe('accepted')
  })
  afterAll(() => mint.close())

  const isRefused = async (changed: string): Promise<void> => {
    expect(await verdictOn(auth, changed, ENDPOINT)).toMatch(/^AUTH_TOKEN_INVALID/)
  }

  test('a token with any single character changed is refused', async () => {
    const change = fc.record({ at: fc.nat(), to: fc.constantFrom(...ALPHABET) })
    await fc.assert(
      fc.asyncProperty(change, async ({ at, to }) => {
        const index = at % token.length
        fc.pre(token[index] !== to)
        await isRefused(token.slice(0, index) + to + token.slice(index + 1))
      }),
      { numRuns: 300 },
    )
  })

  test('the last character has one spelling only, though decoders ignore some of its bits', async () => {
    for (const to of ALPHABET) if (!token.endsWith(to)) await isRefused(token.slice(0, -1) + to)
  })

  test('a token with a character more or less is refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.constantFrom('', ...ALPHABET), async (at, extra) => {
        const index = at % token.length
        await isRefused(extra === '' ? token.slice(0, index) + token.slice(index + 1) : token.slice(0, index) + extra + token.slice(index))
      }),
      { numRuns: 300 },
    )
  })
})
