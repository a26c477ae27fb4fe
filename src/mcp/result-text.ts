import { isJsonObject, type JsonDocument, type JsonObject, parseJsonText } from '../core/json.ts'
import type { ResultText } from '../core/model.ts'
import { MAX_MEMBERS } from './envelope-keys.ts'
import { invalidAnswer } from './invalid-answer.ts'
import { carriedMeta, writeMembers } from './meta-keys.ts'
import { ownMember } from './own-member.ts'

const PREFIX = '/result/'
const SEPARATOR = /^\s*,?\s*/

/**
 * The members of a result as the upstream wrote them, without those whose pointers are named, among them `/result/_meta`: we write those
 * ourselves. They are cut out of the text, never re-serialized: order, spacing and the digits of numbers stay.
 */
export function resultText(document: JsonDocument, result: JsonObject, omitted: ReadonlySet<string>): ResultText {
  return { members: membersText(document, omitted), meta: metaText(result) }
}

function membersText({ text, spans }: JsonDocument, omitted: ReadonlySet<string>): string {
  const runs: string[] = []
  let runStart: number | undefined
  let memberEnd = (spans.get('/result')?.[0] ?? 0) + 1
  for (const [pointer, [, end]] of spans) {
    if (!pointer.startsWith(PREFIX)) continue
    if (!omitted.has(pointer)) {
      runStart ??= memberEnd
    } else if (runStart !== undefined) {
      runs.push(text.slice(runStart, memberEnd))
      runStart = undefined
    }
    memberEnd = end
  }
  if (runStart !== undefined) runs.push(text.slice(runStart, memberEnd))
  return runs.map(run => run.replace(SEPARATOR, '')).join(',')
}

function metaText(result: JsonObject): string {
  const meta = ownMember(result, '_meta')
  if (meta === undefined) return ''
  if (!isJsonObject(meta) || Object.keys(meta).length > MAX_MEMBERS) throw invalidAnswer('meta')
  return writeMembers(carriedMeta(meta))
}

/** The text with these JSON members before its own. */
export function withMembers({ members, meta }: ResultText, added: string): ResultText {
  return { members: members === '' ? added : `${added},${members}`, meta }
}

/** One object again, as text. */
export function objectText({ members, meta }: ResultText): string {
  const separator = members === '' || meta === '' ? '' : ','
  return `{${members}${separator}${meta === '' ? '' : `"_meta":{${meta}}`}}`
}

/** It was read within the limits before we added to it. */
const AS_IT_WAS = { maxDepth: 128, maxWork: Number.POSITIVE_INFINITY }

/** The value of a text that this gateway kept. */
export function readResult(text: ResultText): JsonObject {
  return parseJsonText(objectText(text), AS_IT_WAS).value as JsonObject
}
