import { isJsonObject, type Json, type JsonDocument, type JsonObject } from '../core/json.ts'
import type { RequestId, ResultText, UpstreamAnswer, UpstreamError, UpstreamQuestions, UpstreamTask } from '../core/model.ts'
import { cachingMembers } from './caching.ts'
import { hasRootLookalike } from './envelope-keys.ts'
import { looksOurs, RESOURCE_NOT_FOUND, requiredCapabilities } from './error-data.ts'
import { checkInputRequests } from './input-requests.ts'
import { invalidAnswer } from './invalid-answer.ts'
import { ownMember } from './own-member.ts'
import { type AnswerTo, hasTaskLookalike, RESULT_LOOKALIKES } from './result-keys.ts'
import { resultText, withMembers } from './result-text.ts'
import { checkTask, cleanTask } from './task.ts'

/** A notification on an upstream's stream; `relayNotification` judges what it says. */
export interface UpstreamNotification {
  readonly kind: 'notification'
  readonly method: string
  readonly params: JsonObject
  readonly document: JsonDocument
}

/**
 * Codes by which a server says that it did not run the call: it could not read it, or knows no such method. Not -32602: a tool
 * may complain of its parameters half-way.
 */
const NOT_RUN: ReadonlySet<number> = new Set([-32700, -32600, -32601, -32020, -32021, -32022])

const MISSING_CAPABILITY = -32021
const INVALID_PARAMS = -32602

const NO_PARAMS: JsonObject = Object.freeze({})

/** MCP 2026-07-28 mrtr §Supported Requests. */
const MAY_ASK: ReadonlySet<AnswerTo> = new Set(['tools/call', 'prompts/get', 'resources/read'])

const MAX_TTL_MS = 3_600_000

const PLAIN = pointers('_meta', 'resultType')
const CACHED = pointers('_meta', 'resultType', 'ttlMs', 'cacheScope')
/** Questions are not cacheable and carry no hints (server/utilities/caching §Cacheable Results). */
const ASKED = pointers('_meta', 'resultType', 'ttlMs', 'cacheScope', 'inputRequests', 'requestState')

function pointers(...members: string[]): ReadonlySet<string> {
  return new Set(members.map(member => `/result/${member}`))
}

/**
 * What an upstream's message is: the final response to our request, or a notification that came before it. Throws
 * UPSTREAM_INVALID for everything else: a request of its own, which modern servers may not send (streamable-http §Receiving
 * Messages), another id, a type of result that this request cannot have, a shape that is no JSON-RPC message.
 * `isRetry`: the request brought answers to questions, so that nobody may keep what it returns.
 */
export function parseResponse(
  document: JsonDocument,
  expectedId: RequestId,
  answerTo: AnswerTo,
  isRetry = false,
): UpstreamAnswer | UpstreamNotification {
  const root = document.value
  if (!isJsonObject(root)) throw invalidAnswer(Array.isArray(root) ? 'batch' : 'not_an_object')
  if (hasRootLookalike(root)) throw invalidAnswer('lookalike_key')
  if (ownMember(root, 'jsonrpc') !== '2.0') throw invalidAnswer('jsonrpc')
  const result = ownMember(root, 'result')
  const error = ownMember(root, 'error')
  if (Object.hasOwn(root, 'method')) return parseNotification(root, document)
  if ((result === undefined) === (error === undefined)) throw invalidAnswer('neither_result_nor_error')
  if (error !== undefined) return parseError(root, error, document, expectedId, answerTo)
  if (ownMember(root, 'id') !== expectedId) throw invalidAnswer('id')
  if (!isJsonObject(result)) throw invalidAnswer('result')
  if (RESULT_LOOKALIKES[answerTo](result)) throw invalidAnswer('lookalike_key')
  return parseResult(document, result, answerTo, isRetry)
}

function parseResult(document: JsonDocument, result: JsonObject, answerTo: AnswerTo, isRetry: boolean): UpstreamAnswer {
  const resultType = ownMember(result, 'resultType')
  switch (resultType) {
    // An absent one is `complete` (basic §ResultType).
    case undefined:
    case 'complete':
      return { kind: 'result', result, text: completeText(document, result, answerTo, isRetry) }
    case 'input_required':
      if (!MAY_ASK.has(answerTo)) throw invalidAnswer(resultType)
      return parseQuestions(document, result)
    case 'task':
      if (answerTo === 'tools/call') return parseCreatedTask(document, result)
      // The examples of SEP-2663 §Error Handling give the type of a new task to one that is told of; the caller reads `complete`.
      if (answerTo === 'tasks/get') return { kind: 'result', result, text: completeText(document, result, answerTo, isRetry) }
      throw invalidAnswer('result_type')
    default:
      throw invalidAnswer('result_type')
  }
}

function completeText(document: JsonDocument, result: JsonObject, answerTo: AnswerTo, isRetry: boolean): ResultText {
  switch (answerTo) {
    case 'resources/read': {
      const ttlMs = isRetry ? 0 : freshMs(ownMember(result, 'ttlMs'))
      // What one caller may read another may not, whatever the upstream thinks of its own readers.
      return withMembers(resultText(document, result, CACHED), cachingMembers(ttlMs))
    }
    case 'tasks/get':
      checkTask(result, true)
      return taskText(document, result)
    default:
      return resultText(document, result, PLAIN)
  }
}

function freshMs(ttlMs: Json | undefined): number {
  return typeof ttlMs === 'number' && Number.isSafeInteger(ttlMs) && ttlMs > 0 ? Math.min(ttlMs, MAX_TTL_MS) : 0
}

function parseQuestions(document: JsonDocument, result: JsonObject): UpstreamQuestions {
  const asked = ownMember(result, 'inputRequests')
  const requestState = ownMember(result, 'requestState')
  // MCP 2026-07-28 mrtr §Server Requirements: there is at least one of the two.
  if (asked === undefined && requestState === undefined) throw invalidAnswer('input_requests')
  if (requestState !== undefined && typeof requestState !== 'string') throw invalidAnswer('request_state')
  const inputRequests = asked === undefined ? NO_PARAMS : checkInputRequests(asked)
  return { kind: 'input_required', inputRequests, requestState, text: resultText(document, result, ASKED) }
}

function parseCreatedTask(document: JsonDocument, task: JsonObject): UpstreamTask {
  if (hasTaskLookalike(task)) throw invalidAnswer('lookalike_key')
  checkTask(task, false)
  return { kind: 'task', task, text: taskText(document, task) }
}

function taskText(document: JsonDocument, task: JsonObject): ResultText {
  const { members, meta } = resultText(document, task, PLAIN)
  return { members: cleanTask(members, task), meta }
}

/** The error of a response, whose root object this is. */
export function parseError(
  root: JsonObject,
  error: unknown,
  { text, spans }: JsonDocument,
  expectedId: RequestId,
  answerTo: AnswerTo,
): UpstreamError {
  if (!isJsonObject(error)) throw invalidAnswer('error')
  const code = ownMember(error, 'code')
  const message = ownMember(error, 'message')
  if (typeof code !== 'number' || !Number.isSafeInteger(code) || typeof message !== 'string') throw invalidAnswer('error')
  // Without an id the upstream could not read our request, says the specification; the code is all there is to learn from it.
  if (ownMember(root, 'id') !== expectedId) throw invalidAnswer('id', { rpc: code })
  const span = spans.get('/error/data')
  const data = ownMember(error, 'data')
  const parsed: UpstreamError = {
    kind: 'error',
    code: code === RESOURCE_NOT_FOUND && answerTo === 'resources/read' ? INVALID_PARAMS : code,
    message,
    dataText: looksOurs(data) || span === undefined ? undefined : text.slice(span[0], span[1]),
    ran: !NOT_RUN.has(code),
  }
  const required = code === MISSING_CAPABILITY ? requiredCapabilities(data) : undefined
  return required === undefined ? parsed : { ...parsed, requiredCapabilities: required }
}

function parseNotification(root: JsonObject, document: JsonDocument): UpstreamNotification {
  const method = ownMember(root, 'method')
  if (Object.hasOwn(root, 'id')) throw invalidAnswer('server_request')
  if (typeof method !== 'string' || Object.hasOwn(root, 'result') || Object.hasOwn(root, 'error')) throw invalidAnswer('method')
  const params = ownMember(root, 'params') ?? NO_PARAMS
  if (!isJsonObject(params)) throw invalidAnswer('params')
  return { kind: 'notification', method, params, document }
}
