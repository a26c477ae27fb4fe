import { stripVTControlCharacters, styleText } from 'node:util'
import { diffArrays, diffWordsWithSpace } from 'diff'
import { canonicalJson, isJsonArray, isJsonObject, type Json, type JsonObject, pointerToken } from '../core/json.ts'
import { foldLine, GOES_ON, piecesOf, WIDTH, widthOf } from './fold.ts'
import { visible } from './hidden-characters.ts'

/** One place in which two descriptors differ. */
export interface Change {
  readonly pointer: string
  readonly before: Json | undefined
  readonly after: Json | undefined
}

/** Every place in which a descriptor changed; without `approved`, everything in it. */
export function changesOf(approved: JsonObject | undefined, live: JsonObject | undefined): readonly Change[] {
  return [...changes(approved, live, '')]
}

interface DiffOptions {
  readonly color: boolean
}

/**
 * A descriptor's change as lines for people, one block per JSON Pointer: words for text, lines of JSON for lists, values for the rest.
 * Hidden characters are spelled out, nothing new is cut short, and every line of foreign text is indented, and broken before a terminal
 * breaks it, so that none of it poses as one of ours or stands beyond the edge of a page.
 * Without `approved`, the whole descriptor.
 */
export function diffLines(approved: JsonObject | undefined, live: JsonObject | undefined, { color }: DiffOptions): readonly string[] {
  const paint = painter(color)
  return changesOf(approved, live).flatMap(change => [
    ...foldLine(visible(change.pointer)).map(line => paint('bold', line)),
    ...body(change, paint),
  ])
}

function* changes(before: Json | undefined, after: Json | undefined, pointer: string): Generator<Change> {
  if (before !== undefined && after !== undefined && canonicalJson(before) === canonicalJson(after)) return
  if (isJsonArray(before) && isJsonArray(after) && before.length === after.length && [...before, ...after].every(isJsonObject)) {
    for (const [index, item] of before.entries()) yield* changes(item, after[index], `${pointer}/${index}`)
    return
  }
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
/** A text that has our marks in it, or what looks like them, could pass what is new off as old. */
const MARKS = /[{｛﹛❴][+＋﹢⁺₊✚➕]|[+＋﹢⁺₊✚➕][}｝﹜❵]|[[［⁅❲][-‐-―−－﹣⁃]|[-‐-―−－﹣⁃][\]］⁆❳]/u

function body({ before, after }: Change, paint: Paint): string[] {
  if (typeof before === 'string' && typeof after === 'string' && !MARKS.test(before) && !MARKS.test(after)) {
    const parts = diffWordsWithSpace(before, after, WORD_DIFF)
    if (parts !== undefined) return wordLines(parts, paint)
  }
  if (isJsonArray(before) && isJsonArray(after)) {
    const parts = diffArrays([...linesOf(before)], [...linesOf(after)], { ...WORD_DIFF, comparator: isSameLine })
    if (parts !== undefined) return jsonLines(parts, paint)
  }
  return [
    ...signed('- ', before === undefined ? [] : linesOf(before), paint),
    ...signed('+ ', after === undefined ? [] : linesOf(after), paint),
  ]
}

/** A comma says only that another member follows. */
function isSameLine(a: string, b: string): boolean {
  return a.replace(/,$/, '') === b.replace(/,$/, '')
}

/** Lines that are as before, around those that are not. */
const CONTEXT = 3

function jsonLines(parts: readonly { value: readonly string[]; added: boolean; removed: boolean }[], paint: Paint): string[] {
  return parts.flatMap(({ value, added, removed }, index) => {
    if (added || removed) return signed(added ? '+ ' : '- ', value, paint)
    const [head, tail] = [index === 0 ? 0 : CONTEXT, index === parts.length - 1 ? 0 : CONTEXT]
    const left = value.length - head - tail
    if (left <= 1) return signed('  ', value, paint)
    const kept = [value.slice(0, head), value.slice(value.length - tail)].map(lines => signed('  ', lines, paint))
    return [...(kept[0] ?? []), `${MARGIN}… ${left} lines as before`, ...(kept[1] ?? [])]
  })
}

function wordLines(parts: readonly { value: string; added?: boolean; removed?: boolean }[], paint: Paint): string[] {
  const lines: string[] = []
  const changed = new Set<number>()
  let line = ''
  for (const { value, added, removed } of parts) {
    const mark: Mark = added ? text => paint('green', `{+${text}+}`) : removed ? text => paint('red', `[-${text}-]`) : text => text
    const isMarked = added === true || removed === true
    let run = ''
    /** A mark never spans a line of output. */
    const close = () => {
      if (run !== '') line += mark(run)
      if (run !== '' && isMarked) changed.add(lines.length)
      run = ''
    }
    const end = (next: string) => {
      close()
      lines.push(line)
      line = next
    }
    for (const piece of piecesOf(value)) {
      if (piece === '\n') {
        // The end of a line that came or went is spelled out, or nobody would see it.
        if (isMarked) run += visible(piece)
        end('')
      } else {
        if (widthOf(stripVTControlCharacters(line)) + widthOf(run) + widthOf(piece) + (isMarked ? 4 : 0) > WIDTH && line + run !== '')
          end(GOES_ON)
        run += piece
      }
    }
    close()
  }
  return [...withoutFarLines([...lines, line], changed)].map(each => MARGIN + each)
}

/** What is said around a change says what it means. */
const AROUND = 16

/** A word that is another one is not found among a thousand lines that are as before. */
function* withoutFarLines(lines: readonly string[], changed: ReadonlySet<number>): Generator<string> {
  const near = new Set<number>()
  for (const at of changed) for (let index = at - AROUND; index <= at + AROUND; index += 1) near.add(index)
  let far = 0
  for (const [index, line] of lines.entries()) {
    if (!near.has(index)) far += 1
    if (far > 0 && (near.has(index) || index === lines.length - 1)) yield `… ${far} ${far === 1 ? 'line' : 'lines'} as before`
    if (!near.has(index)) continue
    far = 0
    yield `~ ${line}`
  }
}

type Mark = (text: string) => string

const STYLES = { '- ': 'red', '+ ': 'green', '  ': undefined } as const

function signed(sign: keyof typeof STYLES, lines: readonly string[], paint: Paint): string[] {
  const style = STYLES[sign]
  return lines
    .flatMap(line => foldLine(visible(line)))
    .map(line => MARGIN + (style === undefined ? sign + line : paint(style, sign + line)))
}

function linesOf(value: Json): readonly string[] {
  return typeof value === 'string' ? value.split('\n') : JSON.stringify(value, undefined, 2).split('\n')
}
