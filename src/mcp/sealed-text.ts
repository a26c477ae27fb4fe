import { locateValues } from '../core/json.ts'
import type { ResultText } from '../core/model.ts'
import { invalidAnswer } from './invalid-answer.ts'

const TASK_ID = [['taskId']]

/** A text of questions with its two members (MCP 2026-07-28 basic/patterns/mrtr §InputRequiredResult). `requestState` needs no escaping. */
export function withQuestions({ members, meta }: ResultText, inputRequestsText: string, requestState: string): ResultText {
  const questions = inputRequestsText === '{}' ? '' : `"inputRequests":${inputRequestsText},`
  const own = `${questions}"requestState":"${requestState}"`
  return { members: members === '' ? own : `${members},${own}`, meta }
}

/** A text with another `taskId`, which needs no escaping; all else stays as it was written. Throws UPSTREAM_INVALID for a text without one. */
export function withTaskId({ members, meta }: ResultText, taskId: string): ResultText {
  const text = `{${members}}`
  const [span] = locateValues(text, TASK_ID)
  if (span === undefined) throw invalidAnswer('task_id')
  return { members: `${text.slice(1, span[0])}"${taskId}"${text.slice(span[1], -1)}`, meta }
}
