import { type Auth, createAuth } from '../../src/auth/index.ts'
import type { EndpointConfig } from '../../src/core/configuration.ts'
import { Refusal } from '../../src/core/errors.ts'
import { createTestClock } from '../support/clock.ts'
import { startTokenMint, type TokenMint } from '../support/tokens.ts'

export const RESOURCE = 'https://gw.example/mcp'
export const ENDPOINT = endpointAt(RESOURCE)
export const clock = createTestClock()
/** NumericDate of a moment, counted from the standing clock's now. */
export const seconds = (offset: number): number => Math.floor(clock.now() / 1000) + offset

export function endpointAt(resource: string, changes: Partial<EndpointConfig> = {}): EndpointConfig {
  const path = new URL(resource).pathname
  return {
    path,
    resource,
    upstreams: [],
    names: 'prefixed',
    scopes: [],
    anonymous: undefined,
    minProtocolVersion: '2025-03-26',
    ...changes,
  }
}

/** The refusal of one Authorization header; fails when it is accepted, or when anything but a Refusal is thrown. */
export async function refusalOf(auth: Auth, authorization: string | undefined, endpoint: EndpointConfig): Promise<Refusal> {
  try {
    await auth.authenticate(authorization, endpoint)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('accepted')
}

/** `AUTH_TOKEN_INVALID audience`: the code and the recorded reason, or `accepted`. */
export async function verdictOn(auth: Auth, token: string, endpoint: EndpointConfig): Promise<string> {
  try {
    await auth.authenticate(`Bearer ${token}`, endpoint)
    return 'accepted'
  } catch (error) {
    if (error instanceof Refusal) return [error.code, error.detail.reason].filter(Boolean).join(' ')
    throw error
  }
}

export interface Room {
  readonly mint: TokenMint
  readonly auth: Auth
  /** The verdict on a token that is right but for these claims and headers. */
  judge(claims: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>
}

/** An auth room with one RS256 issuer, a tolerance of 30 s and the tenant in `org`. */
export async function startRoom(): Promise<Room> {
  const mint = await startTokenMint({ clock, algorithm: 'RS256' })
  const auth = createAuth({ clock, issuers: [mint.config({ tenantClaim: 'org' })] })
  return { mint, auth, judge: (claims, header) => verdictOn(auth, mint.token({ aud: RESOURCE, ...claims }, header), ENDPOINT) }
}
