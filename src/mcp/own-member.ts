import type { Json, JsonObject } from '../core/json.ts'

/** A member of the object itself: a key like `toString` never reaches what a prototype holds. */
export function ownMember(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}
