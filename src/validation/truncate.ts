import { Buffer } from 'node:buffer'
import type { ResultPolicy } from '../core/configuration.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject, type JsonPath, locateValues, type Span, writeJson } from '../core/json.ts'
import type { CallMethod, ResultText } from '../core/model.ts'
import { spliceAt } from '../mcp/index.ts'

export interface Truncated {
  readonly text: ResultText
  /** Of its texts, as UTF-8. */
  readonly bytes: number
}

/** More than any mark takes, and less than is worth cutting for. */
const MARK_BYTES = 100

/**
 * A result that is too large, where policy wants it truncated: its last texts are cut short until it is small enough, with a mark where
 * something is missing. Only words for people and models: half a structure, or half a picture, would be another one. `undefined`: they are
 * not what makes it large.
 */
export function truncated(
  { members, meta }: ResultText,
  result: JsonObject,
  method: CallMethod,
  total: number,
  { maxBytes, over }: ResultPolicy,
): Truncated | undefined {
  if (total <= maxBytes || over !== 'truncate') return undefined
  const texts = textsOf(result, method)
  const written = `{${members}}`
  const spans = locateValues(
    written,
    texts.map(({ path }) => path),
  )
  const edits: (readonly [Span, string])[] = []
  let left = total - maxBytes
  let bytes = 0
  for (let index = texts.length - 1; index >= 0 && left > 0; index--) {
    const { value } = texts[index] as TextAt
    const span = spans[index]
    if (span === undefined) continue
    const size = Buffer.byteLength(written.slice(...span))
    if (size <= MARK_BYTES) continue
    const kept = beginningOf(value, Math.max(0, size - left - MARK_BYTES))
    const missing = Buffer.byteLength(value) - Buffer.byteLength(kept)
    // Nothing is missing from a text that was only written in a long way.
    const shorter = writeJson(missing === 0 ? value : `${kept}${kept === '' ? '' : '\n'}${markOf(missing)}`)
    edits.push([span, shorter])
    left -= size - Buffer.byteLength(shorter)
    bytes += missing
  }
  return left > 0 ? undefined : { text: { members: spliceAt(written, edits).slice(1, -1), meta }, bytes }
}

function markOf(bytes: number): string {
  return `[The gateway left out the rest of this text: ${bytes} bytes.]`
}

interface TextAt {
  readonly path: JsonPath
  readonly value: string
}

/** The texts of a tool's blocks or of a resource, in their order. */
function textsOf(result: JsonObject, method: CallMethod): readonly TextAt[] {
  if (method === 'resources/read') return textsIn(result.contents, ['contents'])
  if (method !== 'tasks/get') return textsIn(result.content, ['content'])
  return isJsonObject(result.result) ? textsIn(result.result.content, ['result', 'content']) : []
}

function textsIn(blocks: Json | undefined, path: JsonPath): readonly TextAt[] {
  if (!isJsonArray(blocks)) return []
  return blocks.flatMap((block, index) => {
    if (!isJsonObject(block)) return []
    const { text, resource } = block
    if (typeof text === 'string') return [{ path: [...path, index, 'text'], value: text }]
    if (resource === undefined || !isJsonObject(resource) || typeof resource.text !== 'string') return []
    return [{ path: [...path, index, 'resource', 'text'], value: resource.text }]
  })
}

/** As much of a text as takes about that many bytes in JSON, never more; no character that a reader sees as one is divided. */
function beginningOf(text: string, maxBytes: number): string {
  // No character takes less than a byte: of a text of millions only its beginning is ever written out.
  let end = Math.min(text.length, maxBytes)
  let over = jsonBytes(text.slice(0, end)) - maxBytes
  for (let tries = 1; over > 0; tries++) {
    // In proportion, which is near where the text is much the same all through; at last by as many units as there are bytes too many.
    end = tries < 4 ? Math.floor((end * maxBytes) / (maxBytes + over)) : Math.max(0, end - over)
    over = jsonBytes(text.slice(0, end)) - maxBytes
  }
  return end === text.length ? text : text.slice(0, boundaryBefore(text, end))
}

/** Without the quotes. */
function jsonBytes(text: string): number {
  return Buffer.byteLength(writeJson(text)) - 2
}

const graphemes = new Intl.Segmenter()
/** Looked at on each side of a cut: longer than honest characters are. */
const NEAR = 64

function boundaryBefore(text: string, end: number): number {
  const from = Math.max(0, end - NEAR)
  return from + (graphemes.segment(text.slice(from, end + NEAR)).containing(end - from)?.index ?? 0)
}
