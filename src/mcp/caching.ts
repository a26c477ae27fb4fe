/** Caching hints of a result, first among its members. What a result holds depends on the token that asked (MCP 2026-07-28 server/utilities/caching). */
export function cachingMembers(ttlMs: number): string {
  return `"ttlMs":${ttlMs},"cacheScope":"private"`
}

const CACHING = /^"ttlMs":\d+,"cacheScope":"private"(?:,|$)/

/** The members behind them: no revision before 2026-07-28 has such hints. */
export function withoutCaching(members: string): string {
  const [found] = CACHING.exec(members) ?? []
  return found === undefined ? members : members.slice(found.length)
}
