/** The first revision whose requests carry version, identity and capabilities themselves (MCP 2026-07-28 basic/versioning §Terminology). */
export const MODERN_VERSION = '2026-07-28'

/** What a request may say that carries its version itself, best first. */
export const SERVED_VERSIONS: readonly string[] = [MODERN_VERSION]

/** What a session may speak, best first. Not 2024-11-05: its transport is another. */
export const SESSION_VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26']

/** Revisions that begin with an `initialize` handshake, spoken here or not. */
export const LEGACY_VERSIONS: ReadonlySet<string> = new Set(['2024-11-05', ...SESSION_VERSIONS])

const DATE = /^\d{4}-\d{2}-\d{2}$/

/** A revision of the modern era, served or not. Revisions are dates, so text order is time order. */
export function isModern(version: string): boolean {
  return DATE.test(version) && version >= MODERN_VERSION
}

/** All that is spoken where callers may be no older than `oldest`, best first: the list in `server/discover` and in every version error. */
export function servedVersions(oldest: string): readonly string[] {
  return SERVED_BY_OLDEST.get(oldest) ?? SERVED_VERSIONS
}

const SERVED_BY_OLDEST: ReadonlyMap<string, readonly string[]> = new Map(
  [...SESSION_VERSIONS, MODERN_VERSION].map(oldest => [oldest, [MODERN_VERSION, ...SESSION_VERSIONS].filter(version => version >= oldest)]),
)

/**
 * The revision for a session whose client asks for `requested` (MCP 2025-11-25 basic/lifecycle §Version Negotiation): that one, or else the one
 * before it that comes nearest, which is what a client that goes on all the same will read best. `undefined` where sessions are not served.
 */
export function negotiateVersion(requested: string, oldest: string): string | undefined {
  const spoken = SESSION_VERSIONS.filter(version => version >= oldest)
  if (!DATE.test(requested)) return spoken[0]
  return spoken.find(version => version <= requested) ?? spoken.at(-1)
}
