import { writeJson } from '../core/json.ts'
import type { ApprovedItem, CallMethod, ResultText } from '../core/model.ts'
import { HIDDEN_CHARACTERS_KEY, SOURCE_KEY, TRUNCATED_KEY } from '../mcp/index.ts'
import type { Notes } from './checked-answer.ts'

/** Written once for each item of a catalog. */
const SOURCES = new WeakMap<ApprovedItem, string>()

/**
 * What we say of a result in its `_meta`, as members without braces: whose words it is, by the alias and by the pin of what was approved
 * (none for a resource that nobody approved), and what became of them. An upstream cannot say it: keys of ours are taken out of what it sends.
 */
export function ownMeta(item: ApprovedItem, { hiddenCharacters, isEscaped, truncatedBytes }: Notes): string {
  let text = sourceOf(item)
  if (hiddenCharacters > 0) text += `,"${HIDDEN_CHARACTERS_KEY}":{"count":${hiddenCharacters},"escaped":${isEscaped}}`
  if (truncatedBytes > 0) text += `,"${TRUNCATED_KEY}":{"bytes":${truncatedBytes}}`
  return text
}

/** Results that bring words of an upstream into a conversation. A completion is shown to whoever types, and the rest says only that it was heard. */
export function bringsWords(method: CallMethod): boolean {
  return method === 'tools/call' || method === 'prompts/get' || method === 'resources/read' || method === 'tasks/get'
}

export function withOwnMeta({ members, meta }: ResultText, own: string): ResultText {
  return { members, meta: meta === '' ? own : `${own},${meta}` }
}

function sourceOf(item: ApprovedItem): string {
  let text = SOURCES.get(item)
  if (text === undefined) {
    const { alias, pin } = item
    text = `"${SOURCE_KEY}":${writeJson(pin === '' ? { alias } : { alias, pin })}`
    SOURCES.set(item, text)
  }
  return text
}
