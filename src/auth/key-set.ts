import { type CryptoKey, importJWK, type JWK } from 'jose'
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'

/** Keys one issuer may reasonably publish; each costs an import. */
const MAX_KEYS = 100
const MIN_RSA_BITS = 2048

/** What a JWS algorithm needs of a key (RFC 7518 §3.1, RFC 8037 §3.1). */
const FIT: Readonly<Record<string, { readonly kty: string; readonly crv?: string }>> = {
  RS256: { kty: 'RSA' },
  RS384: { kty: 'RSA' },
  RS512: { kty: 'RSA' },
  PS256: { kty: 'RSA' },
  PS384: { kty: 'RSA' },
  PS512: { kty: 'RSA' },
  ES256: { kty: 'EC', crv: 'P-256' },
  ES384: { kty: 'EC', crv: 'P-384' },
  ES512: { kty: 'EC', crv: 'P-521' },
  EdDSA: { kty: 'OKP', crv: 'Ed25519' },
  Ed25519: { kty: 'OKP', crv: 'Ed25519' },
}

/** JWS algorithms with a public key. `none` and HMAC are not among them, whatever a configuration says. */
export function isAsymmetric(algorithm: string): boolean {
  return Object.hasOwn(FIT, algorithm)
}

/** One issuer's public keys, imported once for each algorithm they may be used with. */
export interface KeySet {
  /** Number of JSON Web Keys that can be used; 0 when the issuer publishes an empty list. */
  readonly size: number
  /** Without a `kid` only an only key is found. */
  find(algorithm: string, kid: string | undefined): CryptoKey | undefined
}

/**
 * JWK Set (RFC 7517 §5) → the keys that may verify signatures under the algorithms. Encryption keys, symmetric keys, RSA keys under 2048 bits and
 * keys that cannot be imported are left out. Throws when it is no key set, or holds keys and none of use.
 */
export async function parseKeySet(document: Json, algorithms: readonly string[]): Promise<KeySet> {
  const list = isJsonObject(document) ? document.keys : undefined
  if (!Array.isArray(list) || list.length > MAX_KEYS) throw new Error('not a JSON Web Key Set')
  const byKid = new Map<string, CryptoKey>()
  const byAlgorithm = new Map<string, CryptoKey | undefined>()
  let size = 0
  for (const jwk of list) {
    if (!isJsonObject(jwk)) continue
    let used = false
    for (const algorithm of algorithms) {
      const key = isFit(jwk, algorithm) ? await importPublic(jwk, algorithm) : undefined
      if (key === undefined) continue
      used = true
      const place = `${algorithm} ${jwk.kid}`
      if (typeof jwk.kid === 'string' && !byKid.has(place)) byKid.set(place, key)
      byAlgorithm.set(algorithm, byAlgorithm.has(algorithm) ? undefined : key)
    }
    if (used) size++
  }
  if (size === 0 && list.length > 0) throw new Error('no key for the configured algorithms')
  return { size, find: (algorithm, kid) => (kid === undefined ? byAlgorithm.get(algorithm) : byKid.get(`${algorithm} ${kid}`)) }
}

function isFit(jwk: JsonObject, algorithm: string): boolean {
  const fit = FIT[algorithm]
  if (fit === undefined || jwk.kty !== fit.kty || (fit.crv !== undefined && jwk.crv !== fit.crv)) return false
  if (jwk.alg !== undefined && jwk.alg !== algorithm) return false
  if (jwk.use !== undefined && jwk.use !== 'sig') return false
  return jwk.key_ops === undefined || (Array.isArray(jwk.key_ops) && jwk.key_ops.includes('verify'))
}

async function importPublic(jwk: JsonObject, algorithm: string): Promise<CryptoKey | undefined> {
  const publicPart: Record<string, Json> = {}
  // Named one by one: a set that leaks its private half still gives a public key only.
  for (const member of ['kty', 'crv', 'x', 'y', 'n', 'e']) {
    const value = jwk[member]
    if (value !== undefined) publicPart[member] = value
  }
  try {
    const key = await importJWK(publicPart as JWK, algorithm)
    if (key instanceof Uint8Array) return undefined
    return isStrong(key) ? key : undefined
  } catch {
    return undefined
  }
}

function isStrong(key: CryptoKey): boolean {
  const bits: unknown = 'modulusLength' in key.algorithm ? key.algorithm.modulusLength : undefined
  return bits === undefined || (typeof bits === 'number' && bits >= MIN_RSA_BITS)
}
