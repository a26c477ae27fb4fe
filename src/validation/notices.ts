import { isJsonObject, type Json, type JsonObject, parseJsonText, writeJson } from '../core/json.ts'
import type { CallerStream, Intent } from '../core/model.ts'
import { HIDDEN_CHARACTERS_KEY } from '../mcp/index.ts'
import { type CharacterPolicy, isPlain, treatJson } from './characters.ts'

/** How many hidden characters were found in what an upstream told on the way to its answer, where there were some. */
const hiddenBefore = new WeakMap<Intent, number>()

export function hiddenInNotices(intent: Intent): number {
  return hiddenBefore.get(intent) ?? 0
}

/**
 * The caller's stream, with progress and log messages of this call looked through on their way to it: they are words of the upstream like
 * its result, and what policy says of characters there holds for them. One that would have to be withheld is left out.
 */
export function screenNotices(intent: Intent, caller: CallerStream): CallerStream {
  return new ScreenedStream(intent, caller)
}

class ScreenedStream implements CallerStream {
  readonly #intent: Intent
  readonly #caller: CallerStream

  constructor(intent: Intent, caller: CallerStream) {
    this.#intent = intent
    this.#caller = caller
  }

  get gone(): boolean {
    return this.#caller.gone
  }

  get canStream(): boolean {
    return this.#caller.canStream
  }

  onGone(run: () => void): void {
    this.#caller.onGone(run)
  }

  open(): void {
    this.#caller.open()
  }

  notify(message: string): Promise<void> | void {
    const intent = this.#intent
    const treated = treatNotice(message, intent.ticket.admission.checked.grant.policy.result.characters)
    if (treated === undefined) return this.#caller.notify(message)
    hiddenBefore.set(intent, hiddenInNotices(intent) + treated.hidden)
    return treated.text === undefined ? undefined : this.#caller.notify(treated.text)
  }
}

interface TreatedNotice {
  readonly hidden: number
  /** With a mark in its `_meta`, as a result has one; `undefined`: not to be shown. */
  readonly text: string | undefined
}

/** `undefined`: nothing is hidden in it. The token of its progress is the caller's own word. */
function treatNotice(message: string, policy: CharacterPolicy): TreatedNotice | undefined {
  if (isPlain(message)) return undefined
  const notice = objectOf(parseJsonText(message).value)
  const { progressToken, ...told } = objectOf(notice.params)
  const text = writeJson(told)
  const treated = treatJson(text, policy)
  if (treated === undefined) return undefined
  const { hidden } = treated
  if (treated.text === undefined) return { hidden, text: undefined }
  const params = objectOf(treated.value ?? told)
  const mark = { [HIDDEN_CHARACTERS_KEY]: { count: hidden, escaped: treated.value !== undefined } }
  const token = progressToken === undefined ? {} : { progressToken }
  return { hidden, text: writeJson({ ...notice, params: { ...token, ...params, _meta: { ...objectOf(params._meta), ...mark } } }) }
}

function objectOf(value: Json | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {}
}
