import { areSame } from './json-names.ts'
import { pointerToken } from './json-pointer.ts'
import { ExactNumber, isJsonArray, type Json } from './json-value.ts'

/** UAX #15 §13 (Stream-Safe Text Format): no text of any language sets more marks than this upon one letter. */
const LONG_MARKS = /\p{M}{31}/u

/**
 * False for a text that would cost the square of its length: normalizing sorts each run of combining marks, and 30 KB of them
 * take a second.
 */
export function isNormalizable(text: string): boolean {
  return text.length <= 31 || !LONG_MARKS.test(text)
}

/** Of all different names of one text that are not ASCII: to fold them takes up to a tenth of a microsecond for each character. */
const MAX_FOLDED = 65_536
/** What they fold to. Rows repeat their names, and who compares a text's names twice should not fold them twice. */
const folds = new Map<string, string | undefined>()
let charactersLeft = MAX_FOLDED

/**
 * JSON Pointer of the first key, at any depth, that repeats an earlier key of its object under case folding (full, so that ſ is s
 * and the Kelvin sign is k) or canonical equivalence; `undefined` when there is none. Upstreams in Go, Java and .NET bind such
 * pairs to one field, and which of the two wins differs: what was checked need not be what is used. A key that cannot be compared,
 * or only at great length, counts as a repeated one.
 */
export function foldedTwin(value: Json): string | undefined {
  folds.clear()
  keysBefore = []
  charactersLeft = MAX_FOLDED
  return twinIn(value)
}

function twinIn(value: Json): string | undefined {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return undefined
  if (isJsonArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const below = twinIn(value[index] as Json)
      if (below !== undefined) return `/${index}${below}`
    }
    return undefined
  }
  const keys = Object.keys(value)
  const twin = twinAmong(keys)
  if (twin !== undefined) return `/${pointerToken(twin)}`
  for (const key of keys) {
    const member = value[key]
    if (typeof member !== 'object' || member === null) continue
    const below = twinIn(member)
    if (below !== undefined) return `/${pointerToken(key)}${below}`
  }
  return undefined
}

/** The keys of the object before, which had no twins and are folded: rows have the same. */
let keysBefore: readonly string[] = []

function twinAmong(keys: readonly string[]): string | undefined {
  if (keys.length === 0 || areSame(keys, keysBefore)) return undefined
  let index = 0
  while (index < keys.length && isFolded(keys[index] as string)) index++
  if (index === keys.length) return undefined
  const seen = new Set<string>()
  for (const key of keys) {
    const folded = foldOnce(key)
    if (folded === undefined || seen.has(folded)) return key
    seen.add(folded)
  }
  keysBefore = keys
  return undefined
}

/** `foldedKey`, once for each name of a text and as long as there are not too many. */
function foldOnce(key: string): string | undefined {
  if (isAscii(key)) return key.toLowerCase()
  if (!folds.has(key)) {
    charactersLeft -= key.length
    if (charactersLeft < 0) return undefined
    folds.set(key, fold(key))
  }
  return folds.get(key)
}

/** The key as it compares: equal for keys that differ only by case or canonical form. `undefined`: it cannot be compared. */
export function foldedKey(key: string): string | undefined {
  if (isAscii(key)) return key.toLowerCase()
  return folds.has(key) ? folds.get(key) : fold(key)
}

function isAscii(key: string): boolean {
  for (let index = 0; index < key.length; index++) if (key.charCodeAt(index) > 0x7e) return false
  return true
}

/** ASCII without capitals: such keys fold to themselves, so distinct ones stay distinct. */
function isFolded(key: string): boolean {
  for (let index = 0; index < key.length; index++) {
    const code = key.charCodeAt(index)
    if (code > 0x7e || (code >= 0x41 && code <= 0x5a)) return false
  }
  return true
}

/** Up, then down: ſ, ß, µ and final sigma only meet their kin as capitals, the Kelvin and Ångström signs only as small letters. */
function fold(key: string): string | undefined {
  if (!isNormalizable(key)) return undefined
  const composed = key.normalize('NFC')
  const folded = composed.toUpperCase().toLowerCase()
  return folded === composed ? composed : folded.normalize('NFC')
}
