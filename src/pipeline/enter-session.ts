import { sessionIdOf } from '../mcp/index.ts'
import type { Session } from '../sessions/index.ts'
import type { Admitted } from './enter.ts'

/** A request of a legacy caller whose session is known. */
export type InSession = Admitted & { readonly session: Session }

/**
 * Which session is this? It says what was agreed on, and nothing of what may be done: the token of this very request has been judged, and
 * is what the request is judged by. Throws SESSION_REQUIRED, SESSION_UNKNOWN, MCP_VERSION_UNSUPPORTED, MCP_HEADER_MISMATCH.
 */
export async function enterSession(admitted: Admitted): Promise<InSession> {
  const { rooms, endpoint, principal, headers, trace } = admitted
  admitted.era = 'legacy'
  const id = sessionIdOf(headers)
  const session = await trace.step('sessions', () => rooms.sessions.enter(endpoint, principal, id))
  admitted.session = session
  return admitted as InSession
}
