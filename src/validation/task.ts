import { Refusal } from '../core/errors.ts'
import { isJsonObject, type Json, type JsonObject, writeJson } from '../core/json.ts'
import type { CheckedAnswerFacts, Grant, ResultText } from '../core/model.ts'
import { type Edit, rewriteUris, spliceMembers } from '../mcp/index.ts'
import type { AnswerRules } from './answer-rules.ts'
import { labelled } from './asked.ts'
import type { DescriptorValidators } from './descriptor.ts'
import { mismatchOf, writeNotice } from './tool-result.ts'

export interface TaskToCheck {
  readonly task: JsonObject
  readonly text: ResultText
  readonly bytes: number
  readonly grant: Grant
  readonly rules: AnswerRules
  readonly validators: DescriptorValidators | string
}

export interface CheckedTask extends Pick<CheckedAnswerFacts, 'isError' | 'withheld' | 'mismatch'> {
  readonly task: JsonObject
  readonly text: ResultText
  readonly linksWithheld: number
}

/**
 * A task as it may be shown: its result is judged as the tool's own would be, its questions as those of an answer would be. The rest of its
 * form mcp/ has judged. Throws VALIDATION_QUESTION.
 */
export function checkTask(given: TaskToCheck): CheckedTask {
  const { task, bytes, grant, rules, validators } = given
  const { result } = task
  const mismatch = isJsonObject(result) ? mismatchOf(result, bytes, grant.policy.result, validators) : undefined
  if (mismatch?.isWithheld === true) return finish(given, withNotice(given, mismatch.reason), mismatch.reason, true)
  const edits = questionEdits(task, grant, rules)
  try {
    return finish(given, edits, mismatch?.reason, false)
  } catch (error) {
    if (!isJsonObject(result) || !(error instanceof Refusal) || error.code !== 'UPSTREAM_INVALID') throw error
    return finish(given, withNotice(given, MALFORMED_LINK), MALFORMED_LINK, true)
  }
}

export const MALFORMED_LINK = '\n- /content has a link that is not well-formed'

interface TaskEdit extends Edit {
  readonly member: string
  readonly becomes: Json
}

function withNotice({ task, grant, rules }: TaskToCheck, reason: string): readonly TaskEdit[] {
  const { result, text } = writeNotice(reason, grant.effect)
  const notice: TaskEdit = { path: ['result'], value: `{${text.members},"_meta":{${text.meta}}}`, member: 'result', becomes: result }
  return [notice, ...questionEdits(task, grant, rules)]
}

function questionEdits({ inputRequests }: JsonObject, grant: Grant, rules: AnswerRules): readonly TaskEdit[] {
  if (inputRequests === undefined || !isJsonObject(inputRequests)) return []
  const asked = labelled(inputRequests, grant, rules)
  return [{ path: ['inputRequests'], value: writeJson(asked), member: 'inputRequests', becomes: asked }]
}

function finish(given: TaskToCheck, edits: readonly TaskEdit[], mismatch: string | undefined, isWithheld: boolean): CheckedTask {
  const task =
    edits.length === 0 ? given.task : { ...given.task, ...Object.fromEntries(edits.map(({ member, becomes }) => [member, becomes])) }
  const text = edits.length === 0 ? given.text : { members: spliceMembers(given.text.members, edits), meta: given.text.meta }
  const links = rewriteUris(text, task, 'tasks/get', given.grant.item.uriPrefix, given.rules.isAllowedScheme)
  const { result } = task
  return {
    task,
    text: links.text,
    linksWithheld: links.withheld,
    isError: isJsonObject(result) && result.isError === true,
    withheld: isWithheld ? 'VALIDATION_RESULT' : undefined,
    ...(mismatch === undefined ? {} : { mismatch }),
  }
}
