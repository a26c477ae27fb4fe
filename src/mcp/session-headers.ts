import { Refusal } from '../core/errors.ts'
import type { CallHeaders } from '../core/model.ts'
import { SESSION_VERSIONS } from './revision.ts'
import { singleValue } from './standard-headers.ts'
import { versionUnsupported } from './version-unsupported.ts'

export const SESSION_HEADER = 'mcp-session-id'
export const VERSION_HEADER = 'mcp-protocol-version'

/**
 * The id of the session that a request names (MCP 2025-11-25 basic/transports §Session Management), whose MCP-Protocol-Version may be absent,
 * as it was before 2025-06-18, but is one that is spoken here (§Protocol Version Header). What the session negotiated goes for its answers,
 * whatever the header says. Throws SESSION_REQUIRED, MCP_VERSION_UNSUPPORTED, MCP_HEADER_MISMATCH.
 */
export function sessionIdOf(headers: CallHeaders): string {
  const version = singleValue(headers, VERSION_HEADER)
  if (version !== undefined && !SESSION_VERSIONS.includes(version)) throw versionUnsupported(version)
  const id = singleValue(headers, SESSION_HEADER)
  if (id === undefined) throw new Refusal('SESSION_REQUIRED')
  return id
}
