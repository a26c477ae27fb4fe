/**
 * What does the message say?
 * Takes parsed JSON, header values and bytes; returns messages, checked parts of them, and text to send. Throws MCP_* towards callers, UPSTREAM_INVALID about upstreams.
 * Keeps nothing: every function here is pure, and MCP 2026-07-28 is its only authority.
 * Never decides who may do what, never does I/O, and never re-serializes what it can splice.
 */

export { cachingMembers } from './caching.ts'
export { parsePromptGet, parseToolCall } from './call.ts'
export { capabilitiesIn, commonCapabilities, NO_CAPABILITIES, parseCapabilities, TASKS_EXTENSION } from './client-capabilities.ts'
export { clientQuestion } from './client-question.ts'
export { type Completion, parseCompletion } from './completion.ts'
export { fitListing } from './earlier-shape.ts'
export { createLookalikeCheck } from './envelope-keys.ts'
export { isLegacy } from './era.ts'
export { RESOURCE_NOT_FOUND, rewriteErrorUri, supportedVersions } from './error-data.ts'
export { createEventParser, type EventParser, encodeEvent, KEEP_ALIVE } from './event-stream.ts'
export { decodeHeaderValue, encodeHeaderValue } from './header-value.ts'
export { type Hello, initializeMembers, parseInitialize } from './initialize.ts'
export { invalidAnswer } from './invalid-answer.ts'
export { type Handshake, parseHandshake } from './legacy-handshake.ts'
export {
  type LegacyAnswer,
  type LegacyMessage,
  type LegacyNotification,
  type LegacyResponse,
  type LegacyServerRequest,
  parseLegacyMessage,
  parseLegacyResponse,
} from './legacy-message.ts'
export {
  INITIALIZED,
  LEGACY_GET_HEADERS,
  LEGACY_POST_HEADERS,
  writeCancelled,
  writeInitialize,
  writeLegacyCall,
  writeLegacyError,
  writeLegacyList,
  writeLegacyResult,
  writeSetLevel,
  writeSubscribe,
} from './legacy-request.ts'
export { decodeCursor, encodeCursor, parseListParams } from './list.ts'
export type { ListenFilter, UpstreamNews } from './listen.ts'
export { parseListen } from './listen-request.ts'
export { isLogLevel, isLoud } from './log-level.ts'
export { mediaType } from './media-type.ts'
export {
  type Message,
  type NotificationMessage,
  notOne,
  parseMessage,
  type RequestMessage,
  requestIdOf,
} from './message.ts'
export { checkMeta, parseMeta } from './meta.ts'
export { carriedMeta, HIDDEN_CHARACTERS_KEY, LACKING_KEY, REFUSAL_KEY, REPLAY_KEY, SOURCE_KEY, TRUNCATED_KEY } from './meta-keys.ts'
export { checkMethod, type ServedMethod } from './methods.ts'
export { parseLegacyNews, parseNews } from './news.ts'
export { type NotificationScope, relayNotification } from './notification.ts'
export { capabilitiesObject, type HeaderPair } from './own-meta.ts'
export { ParamHeaderError, parseParamHeaders } from './param-definitions.ts'
export { checkParamHeaders, createParamHeaders } from './param-headers.ts'
export { parseResourceRead } from './resource-read.ts'
export { exposedUri, hasDotSegments, isUri, MAX_URI_LENGTH, uriPrefixOf } from './resource-uri.ts'
export { parseResponse, type UpstreamNotification } from './response.ts'
export type { AnswerTo } from './result-keys.ts'
export { readResult } from './result-text.ts'
export { type RewrittenUris, rewriteUris } from './result-uris.ts'
export { encodePrimer, isPrimed, RETRY, withEventId } from './resumable-event.ts'
export { parseInputResponses } from './resumption.ts'
export { isModern, LEGACY_VERSIONS, MODERN_VERSION, SERVED_VERSIONS, servedVersions } from './revision.ts'
export { withQuestions, withTaskId } from './sealed-text.ts'
export { sessionIdOf } from './session-headers.ts'
export { checkSessionMethod } from './session-methods.ts'
export { cancelledId, parseSetLevel, sessionMeta } from './session-request.ts'
export {
  writeSessionAnswer,
  writeSessionError,
  writeSessionResult,
  writeSessionToolRefusal,
} from './session-response.ts'
export { type Addressed, addressOf } from './shared-channel.ts'
export { type Edit, spliceAt, spliceMembers, withMetaAt } from './splice.ts'
export { checkStandardHeaders } from './standard-headers.ts'
export { argumentsOf, upstreamNameOf } from './target.ts'
export { parseTaskRequest } from './task-request.ts'
export {
  DISCOVER_HEADERS,
  LIST_MEMBERS,
  LISTEN_HEADERS,
  listHeaders,
  writeDiscoverRequest,
  writeListenRequest,
  writeListRequest,
} from './upstream-query.ts'
export { type CallRequest, callHeaders, writeCallRequest } from './upstream-request.ts'
export type { IsAllowedLink } from './uri-search.ts'
export { createTemplateMatcher, type TemplateMatcher, type Work } from './uri-template.ts'
export { templateVariables } from './uri-template-text.ts'
export {
  subscriptionMeta,
  writeAcknowledged,
  writeListChanged,
  writeResourceUpdated,
  writeSessionListChanged,
  writeSessionResourceUpdated,
  writeTaskNotice,
} from './write-notice.ts'
export { callerErrorCode, writeErrorResponse, writeResultResponse, writeToolRefusal, writeUpstreamError } from './write-response.ts'
