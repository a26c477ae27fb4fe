import { Refusal } from '../core/errors.ts'
import { isJsonObject, type Json, type JsonObject, writeJson } from '../core/json.ts'
import type { CheckedAnswerFacts, Grant, ResultText } from '../core/model.ts'
import { type Edit, invalidAnswer, rewriteUris, spliceMembers, withMetaAt } from '../mcp/index.ts'
import type { AnswerRules } from './answer-rules.ts'
import { labelled } from './asked.ts'
import { type Treated, treatCharacters } from './characters.ts'
import { type Notes, notesOf } from './checked-answer.ts'
import type { DescriptorValidators } from './descriptor.ts'
import { ownMeta, withOwnMeta } from './own-meta.ts'
import { hiddenReason, MALFORMED_LINK, mismatchOf, writeNotice } from './tool-result.ts'
import { truncated } from './truncate.ts'

export interface TaskToCheck {
  readonly task: JsonObject
  readonly text: ResultText
  readonly bytes: number
  readonly grant: Grant
  readonly rules: AnswerRules
  readonly validators: DescriptorValidators | string
}

export interface CheckedTask extends Pick<CheckedAnswerFacts, 'isError' | 'withheld'> {
  readonly task: JsonObject
  readonly text: ResultText
  readonly notes: Notes
}

/**
 * A task as it may be shown: its result is judged as the tool's own would be, its questions as those of an answer would be. The rest of its
 * form mcp/ has judged. Throws VALIDATION_QUESTION, and UPSTREAM_INVALID where what may not be shown is in the task itself.
 */
export function checkTask(given: TaskToCheck): CheckedTask {
  const { task, bytes, grant, validators } = given
  const { result } = task
  if (result === undefined || !isJsonObject(result)) return checkUnfinished(given)
  const policy = grant.policy.result
  const cut = truncated(given.text, task, 'tasks/get', bytes, policy)
  const mismatch = mismatchOf(result, cut === undefined ? bytes : 0, policy, validators)
  if (mismatch?.isWithheld === true) return withheld(given, mismatch.reason, 0)
  const shown = showWithResult(given, cut?.text ?? given.text)
  if (shown === undefined) return withheld(given, MALFORMED_LINK, 0)
  const { treated } = shown
  const hidden = treated?.hidden ?? 0
  if (treated !== undefined && treated.text === undefined) return withheld(given, hiddenReason(hidden), hidden)
  const spelled = treated?.value?.result
  const then = spelled !== undefined && isJsonObject(spelled) ? mismatchOf(spelled, 0, policy, validators) : mismatch
  if (then?.isWithheld === true) return withheld(given, then.reason, hidden)
  const notes = notesOf(treated, { mismatch: then?.reason, linksWithheld: shown.linksWithheld, truncatedBytes: cut?.bytes })
  const { members, meta } = treated?.text ?? shown.text
  const own = ownMeta(grant.item, notes)
  // Of the two, the inner one is what a client hands on as the result of the call.
  const text = withOwnMeta({ members: withMetaAt(members, ['result'], own), meta }, own)
  return { task: shown.task, text, isError: result.isError === true, withheld: undefined, notes }
}

function checkUnfinished(given: TaskToCheck): CheckedTask {
  const { task, text, linksWithheld, treated } = show(given, given.text, questionEdits(given))
  if (treated !== undefined && treated.text === undefined) throw invalidAnswer('hidden_characters')
  const notes = notesOf(treated, { linksWithheld })
  return { task, text: withOwnMeta(treated?.text ?? text, ownMeta(given.grant.item, notes)), isError: false, withheld: undefined, notes }
}

/** A task that is there, with a notice for its result. */
function withheld(given: TaskToCheck, reason: string, hidden: number): CheckedTask {
  const { result, text } = writeNotice(reason, given.grant.effect)
  const notice: TaskEdit = { path: ['result'], value: `{${text.members},"_meta":{${text.meta}}}`, member: 'result', becomes: result }
  const shown = show(given, given.text, [notice, ...questionEdits(given)])
  const { treated } = shown
  if (treated !== undefined && treated.text === undefined) throw invalidAnswer('hidden_characters')
  const hiddenCharacters = Math.max(hidden, treated?.hidden ?? 0)
  const notes = notesOf(treated, { mismatch: reason, linksWithheld: shown.linksWithheld, hiddenCharacters })
  const own = ownMeta(given.grant.item, notes)
  return { task: shown.task, text: withOwnMeta(treated?.text ?? shown.text, own), isError: true, withheld: 'VALIDATION_RESULT', notes }
}

interface ShownTask {
  readonly task: JsonObject
  readonly text: ResultText
  readonly linksWithheld: number
  readonly treated: Treated | undefined
}

interface TaskEdit extends Edit {
  readonly member: string
  readonly becomes: Json
}

/** `undefined`: a link of its result is none. */
function showWithResult(given: TaskToCheck, text: ResultText): ShownTask | undefined {
  const edits = questionEdits(given)
  try {
    return show(given, text, edits)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'UPSTREAM_INVALID') return undefined
    throw error
  }
}

function show({ task: given, grant, rules }: TaskToCheck, before: ResultText, edits: readonly TaskEdit[]): ShownTask {
  const task = edits.length === 0 ? given : { ...given, ...Object.fromEntries(edits.map(({ member, becomes }) => [member, becomes])) }
  const edited = edits.length === 0 ? before : { members: spliceMembers(before.members, edits), meta: before.meta }
  const links = rewriteUris(edited, task, 'tasks/get', grant.item.uriPrefix, rules.isAllowedLink)
  return { task, text: links.text, linksWithheld: links.withheld, treated: treatCharacters(links.text, grant.policy.result.characters) }
}

function questionEdits({ task: { inputRequests }, grant, rules }: TaskToCheck): readonly TaskEdit[] {
  if (inputRequests === undefined || !isJsonObject(inputRequests)) return []
  const asked = labelled(inputRequests, grant, rules)
  return [{ path: ['inputRequests'], value: writeJson(asked), member: 'inputRequests', becomes: asked }]
}
