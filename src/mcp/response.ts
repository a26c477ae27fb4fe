import { ERRORS, Refusal } from '../core/errors.ts'
import { isJsonObject, type Json, type JsonDocument, type JsonObject } from '../core/json.ts'
import type { RequestId, UpstreamError, UpstreamResult } from '../core/model.ts'
import { createLookalikeCheck, hasRootLookalike } from './envelope-keys.ts'
import { ownMember } from './own-member.ts'
import { resultText } from './result-text.ts'

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
/** Members of this gateway's own `error.data`: an upstream's that has one, or a code of ours, could pass for our word on the call. */
const OURS = ['notProcessed', 'effect', 'errorId']

const NO_PARAMS: JsonObject = Object.freeze({})

const hasResultLookalike = createLookalikeCheck([
  '_meta',
  'resultType',
  'content',
  'structuredContent',
  'isError',
  'tools',
  'nextCursor',
  'ttlMs',
  'cacheScope',
])

/**
 * What an upstream's message is: the final response to our request, or a notification that came before it. Throws
 * UPSTREAM_INVALID for everything else: a request of its own, which modern servers may not send (streamable-http §Receiving
 * Messages), another id, a result that is not `complete`, a shape that is no JSON-RPC message.
 */
export function parseResponse(document: JsonDocument, expectedId: RequestId): UpstreamResult | UpstreamError | UpstreamNotification {
  const root = document.value
  if (!isJsonObject(root)) throw invalidAnswer(Array.isArray(root) ? 'batch' : 'not_an_object')
  if (hasRootLookalike(root)) throw invalidAnswer('lookalike_key')
  if (ownMember(root, 'jsonrpc') !== '2.0') throw invalidAnswer('jsonrpc')
  const result = ownMember(root, 'result')
  const error = ownMember(root, 'error')
  if (Object.hasOwn(root, 'method')) return parseNotification(root, document)
  if ((result === undefined) === (error === undefined)) throw invalidAnswer('neither_result_nor_error')
  if (error !== undefined) return parseError(root, error, document, expectedId)
  if (ownMember(root, 'id') !== expectedId) throw invalidAnswer('id')
  if (!isJsonObject(result)) throw invalidAnswer('result')
  if (hasResultLookalike(result)) throw invalidAnswer('lookalike_key')
  const resultType = ownMember(result, 'resultType')
  // An absent one is `complete` (basic §ResultType). Questions to the caller are not relayed, so they are no answer here.
  if (resultType !== undefined && resultType !== 'complete')
    throw invalidAnswer(resultType === 'input_required' ? resultType : 'result_type')
  return { kind: 'result', result, text: resultText(document, result) }
}

function parseError(root: JsonObject, error: unknown, { text, spans }: JsonDocument, expectedId: RequestId): UpstreamError {
  if (!isJsonObject(error)) throw invalidAnswer('error')
  const code = ownMember(error, 'code')
  const message = ownMember(error, 'message')
  if (typeof code !== 'number' || !Number.isSafeInteger(code) || typeof message !== 'string') throw invalidAnswer('error')
  // Without an id the upstream could not read our request, says the specification; the code is all there is to learn from it.
  if (ownMember(root, 'id') !== expectedId) throw invalidAnswer('id', { rpc: code })
  const span = spans.get('/error/data')
  const data = ownMember(error, 'data')
  return {
    kind: 'error',
    code,
    message,
    dataText: looksOurs(data) || span === undefined ? undefined : text.slice(span[0], span[1]),
    ran: !NOT_RUN.has(code),
  }
}

function looksOurs(data: Json | undefined): boolean {
  if (data === undefined || !isJsonObject(data)) return false
  return OURS.some(name => Object.hasOwn(data, name)) || Object.hasOwn(ERRORS, String(ownMember(data, 'code')))
}

function parseNotification(root: JsonObject, document: JsonDocument): UpstreamNotification {
  const method = ownMember(root, 'method')
  if (Object.hasOwn(root, 'id')) throw invalidAnswer('server_request')
  if (typeof method !== 'string' || Object.hasOwn(root, 'result') || Object.hasOwn(root, 'error')) throw invalidAnswer('method')
  const params = ownMember(root, 'params') ?? NO_PARAMS
  if (!isJsonObject(params)) throw invalidAnswer('params')
  return { kind: 'notification', method, params, document }
}

/** The refusal for an upstream that breaks the protocol; `reason` is one of our own words, never the upstream's. */
export function invalidAnswer(reason: string, detail: Readonly<Record<string, number>> = {}): Refusal {
  return new Refusal('UPSTREAM_INVALID', {}, { reason, ...detail })
}
