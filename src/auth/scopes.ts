import type { Json, JsonObject } from '../core/json.ts'

/**
 * `scope` (RFC 8693 §4.2) or, without it, `scp` → the scopes; `undefined` when the claim has another shape. Both are seen in the
 * wild as text and as an array. Only U+0020 separates (RFC 6749 §3.3): a no-break space is part of a name, and so of another scope.
 */
export function scopesOf(claims: JsonObject): ReadonlySet<string> | undefined {
  const claim: Json | undefined = claims.scope ?? claims.scp
  if (claim === undefined || claim === null) return new Set()
  if (typeof claim === 'string') return new Set(claim.split(' ').filter(scope => scope !== ''))
  if (!Array.isArray(claim)) return undefined
  const scopes = new Set<string>()
  for (const scope of claim) {
    if (typeof scope !== 'string') return undefined
    scopes.add(scope)
  }
  return scopes
}
