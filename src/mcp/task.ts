import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import { looksOurs } from './error-data.ts'
import { checkInputRequests } from './input-requests.ts'
import { invalidAnswer } from './invalid-answer.ts'
import { carriedMeta, writeMembers } from './meta-keys.ts'
import { ownMember } from './own-member.ts'
import { hasToolResultLookalike } from './result-keys.ts'
import { type Edit, spliceMembers } from './splice.ts'
import { callerErrorCode } from './write-response.ts'

const MAX_TASK_ID_LENGTH = 1_024

/** What a task in this state must have, where it is told whole (SEP-2663 §Task Status). */
const PAYLOADS: ReadonlyMap<Json | undefined, string | undefined> = new Map([
  ['working', undefined],
  ['input_required', 'inputRequests'],
  ['completed', 'result'],
  ['failed', 'error'],
  ['cancelled', undefined],
])

/**
 * A task as SEP-2663 §Tasks describes it, or UPSTREAM_INVALID. `isWhole`: an answer to `tasks/get` or a notification, which bring what the
 * state speaks of; the answer that creates a task is only its seed. An id is bounded, because it travels in a header.
 */
export function checkTask(task: JsonObject, isWhole: boolean): void {
  const taskId = ownMember(task, 'taskId')
  if (typeof taskId !== 'string' || taskId === '' || taskId.length > MAX_TASK_ID_LENGTH) throw invalidAnswer('task_id')
  const status = ownMember(task, 'status')
  const payload = PAYLOADS.get(status)
  if (!PAYLOADS.has(status) || (isWhole && payload !== undefined && !Object.hasOwn(task, payload))) throw invalidAnswer('task_status')
  if (!isText(ownMember(task, 'createdAt')) || !isText(ownMember(task, 'lastUpdatedAt'))) throw invalidAnswer('task_time')
  const message = ownMember(task, 'statusMessage')
  if (message !== undefined && !isText(message)) throw invalidAnswer('task_message')
  const ttlMs = ownMember(task, 'ttlMs')
  const pollIntervalMs = ownMember(task, 'pollIntervalMs')
  if ((ttlMs !== null && !isDuration(ttlMs)) || (pollIntervalMs !== undefined && !isDuration(pollIntervalMs)))
    throw invalidAnswer('task_time')
  checkPayloads(task)
}

function checkPayloads(task: JsonObject): void {
  const questions = ownMember(task, 'inputRequests')
  if (questions !== undefined) checkInputRequests(questions)
  const error = ownMember(task, 'error')
  if (error !== undefined) {
    if (!isJsonObject(error) || !Number.isSafeInteger(ownMember(error, 'code')) || !isText(ownMember(error, 'message')))
      throw invalidAnswer('task_error')
  }
  const result = ownMember(task, 'result')
  if (result === undefined) return
  if (!isJsonObject(result)) throw invalidAnswer('task_result')
  if (hasToolResultLookalike(result)) throw invalidAnswer('lookalike_key')
  // It is what the call itself would have returned, and of a call that is over.
  const resultType = ownMember(result, 'resultType')
  if (resultType !== undefined && resultType !== 'complete') throw invalidAnswer('task_result')
  const meta = ownMember(result, '_meta')
  if (meta !== undefined && !isJsonObject(meta)) throw invalidAnswer('meta')
}

/** A task's members without what would not reach the caller of an answer either: its result and its error are one, a level down. */
export function cleanTask(members: string, task: JsonObject): string {
  const edits: Edit[] = []
  const result = ownMember(task, 'result')
  const meta = isJsonObject(result) ? ownMember(result, '_meta') : undefined
  if (isJsonObject(meta)) {
    const carried = carriedMeta(meta)
    if (Object.keys(carried).length < Object.keys(meta).length)
      edits.push({ path: ['result', '_meta'], value: `{${writeMembers(carried)}}` })
  }
  const error = ownMember(task, 'error')
  if (isJsonObject(error)) {
    const code = Number(ownMember(error, 'code'))
    if (callerErrorCode(code) !== code) edits.push({ path: ['error', 'code'], value: String(callerErrorCode(code)) })
    if (looksOurs(ownMember(error, 'data'))) edits.push({ path: ['error', 'data'], value: 'null' })
  }
  return edits.length === 0 ? members : spliceMembers(members, edits)
}

function isText(value: Json | undefined): boolean {
  return typeof value === 'string'
}

function isDuration(value: Json | undefined): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0
}
