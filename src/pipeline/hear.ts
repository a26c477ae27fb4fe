import { Refusal } from '../core/errors.ts'
import { isPrimed } from '../mcp/index.ts'
import type { ResumedCall } from '../sessions/index.ts'
import { checkAdmitted } from './enter.ts'
import { enterSession, type InSession } from './enter-session.ts'
import type { Exchange } from './exchange.ts'

/**
 * GET (MCP 2025-11-25 basic/transports §Listening for Messages from the Server): the session's own stream, until its client leaves, its token
 * or session ends or it opens another; or the rest of a stream behind an event (§Resumability and Redelivery). Where there is no rest, no
 * stream is opened. True when there may be more of it for who comes back.
 */
export async function hear(exchange: Exchange, lastEventId: string | undefined): Promise<boolean> {
  const here = await enterSession(checkAdmitted(exchange))
  const { rooms, principal, session, caller } = here
  if (!caller.canStream) throw new Refusal('HTTP_NOT_ACCEPTABLE', { notProcessed: true })
  rooms.limits.admitRequest(principal, 'session/hear')
  const resumed = lastEventId === undefined ? undefined : rooms.sessions.resume(session, lastEventId)
  if (lastEventId !== undefined && resumed === undefined) throw new Refusal('SESSION_EVENT_UNKNOWN')
  // It goes on when the revision it began under is replaced, and must not keep that one's connections open.
  exchange.outlive()
  if (resumed?.kind === 'call') return resume(here, resumed)
  await listen(here, resumed?.seen)
  return true
}

/** What may be heard is judged again whenever something is said, as for a modern subscriber. */
async function listen({ rooms, endpoint, principal, session, caller }: InSession, seen: string | undefined): Promise<void> {
  const { sessions, subscriptions } = rooms
  const tell = (message: string | undefined, now: string): Promise<void> | void => {
    if (message !== undefined || isPrimed(session.protocolVersion)) return caller.tell(message, sessions.newsId(session, now))
    return caller.open()
  }
  const untilMs = Math.min(principal.expiresAtMs, session.expiresAtMs)
  let end = (): void => {}
  const watch = (run: (uris: readonly string[] | undefined) => void): (() => void) => {
    end = () => run(undefined)
    return sessions.watch(session, now => run(now?.uris))
  }
  // A second stream of the same session takes the place of the first: that one is, as a rule, a connection that its client knows to be broken.
  const letGo = sessions.takeStream(session, () => end())
  try {
    const { protocolVersion, uris } = session
    await subscriptions.holdSession({ endpoint, principal, caller, protocolVersion, uris, seen, untilMs, tell, watch })
  } finally {
    letGo()
  }
}

/** The rest of an answer that was made with other rights than these is not theirs to hear. */
async function resume(here: InSession, resumed: ResumedCall): Promise<boolean> {
  const { rooms, principal, session, caller } = here
  const untilMs = Math.min(principal.expiresAtMs, session.expiresAtMs)
  // To look costs as much as to hear: nobody does either more often at once than they may have streams open.
  const ending = await rooms.subscriptions.accompany({ principal, caller, untilMs }, async signal => {
    const found = await resumed.look()
    const missing = found?.scopes.some(scope => !principal.scopes.has(scope))
    if (found !== undefined && missing) throw new Refusal('AUTH_SCOPE_INSUFFICIENT', { scopes: found.scopes })
    if (found?.isOver) return 'over'
    const leaving = new AbortController()
    const unwatch = rooms.sessions.watch(session, now => now === undefined && leaving.abort())
    caller.open()
    // From here on an error is an event, and means something to its client only under this id.
    here.requestId = resumed.requestId
    try {
      if (found === undefined) return 'lost'
      return await resumed.follow((eventId, message) => caller.tell(message, eventId), AbortSignal.any([signal, leaving.signal]))
    } finally {
      unwatch()
    }
  })
  // A stream that ends without a final response leaves its client waiting: it is told, under the id of its request.
  if (ending === 'lost') throw new Refusal('SESSION_STREAM_LOST', { effect: 'unknown' })
  return ending === 'left'
}
