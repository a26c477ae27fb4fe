import { isJsonObject, type JsonObject } from '../core/json.ts'
import type { LogLevel, RequestId, RequestMeta } from '../core/model.ts'
import type { Hello } from './initialize.ts'
import { isLogLevel } from './log-level.ts'
import { isRequestId, type NotificationMessage, type RequestMessage } from './message.ts'
import { readMeta } from './meta.ts'
import { ownMember } from './own-member.ts'
import { paramsInvalid } from './params-invalid.ts'

const NO_META: JsonObject = Object.freeze({})

/**
 * What a request in a session says of itself: in `params._meta`, and before it in `initialize` and `logging/setLevel`. Throws
 * MCP_PARAMS_INVALID.
 */
export function sessionMeta({ params }: RequestMessage, hello: Hello, logLevel: LogLevel | undefined): RequestMeta {
  const meta = ownMember(params, '_meta') ?? NO_META
  if (!isJsonObject(meta)) throw paramsInvalid('meta')
  return readMeta(meta, hello.protocolVersion, hello.capabilities, logLevel)
}

/** A `logging/setLevel` (MCP 2025-11-25 server/utilities/logging); throws MCP_PARAMS_INVALID. */
export function parseSetLevel({ params }: RequestMessage): LogLevel {
  const level = ownMember(params, 'level')
  if (!isLogLevel(level)) throw paramsInvalid('level')
  return level
}

/** The request that a `notifications/cancelled` is about; `undefined` where it names none (MCP 2025-11-25 basic/utilities/cancellation). */
export function cancelledId({ params }: NotificationMessage): RequestId | undefined {
  const id = ownMember(params, 'requestId')
  return isRequestId(id) ? id : undefined
}
