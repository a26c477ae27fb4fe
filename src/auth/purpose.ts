import type { JsonObject } from '../core/json.ts'

/** Claims that access tokens do not have: OpenID Connect Core §2 and §3.3.2.11, Back-Channel Logout §2.4, RFC 9449 §4.2. */
const FOREIGN_CLAIMS = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events', 'htm', 'htu', 'ath'] as const

/** Claims by which identity providers mark a token as issued to a client for an API; none of them is in an ID token. */
const ACCESS_CLAIMS = ['scope', 'scp', 'client_id', 'cid', 'appid'] as const

/**
 * Whether the claims are those of an access token. With `typ: at+jwt` it is enough that nothing speaks against it. Without, an ID
 * token has the same header, so something must speak for it; `azp` alone does not, unless `roles` stand beside it (what Entra ID
 * gives to applications). A token addressed to the very client it was issued to is an ID token whatever else it says.
 */
export function isAccessToken(claims: JsonObject, declared: boolean, clientId: string | undefined): boolean {
  if (FOREIGN_CLAIMS.some(name => Object.hasOwn(claims, name))) return false
  if (declared) return true
  // Keycloak and Cognito name the kind of token in a claim.
  if ((claims.typ ?? 'Bearer') !== 'Bearer' || (claims.token_use ?? 'access') !== 'access') return false
  if (clientId !== undefined && clientId === (Array.isArray(claims.aud) ? claims.aud[0] : claims.aud)) return false
  return ACCESS_CLAIMS.some(name => Object.hasOwn(claims, name)) || (Object.hasOwn(claims, 'azp') && Object.hasOwn(claims, 'roles'))
}
