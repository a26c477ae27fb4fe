import { isJsonObject } from '../core/json.ts'
import type { CallHeaders } from '../core/model.ts'
import type { Message } from './message.ts'
import { PROTOCOL_VERSION_KEY } from './meta-keys.ts'
import { ownMember } from './own-member.ts'
import { isModern, LEGACY_VERSIONS } from './revision.ts'
import { SESSION_HEADER, VERSION_HEADER } from './session-headers.ts'

/**
 * Whether a message is of a conversation that begins with `initialize` (MCP 2026-07-28 basic/versioning §Backward Compatibility). Whoever
 * says anything modern is modern, whatever else is sent with it; whoever says nothing at all is told what is served here.
 */
export function isLegacy(message: Message, headers: CallHeaders): boolean {
  const meta = message.kind === 'response' ? undefined : ownMember(message.params, '_meta')
  if (isJsonObject(meta) && Object.hasOwn(meta, PROTOCOL_VERSION_KEY)) return false
  const version = headers.get(VERSION_HEADER)?.[0]
  if (version !== undefined && isModern(version)) return false
  if (message.kind === 'request' && message.method === 'initialize') return true
  return headers.has(SESSION_HEADER) || (version !== undefined && LEGACY_VERSIONS.has(version))
}
