/** 307 and 308 repeat the request as it is (RFC 9110 §15.4.8, §15.4.9); the others would make a GET of it. */
const REPEATING: ReadonlySet<number> = new Set([307, 308])

/**
 * The path to repeat a POST at: of a redirect to the same scheme, host and port, and of no other, since the request carries our credential
 * and what the caller sent. `undefined`: this is an answer like any other, and not a good one.
 */
export function redirectPath(status: number, location: string | undefined, origin: string, path: string): string | undefined {
  if (!REPEATING.has(status) || location === undefined) return undefined
  const url = URL.parse(location, `${origin}${path}`)
  if (url === null || url.origin !== origin || url.username !== '' || url.password !== '') return undefined
  return `${url.pathname}${url.search}`
}
