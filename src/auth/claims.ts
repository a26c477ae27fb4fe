import type { Json, JsonObject } from '../core/json.ts'
import type { PrincipalFacts } from '../core/model.ts'
import { type Audiences, audienceOf, isAudience, strayAudience } from './audience.ts'
import type { Issuer } from './issuer.ts'
import { isAccessToken } from './purpose.ts'
import { type Reason, refuse } from './refuse.ts'
import { scopesOf } from './scopes.ts'

/** No access token lives this long; an `exp` beyond it is milliseconds or a mistake, and would never expire. */
const MAX_LIFETIME_SECONDS = 10 * 365 * 86_400

/** Where identity providers write the client, the standard's name first (RFC 9068 §2.2). */
const CLIENT_CLAIMS = ['client_id', 'azp', 'cid', 'appid'] as const

interface CheckedClaims extends Omit<PrincipalFacts, 'identity' | 'anonymous'> {
  /** Epoch milliseconds of `exp` itself, without the tolerance that `expiresAtMs` includes. */
  readonly expMs: number
}

/**
 * Claims → the facts of a principal. Throws AUTH_TOKEN_INVALID.
 *
 * Ours rather than jose's, whose options cannot say: exactly one audience, host in any case, a sane `exp`, an `iat` that is not in the
 * future without also limiting its age, and no type but an access token's. The order is from cheap to dear; all of it comes before the
 * signature, which costs most.
 */
export function checkClaims(claims: JsonObject, declared: boolean, issuer: Issuer, audiences: Audiences, nowMs: number): CheckedClaims {
  const audience = audienceOf(claims.aud)
  if (audience === undefined || !isAudience(audience, audiences, issuer.audiences))
    refuse('audience', issuer.name, { audience: strayAudience(claims.aud, audiences) })
  const exp = checkTimes(claims, issuer, nowMs / 1000)
  // RFC 7800: bound to a key that the caller has not shown. As a plain bearer it may be stolen.
  if (Object.hasOwn(claims, 'cnf')) refuse('sender_constrained', issuer.name)
  const { sub } = claims
  if (typeof sub !== 'string' || sub === '') refuse('subject', issuer.name)
  const clientId = checkText(firstOf(claims, CLIENT_CLAIMS), 'client', issuer)
  if (!isAccessToken(claims, declared, clientId)) refuse('not_access_token', issuer.name)
  const tenant = issuer.tenantClaim === undefined ? undefined : checkText(firstOf(claims, [issuer.tenantClaim]), 'tenant', issuer)
  return {
    issuer: issuer.name,
    subject: sub,
    clientId,
    tenant,
    scopes: scopesOf(claims) ?? refuse('scope', issuer.name),
    claims,
    expMs: exp * 1000,
    expiresAtMs: (exp + issuer.clockToleranceSeconds) * 1000,
  }
}

/** Checks `exp`, `nbf` and `iat` (NumericDate, RFC 7519 §2: seconds) and returns `exp`. */
function checkTimes(claims: JsonObject, issuer: Issuer, now: number): number {
  const { exp, nbf, iat } = claims
  const tolerance = issuer.clockToleranceSeconds
  if (typeof exp !== 'number' || exp > now + MAX_LIFETIME_SECONDS) refuse('lifetime', issuer.name)
  if (exp <= now - tolerance) refuse('expired', issuer.name)
  if (nbf !== undefined && (typeof nbf !== 'number' || nbf > now + tolerance)) refuse('not_yet_valid', issuer.name)
  // Required by RFC 9068 §2.2, and every provider writes it.
  if (typeof iat !== 'number' || iat > now + tolerance) refuse('issued_at', issuer.name)
  return exp
}

function firstOf(claims: JsonObject, names: readonly string[]): Json | undefined {
  const name = names.find(candidate => Object.hasOwn(claims, candidate))
  return name === undefined ? undefined : claims[name]
}

/** A claim that may be absent, and is text when it is there. */
function checkText(value: Json | undefined, reason: Reason, issuer: Issuer): string | undefined {
  if (value !== undefined && (typeof value !== 'string' || value === '')) refuse(reason, issuer.name)
  return value
}
