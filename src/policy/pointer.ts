import { pointerToken } from '../core/json.ts'

export const POINTER = /^(?:\/(?:[^~/]|~[01])*)+$/

/** RFC 6901, without the empty pointer: a policy addresses parts of a value, never the whole of it. */
export function isPointer(text: string): boolean {
  return POINTER.test(text)
}

export function formatPointer(path: readonly PropertyKey[]): string {
  let pointer = ''
  for (const token of path) pointer += `/${pointerToken(String(token))}`
  return pointer
}
