import { isJsonObject, type Json, type JsonDocument, type JsonObject } from '../core/json.ts'
import type { RequestId, UpstreamError, UpstreamResult } from '../core/model.ts'
import { cachingMembers } from './caching.ts'
import { hasRootLookalike } from './envelope-keys.ts'
import { invalidAnswer } from './invalid-answer.ts'
import { isRequestId } from './message.ts'
import { ownMember } from './own-member.ts'
import { parseError, type UpstreamNotification } from './response.ts'
import { type AnswerTo, RESULT_LOOKALIKES } from './result-keys.ts'
import { resultText, withMembers } from './result-text.ts'

/** What a server of a legacy revision asks its client (MCP 2025-11-25 basic §Requests). */
export interface LegacyServerRequest {
  readonly kind: 'request'
  readonly id: RequestId
  readonly method: string
  readonly params: JsonObject | undefined
}

/** The end of one of our requests; `parseLegacyResponse` reads it. */
export interface LegacyResponse {
  readonly kind: 'response'
  /** `undefined`: none that could be one of ours. */
  readonly id: RequestId | undefined
  readonly root: JsonObject
  readonly document: JsonDocument
}

export type LegacyNotification = UpstreamNotification

export type LegacyMessage = LegacyNotification | LegacyServerRequest | LegacyResponse

const NO_PARAMS: JsonObject = Object.freeze({})

/** What a message of a legacy server is. Throws UPSTREAM_INVALID for what is no single JSON-RPC message: batches are none that we asked for. */
export function parseLegacyMessage(document: JsonDocument): LegacyMessage {
  const root = document.value
  if (!isJsonObject(root)) throw invalidAnswer(Array.isArray(root) ? 'batch' : 'not_an_object')
  if (hasRootLookalike(root)) throw invalidAnswer('lookalike_key')
  if (ownMember(root, 'jsonrpc') !== '2.0') throw invalidAnswer('jsonrpc')
  const isAnswer = Object.hasOwn(root, 'result') || Object.hasOwn(root, 'error')
  const id = ownMember(root, 'id')
  if (!Object.hasOwn(root, 'method')) {
    if (!isAnswer) throw invalidAnswer('neither_result_nor_error')
    return { kind: 'response', id: isRequestId(id) ? id : undefined, root, document }
  }
  const method = ownMember(root, 'method')
  if (typeof method !== 'string' || isAnswer) throw invalidAnswer('method')
  const params = ownMember(root, 'params')
  if (params !== undefined && !isJsonObject(params)) throw invalidAnswer('params')
  if (id === undefined) return { kind: 'notification', method, params: params ?? NO_PARAMS, document }
  if (!isRequestId(id)) throw invalidAnswer('id')
  return { kind: 'request', id, method, params }
}

/** Members that mean something in a modern result only. A legacy server that writes them says nothing by it. */
const MODERN_ONLY = ['_meta', 'resultType', 'inputRequests', 'requestState', 'ttlMs', 'cacheScope']
const OMITTED: ReadonlySet<string> = new Set(MODERN_ONLY.map(member => `/result/${member}`))

/**
 * A legacy server's response, as a modern one would have given it: its results are complete, whatever they say of themselves, and of a
 * resource nobody said how long it may be kept. Throws UPSTREAM_INVALID.
 */
export function parseLegacyResponse({ id, root, document }: LegacyResponse, expectedId: RequestId, answerTo: AnswerTo): LegacyAnswer {
  const result: Json | undefined = ownMember(root, 'result')
  const error = ownMember(root, 'error')
  if ((result === undefined) === (error === undefined)) throw invalidAnswer('neither_result_nor_error')
  if (error !== undefined) return parseError(root, error, document, expectedId, answerTo)
  if (id !== expectedId) throw invalidAnswer('id')
  if (!isJsonObject(result)) throw invalidAnswer('result')
  if (RESULT_LOOKALIKES[answerTo](result)) throw invalidAnswer('lookalike_key')
  const text = resultText(document, result, OMITTED)
  return { kind: 'result', result, text: answerTo === 'resources/read' ? withMembers(text, cachingMembers(0)) : text }
}

export type LegacyAnswer = UpstreamResult | UpstreamError
