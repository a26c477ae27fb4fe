import type { Json } from '../core/json.ts'

/** A web URI up to the end of its authority, in printable ASCII: `K` (U+212A) lower-cases to `k` and must not. */
const AUTHORITY = /^https?:\/\/[\x21-\x2e\x30-\x3e\x40-\x7e]+/i

/**
 * Resource identifier → the form in which two are compared: scheme and host in lower case (RFC 3986 §6.2.2.1), and `https://host/` the
 * same as `https://host`. Nothing else is normalized: a path, a port or an escape that differs is another resource.
 */
export function canonicalResource(text: string): string {
  const authority = AUTHORITY.exec(text)?.[0]
  if (authority === undefined) return text
  const rest = text.slice(authority.length)
  return rest === '/' ? authority.toLowerCase() : authority.toLowerCase() + rest
}

/** What tokens at one endpoint may be for, canonical. */
export interface Audiences {
  /** The endpoint's own resource; an issuer may have another value in its place. */
  readonly own: string
  /** Resources of the other endpoints: a token for one of them is never one for this, whatever an issuer is configured to put there. */
  readonly others: ReadonlySet<string>
}

export function isAudience(audience: string, { own, others }: Audiences, configured: ReadonlySet<string> | undefined): boolean {
  return configured === undefined ? audience === own : configured.has(audience) && !others.has(audience)
}

/**
 * The one audience a token is for, canonical; `undefined` when it has none or several.
 *
 * RFC 8707 allows several. Such a token could be replayed by one of its audiences against the other, so it is not accepted.
 */
export function audienceOf(aud: Json | undefined): string | undefined {
  const only = Array.isArray(aud) && aud.length === 1 ? aud[0] : aud
  return typeof only === 'string' ? canonicalResource(only) : undefined
}

/** What a token is for instead, in words of ours: before the signature is checked anybody may have written it, so it is not repeated. */
export function strayAudience(aud: Json | undefined, { own, others }: Audiences): string {
  const audience = audienceOf(aud)
  if (audience === undefined) return Array.isArray(aud) && aud.length > 1 ? 'several' : 'none'
  // Where the issuer is to write something else.
  if (audience === own) return 'this endpoint'
  if (others.has(audience)) return 'another endpoint'
  return hostOf(audience) === hostOf(own) ? 'this host, but another scheme, port or path' : 'another host, or no URL'
}

function hostOf(resource: string): string {
  return URL.parse(resource)?.hostname ?? ''
}
