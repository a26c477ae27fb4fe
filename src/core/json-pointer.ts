import { isJsonArray, isJsonObject, type Json, JsonError } from './json-value.ts'

/** One reference token of a JSON Pointer (RFC 6901 §3): `~` and `/` escaped. */
export function pointerToken(key: string): string {
  return key.includes('~') || key.includes('/') ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key
}

/** The value a JSON Pointer names (RFC 6901, own properties only), or `undefined`. Throws JsonError for a malformed pointer. */
export function pointerValue(value: Json, pointer: string): Json | undefined {
  return compilePointer(pointer)(value)
}

/** `pointerValue` for a pointer known beforehand: throws JsonError now, never when it is used. */
export function compilePointer(pointer: string): (value: Json) => Json | undefined {
  const tokens = parsePointer(pointer)
  return value => {
    let at: Json | undefined = value
    for (const token of tokens) {
      at = step(at, token)
      if (at === undefined) return undefined
    }
    return at
  }
}

/** The reference tokens of a JSON Pointer, unescaped. Throws JsonError for a malformed one. */
export function parsePointer(pointer: string): readonly string[] {
  if (pointer === '') return []
  if (!pointer.startsWith('/')) throw new JsonError('a JSON Pointer begins with /', 0)
  const stray = pointer.search(/~(?![01])/)
  if (stray >= 0) throw new JsonError('~ in a JSON Pointer is written ~0', stray)
  // ~1 first: the other order would read ~01 as / (RFC 6901 §4).
  return pointer
    .slice(1)
    .split('/')
    .map(token => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

const ARRAY_INDEX = /^(?:0|[1-9][0-9]{0,9})$/

function step(value: Json, token: string): Json | undefined {
  if (isJsonArray(value)) return ARRAY_INDEX.test(token) ? value[Number(token)] : undefined
  return isJsonObject(value) && Object.hasOwn(value, token) ? value[token] : undefined
}
