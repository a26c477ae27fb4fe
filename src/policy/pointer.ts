import { pointerToken } from '../core/json.ts'

export const POINTER = /^(?:\/(?:[^~/]|~[01])*)+$/

/** RFC 6901, without the empty pointer: a policy addresses parts of a value, never the whole of it. */
export function isPointer(text: string): boolean {
  return POINTER.test(text)
}

/** What stands there in a plain value; `undefined` where nothing does. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let here = value
  for (const key of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined
    here = Reflect.get(here, key)
  }
  return here
}

export function formatPointer(path: readonly PropertyKey[]): string {
  let pointer = ''
  for (const token of path) pointer += `/${pointerToken(String(token))}`
  return pointer
}
