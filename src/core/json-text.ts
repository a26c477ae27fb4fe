import { areSame } from './json-names.ts'
import { canonicalDecimal, isNumber } from './json-number.ts'
import { ExactNumber, isJsonArray, type Json, JsonError, type JsonObject } from './json-value.ts'

/** JSON text of a value: as `JSON.stringify`, with exact numbers digit for digit. */
export function writeJson(value: Json): string {
  return JSON.stringify(value)
}

/**
 * The canonical text of a value (RFC 8785), extended to numbers a double cannot hold: they keep every digit, in the layout RFC 8785
 * gives to doubles, so that two texts are equal exactly when the values are. Throws JsonError for a lone surrogate, which an
 * encoder would merge with U+FFFD, and for a number that is not finite.
 */
export function canonicalJson(value: Json): string {
  return canonicalAt(value, 0)
}

function canonicalAt(value: Json, depth: number): string {
  switch (typeof value) {
    case 'string':
      return canonicalString(value)
    case 'number':
      if (!Number.isFinite(value)) throw new JsonError('number out of range', 0)
      return String(value)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'object':
      if (value === null) return 'null'
      if (isJsonArray(value)) return canonicalArray(value, depth)
      return value instanceof ExactNumber ? canonicalExact(value.text) : canonicalObject(value, depth)
    default:
      throw new JsonError(`${typeof value} is not JSON`, 0)
  }
}

function canonicalArray(values: readonly Json[], depth: number): string {
  let text = '['
  for (let index = 0; index < values.length; index++) {
    if (index > 0) text += ','
    text += canonicalAt(values[index] as Json, depth)
  }
  return `${text}]`
}

/** Keys as they came; of those that came twice in a row, also sorted and written. */
interface Shape {
  readonly keys: readonly string[]
  sorted: readonly string[] | undefined
  written: readonly string[]
}

/** The objects before, by how many objects they are in: rows have the same keys, and what is in them has too. */
const shapes: (Shape | undefined)[] = []
const MAX_SHAPE_KEYS = 64
const MAX_SHAPE_DEPTH = 8

function canonicalObject(object: JsonObject, depth: number): string {
  const keys = Object.keys(object)
  if (keys.length === 0) return '{}'
  const shape = shapes[depth]
  if (shape !== undefined && areSame(keys, shape.keys)) return canonicalRow(object, shape, depth)
  if (depth < MAX_SHAPE_DEPTH)
    shapes[depth] = keys.length > MAX_SHAPE_KEYS ? undefined : { keys: keys.slice(), sorted: undefined, written: [] }
  sort(keys)
  let text = '{'
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as string
    if (index > 0) text += ','
    text += `${canonicalString(key)}:${canonicalAt(object[key] as Json, depth + 1)}`
  }
  return `${text}}`
}

function canonicalRow(object: JsonObject, shape: Shape, depth: number): string {
  if (shape.sorted === undefined) {
    const keys = shape.keys.slice()
    sort(keys)
    // First: it throws for a key that is none, and then nothing is known of such rows.
    shape.written = keys.map(key => `${canonicalString(key)}:`)
    shape.sorted = keys
  }
  const { sorted, written } = shape
  let text = '{'
  for (let index = 0; index < sorted.length; index++) {
    if (index > 0) text += ','
    text += written[index] as string
    text += canonicalAt(object[sorted[index] as string] as Json, depth + 1)
  }
  return `${text}}`
}

/** By UTF-16 units, as RFC 8785 §3.2.3 asks and both `>` and the default order do. In place; few keys are sorted faster by insertion. */
function sort(keys: string[]): void {
  if (keys.length > 16) {
    keys.sort()
    return
  }
  for (let end = 1; end < keys.length; end++) {
    const key = keys[end] as string
    let at = end
    for (; at > 0 && (keys[at - 1] as string) > key; at--) keys[at] = keys[at - 1] as string
    keys[at] = key
  }
}

function canonicalString(text: string): string {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    // A surrogate may be a lone one; every other character beyond ASCII stands for itself (RFC 8785 §3.2.2.2).
    if (code < 0x20 || code === 0x22 || code === 0x5c || (code >= 0xd800 && code <= 0xdfff)) return quoted(text)
  }
  return `"${text}"`
}

function quoted(text: string): string {
  if (!text.isWellFormed()) throw new JsonError('lone surrogate', 0)
  return JSON.stringify(text)
}

function canonicalExact(text: string): string {
  if (!isNumber(text)) throw new JsonError('malformed number', 0)
  return canonicalDecimal(text)
}
