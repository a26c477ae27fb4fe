import { Buffer } from 'node:buffer'
import type { ResultPolicy } from '../core/configuration.ts'
import { editStrings, isJsonObject, type Json, JsonError, type JsonObject, parseJsonText } from '../core/json.ts'
import type { ResultText } from '../core/model.ts'
import { findHidden, type Looks, spellOut } from './hidden-characters.ts'

export type CharacterPolicy = ResultPolicy['characters']

/** A text with hidden characters in it, as policy wants it shown. */
export interface Treated {
  readonly hidden: number
  /** `undefined`: not at all. */
  readonly text: ResultText | undefined
  /** The members as they are shown now, where that is not how they came. */
  readonly value: JsonObject | undefined
}

/** Characters that are looked at one by one, in some 20 ms. A text with more of them was written by nobody, and counts as if all of them hid something. */
const MAX_LOOKS = 100_000

const TELLING_ESCAPE = /\\[bu]/

/** Where the text of a JSON string, as it is written, may have what `findHidden` finds: itself or as an escape. */
const SUSPICIOUS =
  /[\x7f-\x9f\p{DI}\ufff9-\ufffb]|\\(?:b|u(?:00[01789aA]|034|061|11[56]|17[bB]|180|20[0-6]|3164|[dD](?:82[fF]|834|[bB]4[0-3])|[fF][eEfF]))/gv

/**
 * Looks through all strings of a result, keys and `_meta` too: what is not looked at is where hidden text would go. Nothing but strings with
 * hidden characters is ever written again. `undefined`: there are none.
 */
export function treatCharacters({ members, meta }: ResultText, policy: CharacterPolicy): Treated | undefined {
  if (isPlain(members) && isPlain(meta)) return undefined
  const search = { hidden: 0, looks: { left: MAX_LOOKS }, isEscaping: policy === 'escape' }
  const shown = { members: treatText(members, search), meta: treatText(meta, search) }
  const isTooMuch = search.looks.left === 0
  const hidden = isTooMuch ? MAX_LOOKS : search.hidden
  if (hidden === 0) return undefined
  if (policy === 'flag') return { hidden, text: shown, value: undefined }
  if (policy === 'block' || isTooMuch) return { hidden, text: undefined, value: undefined }
  const value = parsedOf(shown)
  return { hidden, text: value === undefined ? undefined : shown, value }
}

/** `treatCharacters` for one JSON value. */
export function treatJson(text: string, policy: CharacterPolicy): TreatedJson | undefined {
  const treated = treatCharacters({ members: `"":${text}`, meta: '' }, policy)
  return treated && { hidden: treated.hidden, text: treated.text?.members.slice('"":'.length), value: treated.value?.[''] }
}

export interface TreatedJson {
  readonly hidden: number
  readonly text: string | undefined
  readonly value: Json | undefined
}

/** At a glance, for nearly every text: ASCII without escapes that could stand for something else. */
export function isPlain(text: string): boolean {
  return Buffer.byteLength(text) === text.length && !text.includes('\x7f') && !TELLING_ESCAPE.test(text)
}

interface Search {
  hidden: number
  readonly looks: Looks
  readonly isEscaping: boolean
}

function treatText(text: string, search: Search): string {
  return editStrings(text, SUSPICIOUS, value => {
    const offsets = findHidden(value, search.looks)
    search.hidden += offsets.length
    return search.isEscaping && offsets.length > 0 ? spellOut(value, offsets) : value
  })
}

/** `undefined` where two keys of an object, told apart by hidden characters alone, have become one. */
function parsedOf({ members, meta }: ResultText): JsonObject | undefined {
  try {
    parseJsonText(`{${meta}}`)
    const { value } = parseJsonText(`{${members}}`)
    return isJsonObject(value) ? value : undefined
  } catch (error) {
    if (error instanceof JsonError) return undefined
    throw error
  }
}
