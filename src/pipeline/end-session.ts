import { checkAdmitted } from './enter.ts'
import { enterSession } from './enter-session.ts'
import type { Exchange } from './exchange.ts'

/** DELETE (MCP 2025-11-25 basic/transports §Session Management): its client needs the session no more, on any process. Throws STORE_UNAVAILABLE. */
export async function endSession(exchange: Exchange): Promise<void> {
  const { rooms, principal, session } = await enterSession(checkAdmitted(exchange))
  rooms.limits.admitRequest(principal, 'session/end')
  await rooms.sessions.end(session)
}
