import type { Json, JsonObject } from '../core/json.ts'
import { isJsonObject } from '../core/json.ts'

/** The descriptor without the members policy drops: what is pinned and, once approved, forwarded. Unknown members stay. */
export function forwardedOf(wire: JsonObject, dropPointers: readonly string[]): JsonObject {
  let forwarded: Json = wire
  for (const pointer of dropPointers) {
    const path = pointer.split('/').slice(1).map(decodeToken)
    if (path.length > 0) forwarded = without(forwarded, path)
  }
  return isJsonObject(forwarded) ? forwarded : wire
}

/** RFC 6901 §4: `~1` first, so that `~01` becomes `~1`. */
function decodeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~')
}

function without(value: Json, [token, ...rest]: readonly string[]): Json {
  if (token === undefined) return value
  if (Array.isArray(value)) {
    const items: readonly Json[] = value
    return rest.length === 0
      ? items.filter((_, index) => String(index) !== token)
      : items.map((item, index) => (String(index) === token ? without(item, rest) : item))
  }
  if (!isJsonObject(value) || !Object.hasOwn(value, token)) return value
  const entries = Object.entries(value).flatMap(([key, member]): (readonly [string, Json])[] => {
    if (key !== token) return [[key, member]]
    return rest.length === 0 ? [] : [[key, without(member, rest)]]
  })
  return Object.fromEntries(entries)
}
