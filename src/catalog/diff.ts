import { styleText } from 'node:util'
import { diffWordsWithSpace } from 'diff'
import { canonicalJson, isJsonObject, type Json, type JsonObject, pointerToken } from '../core/json.ts'
import { visible } from './hidden-characters.ts'

interface DiffOptions {
  readonly color: boolean
}

/**
 * A descriptor's change as lines for people, one block per JSON Pointer: words for text, values for the rest. Hidden characters
 * are spelled out, nothing is cut short, and every line of foreign text is indented so that it cannot pose as one of ours.
 * Without `approved`, the whole descriptor.
 */
export function diffLines(approved: JsonObject | undefined, live: JsonObject | undefined, { color }: DiffOptions): readonly string[] {
  const paint = painter(color)
  return [...changes(approved, live, '')].flatMap(change => [paint('bold', visible(change.pointer)), ...body(change, paint)])
}

interface Change {
  readonly pointer: string
  readonly before: Json | undefined
  readonly after: Json | undefined
}

function* changes(before: Json | undefined, after: Json | undefined, pointer: string): Generator<Change> {
  if (before !== undefined && after !== undefined && canonicalJson(before) === canonicalJson(after)) return
  const canDescend = [before, after].every(side => side === undefined || isNonEmptyObject(side))
  if (!canDescend) {
    yield { pointer, before, after }
    return
  }
  const [was, is] = [isJsonObject(before) ? before : {}, isJsonObject(after) ? after : {}]
  for (const key of new Set([...Object.keys(was), ...Object.keys(is)])) {
    const [inner, left, right] = [`${pointer}/${pointerToken(key)}`, own(was, key), own(is, key)]
    // A whole new member is one change: its parts have nothing to be compared with.
    if (pointer !== '' && (left === undefined || right === undefined) && before !== undefined && after !== undefined) {
      yield { pointer: inner, before: left, after: right }
    } else yield* changes(left, right, inner)
  }
}

function isNonEmptyObject(value: Json): boolean {
  return isJsonObject(value) && Object.keys(value).length > 0
}

function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

type Style = 'bold' | 'red' | 'green'
type Paint = (style: Style, text: string) => string

function painter(color: boolean): Paint {
  return color ? (style, text) => styleText(style, text, { validateStream: false }) : (_, text) => text
}

const MARGIN = '    '
/** Past this, words are not paired any more: both texts are shown in full. */
const WORD_DIFF = { timeout: 200, maxEditLength: 2_000 }

function body({ before, after }: Change, paint: Paint): string[] {
  if (typeof before === 'string' && typeof after === 'string') {
    const parts = diffWordsWithSpace(before, after, WORD_DIFF)
    if (parts !== undefined) return wordLines(parts, paint)
  }
  return [...sideLines('- ', 'red', before, paint), ...sideLines('+ ', 'green', after, paint)]
}

function wordLines(parts: readonly { value: string; added?: boolean; removed?: boolean }[], paint: Paint): string[] {
  const marked = parts.map(({ value, added, removed }) => {
    if (added) return eachLine(value, line => paint('green', `{+${line}+}`))
    return removed ? eachLine(value, line => paint('red', `[-${line}-]`)) : eachLine(value, line => line)
  })
  return marked
    .join('')
    .split('\n')
    .map(line => `${MARGIN}~ ${line}`)
}

/** Marks and makes visible line by line, so that a mark never spans a line of output; only `\n` breaks a line. */
function eachLine(text: string, mark: (line: string) => string): string {
  return text
    .split('\n')
    .map(line => (line === '' ? '' : mark(visible(line))))
    .join('\n')
}

function sideLines(sign: string, style: Style, value: Json | undefined, paint: Paint): string[] {
  if (value === undefined) return []
  const lines = typeof value === 'string' ? value.split('\n') : JSON.stringify(value, undefined, 2).split('\n')
  return lines.map(line => MARGIN + paint(style, sign + visible(line)))
}
