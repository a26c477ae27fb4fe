import { Buffer, isAscii, isUtf8 } from 'node:buffer'
import { type Container, type Inexact, scanJson } from './json-scan.ts'
import { ExactNumber, type Json, type JsonDocument, JsonError, type JsonLimits } from './json-value.ts'

const DEFAULT_LIMITS: JsonLimits = { maxDepth: 64, maxWork: 120_000 }

/**
 * Reads one JSON text from bytes, strictly: UTF-8 without BOM, no key twice in an object, no `__proto__` key, no lone surrogate, no
 * number beyond a double's range, nothing after the value, within the limits. Throws JsonError.
 *
 * Numbers whose decimal value a double cannot give back become `ExactNumber`. `-0` is the number -0: forwarded text keeps it,
 * `writeJson` and `canonicalJson` say 0.
 */
export function parseJson(bytes: Uint8Array, limits?: Partial<JsonLimits>): JsonDocument {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (isAscii(buffer)) return parseWellFormed(buffer.toString('latin1'), limits)
  if (!isUtf8(buffer)) throw new JsonError('not UTF-8', 0)
  return parseWellFormed(buffer.toString('utf8'), limits)
}

/** `parseJson` for a text that is already decoded. */
export function parseJsonText(text: string, limits?: Partial<JsonLimits>): JsonDocument {
  if (!text.isWellFormed()) throw new JsonError('lone surrogate', text.search(/\p{Surrogate}/u))
  return parseWellFormed(text, limits)
}

/**
 * Two passes over the text: ours decides whether it is acceptable, V8's builds the values. Faster than building them in JavaScript,
 * and a text is accepted only when both read it as JSON.
 */
function parseWellFormed(text: string, some?: Partial<JsonLimits>): JsonDocument {
  const limits = some === undefined ? DEFAULT_LIMITS : { ...DEFAULT_LIMITS, ...some }
  const { spans, inexact } = scanJson(text, limits)
  let value: Json
  try {
    value = JSON.parse(text)
  } catch (cause) {
    // Something in a long string, which only the thorough scan can place.
    scanJson(text, limits, true)
    throw new JsonError('not JSON', 0, { cause })
  }
  if (inexact !== undefined) value = putExact(value, inexact)
  return { text, value, spans }
}

type Parent = Record<string | number, Json>

function putExact(root: Json, numbers: readonly Inexact[]): Json {
  const found = new Map<Container, Parent>()
  const parentOf = (container: Container): Parent => {
    const known = found.get(container)
    if (known !== undefined) return known
    const value = (container.parent === undefined ? root : parentOf(container.parent)[container.key]) as Parent
    found.set(container, value)
    return value
  }
  for (const { container, key, text } of numbers) {
    if (container === undefined) return new ExactNumber(text)
    parentOf(container)[key] = new ExactNumber(text)
  }
  return root
}
