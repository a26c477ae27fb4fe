import type { CheckedAnswer, UpstreamError } from '../core/model.ts'
import { type CharacterPolicy, treatJson } from './characters.ts'
import { checkedAnswer, notesOf } from './checked-answer.ts'

const WITHHELD = 'The server answered with an error. Its words were withheld: some of their characters are hidden or control characters.'

/** An upstream's JSON-RPC error: it passes, with its code, whatever it says. Its words are treated as those of a result. */
export function checkError(error: UpstreamError, policy: CharacterPolicy): CheckedAnswer {
  const message = treatJson(JSON.stringify(error.message), policy)
  const data = error.dataText === undefined ? undefined : treatJson(error.dataText, policy)
  if (message === undefined && data === undefined) return checkedAnswer(error, true)
  const notes = notesOf(message, { hiddenCharacters: (message?.hidden ?? 0) + (data?.hidden ?? 0) })
  const isWithheld = (message !== undefined && message.text === undefined) || (data !== undefined && data.text === undefined)
  if (isWithheld) return checkedAnswer({ ...error, message: WITHHELD, dataText: undefined }, true, notes)
  const shown = typeof message?.value === 'string' ? message.value : error.message
  return checkedAnswer({ ...error, message: shown, dataText: data?.text ?? error.dataText }, true, notes)
}
