import { type CryptoKey, compactVerify } from 'jose'
import type { Clock } from '../core/clock.ts'
import { Refusal } from '../core/errors.ts'
import type { Principal } from '../core/model.ts'
import type { Audiences } from './audience.ts'
import { checkClaims } from './claims.ts'
import { checkHeader } from './header.ts'
import type { Issuer } from './issuer.ts'
import type { IssuerKeys } from './issuer-keys.ts'
import { createPrincipal } from './principal.ts'
import { refuse } from './refuse.ts'
import { parseToken } from './token.ts'

export interface VerifiedToken {
  readonly principal: Principal
  /** Epoch milliseconds of the token's `exp`. */
  readonly expMs: number
  /** The keys it was verified with, and which edition of them. */
  readonly keys: IssuerKeys
  readonly generation: number
}

/**
 * Token → its principal. Rejects with AUTH_TOKEN_INVALID, or AUTH_KEYS_UNAVAILABLE while the issuer's keys cannot be had.
 *
 * `audiences`: what tokens at this endpoint may be for. The issuer is chosen by the unverified `iss`, which is safe because each issuer
 * has only its own keys and algorithms: a token that claims another's name must carry the other's signature.
 */
export async function verifyToken(
  token: string,
  audiences: Audiences,
  issuers: ReadonlyMap<string, Issuer>,
  clock: Clock,
): Promise<VerifiedToken> {
  const { header, claims } = parseToken(token)
  const issuer = (typeof claims.iss === 'string' && issuers.get(claims.iss)) || refuse('issuer')
  const { algorithm, kid, declared } = checkHeader(header, issuer)
  const { expMs, ...facts } = checkClaims(claims, declared, issuer, audiences, clock.now())
  const key = (await issuer.keys.find(algorithm, kid)) ?? refuse('key', issuer.name)
  const { generation } = issuer.keys
  await checkSignature(token, key, algorithm, issuer.name)
  return { principal: createPrincipal({ ...facts, anonymous: false }), expMs, keys: issuer.keys, generation }
}

async function checkSignature(token: string, key: CryptoKey, algorithm: string, issuer: string): Promise<void> {
  try {
    await compactVerify(token, key, { algorithms: [algorithm] })
  } catch (cause) {
    throw new Refusal('AUTH_TOKEN_INVALID', {}, { reason: 'signature', issuer }, { cause })
  }
}
