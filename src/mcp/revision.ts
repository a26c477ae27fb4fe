/** The first revision whose requests carry version, identity and capabilities themselves (MCP 2026-07-28 basic/versioning §Terminology). */
export const MODERN_VERSION = '2026-07-28'

/** What a caller may speak here, best first; the list in `server/discover` and in every version error. */
export const SERVED_VERSIONS: readonly string[] = [MODERN_VERSION]

/** Revisions that begin with an `initialize` handshake. Known, so that they can be named; not served. */
export const LEGACY_VERSIONS: ReadonlySet<string> = new Set(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])

const DATE = /^\d{4}-\d{2}-\d{2}$/

/** A revision of the modern era, served or not. Revisions are dates, so text order is time order. */
export function isModern(version: string): boolean {
  return DATE.test(version) && version >= MODERN_VERSION
}
