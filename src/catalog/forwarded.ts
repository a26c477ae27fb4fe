import { isJsonArray, isJsonObject, type Json, type JsonObject, parsePointer } from '../core/json.ts'

/** The descriptor without the members policy drops: what is pinned and, once approved, forwarded. Unknown members stay. */
export function forwardedOf(wire: JsonObject, dropPointers: readonly string[]): JsonObject {
  let forwarded: Json = wire
  for (const pointer of dropPointers) {
    const path = parsePointer(pointer)
    if (path.length > 0) forwarded = without(forwarded, path)
  }
  return isJsonObject(forwarded) ? forwarded : wire
}

function without(value: Json, [token, ...rest]: readonly string[]): Json {
  if (token === undefined) return value
  if (isJsonArray(value)) {
    return rest.length === 0
      ? value.filter((_, index) => String(index) !== token)
      : value.map((item, index) => (String(index) === token ? without(item, rest) : item))
  }
  if (!isJsonObject(value) || !Object.hasOwn(value, token)) return value
  const entries = Object.entries(value).flatMap(([key, member]): (readonly [string, Json])[] => {
    if (key !== token) return [[key, member]]
    return rest.length === 0 ? [] : [[key, without(member, rest)]]
  })
  return Object.fromEntries(entries)
}
