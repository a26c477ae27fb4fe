import { Refusal } from '../core/errors.ts'
import { isJsonObject, type Json, type JsonDocument, type JsonObject } from '../core/json.ts'
import type { RequestId } from '../core/model.ts'
import { createLookalikeCheck, hasRootLookalike } from './envelope-keys.ts'
import { META_KEYS } from './meta-keys.ts'
import { ownMember } from './own-member.ts'

export interface RequestMessage {
  readonly kind: 'request'
  readonly id: RequestId
  readonly method: string
  /** `{}` when the message has none. */
  readonly params: JsonObject
  readonly document: JsonDocument
}
export interface NotificationMessage {
  readonly kind: 'notification'
  readonly method: string
  readonly params: JsonObject
  readonly document: JsonDocument
}
/** Of a client to a question of its server; only in sessions. */
export interface ResponseMessage {
  readonly kind: 'response'
  readonly id: RequestId
  readonly response:
    | { readonly kind: 'result'; readonly result: JsonObject }
    | { readonly kind: 'error'; readonly code: number; readonly message: string }
}
export type Message = RequestMessage | NotificationMessage | ResponseMessage

const MAX_ID_LENGTH = 256
const MAX_METHOD_LENGTH = 128
const NO_PARAMS: JsonObject = Object.freeze({})

/** Members of the `params` of any method that is served. */
const hasParamsLookalike = createLookalikeCheck([
  '_meta',
  'name',
  'arguments',
  'uri',
  'cursor',
  'inputResponses',
  'requestState',
  'ref',
  'argument',
  'context',
  'notifications',
  'taskId',
  'protocolVersion',
  'capabilities',
  'clientInfo',
  'level',
  'requestId',
])
const hasMetaLookalike = createLookalikeCheck(META_KEYS)

/**
 * One JSON-RPC message (MCP 2026-07-28 basic §Messages, streamable-http §Sending Messages). Batches, scalars and bad envelopes throw
 * MCP_INVALID_REQUEST, which is answered without an id (JSON-RPC 2.0 §5).
 * Root members JSON-RPC does not define are ignored; nothing of the envelope is ever forwarded.
 */
export function parseMessage(document: JsonDocument): Message {
  const root = document.value
  if (!isJsonObject(root)) throw invalid(Array.isArray(root) ? 'batch' : 'not_an_object')
  if (hasRootLookalike(root)) throw invalid('lookalike_key')
  if (ownMember(root, 'jsonrpc') !== '2.0') throw invalid('jsonrpc')
  if (Object.hasOwn(root, 'result') || Object.hasOwn(root, 'error')) return parseClientResponse(root)
  const method = ownMember(root, 'method')
  if (typeof method !== 'string' || method.length > MAX_METHOD_LENGTH) throw invalid('method')
  const params = paramsOf(root)
  const id = ownMember(root, 'id')
  if (id === undefined) return { kind: 'notification', method, params, document }
  if (!isRequestId(id)) throw invalid('id')
  return { kind: 'request', id, method, params, document }
}

function parseClientResponse(root: JsonObject): ResponseMessage {
  const id = ownMember(root, 'id')
  const result = ownMember(root, 'result')
  const error = ownMember(root, 'error')
  if (!isRequestId(id) || Object.hasOwn(root, 'method') || (result === undefined) === (error === undefined)) throw notOne()
  if (result !== undefined) {
    if (!isJsonObject(result)) throw notOne()
    return { kind: 'response', id, response: { kind: 'result', result } }
  }
  const code = isJsonObject(error) ? ownMember(error, 'code') : undefined
  const message = isJsonObject(error) ? ownMember(error, 'message') : undefined
  if (typeof code !== 'number' || typeof message !== 'string') throw notOne()
  return { kind: 'response', id, response: { kind: 'error', code, message } }
}

/** A response where none was asked for. */
export function notOne(): Refusal {
  return invalid('response')
}

function paramsOf(root: JsonObject): JsonObject {
  const params = ownMember(root, 'params')
  if (params === undefined) return NO_PARAMS
  if (!isJsonObject(params)) throw invalid('params')
  if (hasParamsLookalike(params)) throw invalid('lookalike_key')
  const meta = ownMember(params, '_meta')
  if (isJsonObject(meta) && hasMetaLookalike(meta)) throw invalid('lookalike_key')
  return params
}

/** A string of at most 256 UTF-16 units, or an integer that every JSON reader holds exactly. */
export function isRequestId(value: Json | undefined): value is RequestId {
  return typeof value === 'string' ? value.length <= MAX_ID_LENGTH : Number.isSafeInteger(value)
}

/** The id to answer under, also when `parseMessage` refuses: the message's own, if it is one and the message asks for an answer. */
export function requestIdOf(document: JsonDocument): RequestId | undefined {
  const root = document.value
  if (!isJsonObject(root) || !Object.hasOwn(root, 'method')) return undefined
  const id = ownMember(root, 'id')
  return isRequestId(id) ? id : undefined
}

function invalid(reason: string): Refusal {
  return new Refusal('MCP_INVALID_REQUEST', {}, { reason })
}
