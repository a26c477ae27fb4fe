import { type JsonPath, locateValues, type Span } from '../core/json.ts'

/** JSON text in the place of a value. */
export interface Edit {
  readonly path: JsonPath
  readonly value: string
}

/** A JSON text with other values at some places, none within another; everything between stays as it is. A path that leads nowhere is passed over. */
export function spliceText(text: string, edits: readonly Edit[]): string {
  const spans = locateValues(
    text,
    edits.map(({ path }) => path),
  )
  const found: (readonly [Span, string])[] = []
  for (const [index, { value }] of edits.entries()) {
    const span = spans[index]
    if (span !== undefined) found.push([span, value])
  }
  return spliceAt(text, found)
}

/** The same where the places are known: to look for them costs the text's length once more. */
export function spliceAt(text: string, found: readonly (readonly [Span, string])[]): string {
  const parts: string[] = []
  let from = 0
  for (const [[start, end], value] of found.toSorted(([a], [b]) => a[0] - b[0])) {
    parts.push(text.slice(from, start), value)
    from = end
  }
  parts.push(text.slice(from))
  return parts.join('')
}

/** `spliceText` for the members of an object, without its braces. */
export function spliceMembers(members: string, edits: readonly Edit[]): string {
  return spliceText(`{${members}}`, edits).slice(1, -1)
}

const EMPTY = /\{\s*\}/y

/** Members of an object in which the object at `path` has these members, JSON text, before all others of its `_meta`. */
export function withMetaAt(members: string, path: JsonPath, added: string): string {
  const text = `{${members}}`
  const [object, meta] = locateValues(text, [path, [...path, '_meta']])
  if (object === undefined) return members
  const [start] = meta ?? object
  EMPTY.lastIndex = start
  const comma = EMPTY.test(text) ? '' : ','
  return text.slice(1, start + 1) + (meta === undefined ? `"_meta":{${added}}` : added) + comma + text.slice(start + 1, -1)
}
