import { ExactNumber, isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import type { LogLevel, RequestId } from '../core/model.ts'
import { invalidAnswer } from './invalid-answer.ts'
import { isLogLevel, isLoud } from './log-level.ts'
import { carriedMeta, writeMembers } from './meta-keys.ts'
import { ownMember } from './own-member.ts'
import type { UpstreamNotification } from './response.ts'
import { writeId } from './write-response.ts'

/** What the request on whose stream a notification came has asked for. */
export interface NotificationScope {
  /** The token we gave the upstream; `undefined` when the caller did not ask for progress. */
  readonly upstreamToken: RequestId | undefined
  readonly callerToken: RequestId | undefined
  readonly logLevel: LogLevel | undefined
}

/**
 * The notification as the caller may receive it, as JSON text; `undefined` for log messages nobody asked for, which are dropped.
 * Throws UPSTREAM_INVALID for what does not belong to this request (MCP 2026-07-28 streamable-http §Receiving Messages): another
 * progress token, a change notification, anything unknown. Only the members the specification defines travel, as they were written.
 */
export function relayNotification(notification: UpstreamNotification, scope: NotificationScope): string | undefined {
  switch (notification.method) {
    case 'notifications/progress':
      return relayProgress(notification, scope)
    case 'notifications/message':
      return relayMessage(notification, scope.logLevel)
    default:
      throw invalidAnswer('notification')
  }
}

function relayProgress(notification: UpstreamNotification, { upstreamToken, callerToken }: NotificationScope): string {
  const { params } = notification
  if (upstreamToken === undefined || callerToken === undefined || ownMember(params, 'progressToken') !== upstreamToken) {
    throw invalidAnswer('progress_token')
  }
  const total = ownMember(params, 'total')
  const message = ownMember(params, 'message')
  if (!isNumber(ownMember(params, 'progress')) || (total !== undefined && !isNumber(total))) throw invalidAnswer('progress')
  if (message !== undefined && typeof message !== 'string') throw invalidAnswer('progress')
  const members = copyMembers(notification, ['progress', 'total', 'message'])
  return `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${writeId(callerToken)}${members}${metaMember(params)}}}`
}

function relayMessage(notification: UpstreamNotification, wanted: LogLevel | undefined): string | undefined {
  const { params } = notification
  const level = ownMember(params, 'level')
  const logger = ownMember(params, 'logger')
  if (!isLogLevel(level) || !Object.hasOwn(params, 'data')) throw invalidAnswer('message')
  if (logger !== undefined && typeof logger !== 'string') throw invalidAnswer('message')
  // An upstream that logs unasked breaks a rule (logging §Per-request log level), but ending the call for it would leave its effect unknown.
  if (wanted === undefined || !isLoud(level, wanted)) return undefined
  const members = copyMembers(notification, ['logger', 'data'])
  return `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"${level}"${members}${metaMember(params)}}}`
}

function isNumber(value: Json | undefined): boolean {
  return typeof value === 'number' || value instanceof ExactNumber
}

function copyMembers({ document: { text, spans } }: UpstreamNotification, keys: readonly string[]): string {
  let members = ''
  for (const key of keys) {
    const span = spans.get(`/params/${key}`)
    if (span !== undefined) members += `,"${key}":${text.slice(span[0], span[1])}`
  }
  return members
}

function metaMember(params: JsonObject): string {
  const meta = ownMember(params, '_meta')
  const carried = isJsonObject(meta) ? writeMembers(carriedMeta(meta)) : ''
  return carried === '' ? '' : `,"_meta":{${carried}}`
}
