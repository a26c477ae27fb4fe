import type { JsonObject } from '../core/json.ts'
import type { Issuer } from './issuer.ts'
import { refuse } from './refuse.ts'

interface CheckedHeader {
  readonly algorithm: string
  readonly kid: string | undefined
  /** The token calls itself an access token (RFC 9068 §2.1); otherwise its claims must show that it is one. */
  readonly declared: boolean
}

/**
 * JOSE header → how to verify. Throws AUTH_TOKEN_INVALID.
 *
 * Keys come from the issuer's own key set: `jku`, `x5u`, `jwk` and `x5c` are never looked at.
 */
export function checkHeader(header: JsonObject, issuer: Issuer): CheckedHeader {
  const { alg, kid, typ } = header
  const declared = checkType(typ, issuer)
  // We implement no JWS extension, so every `crit` names one that we do not understand (RFC 7515 §4.1.11); `b64` is one of them.
  if (Object.hasOwn(header, 'crit') || Object.hasOwn(header, 'b64')) refuse('critical', issuer.name)
  if (typeof alg !== 'string' || !issuer.algorithms.has(alg)) refuse('algorithm', issuer.name)
  if (kid !== undefined && typeof kid !== 'string') refuse('malformed', issuer.name)
  return { algorithm: alg, kid, declared }
}

/**
 * RFC 9068 §4 wants `at+jwt` alone. Most identity providers write `JWT` or nothing into their access tokens, so these two pass
 * here and must prove themselves by their claims. Every other type (`dpop+jwt`, `oauth-id-jag+jwt`, `logout+jwt`, …) is a token for something else.
 */
function checkType(typ: unknown, issuer: Issuer): boolean {
  if (typ === undefined) return false
  if (typeof typ !== 'string') refuse('type', issuer.name)
  switch (typ.toLowerCase()) {
    case 'at+jwt':
    case 'application/at+jwt':
      return true
    case 'jwt':
    case 'application/jwt':
      return false
    default:
      return refuse('type', issuer.name)
  }
}
