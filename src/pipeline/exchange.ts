import type { Trace } from '../audit/index.ts'
import type { EndpointConfig } from '../core/configuration.ts'
import type { CallerStream, CallHeaders, Principal, RequestId, Settled } from '../core/model.ts'
import { REPLAY_KEY } from '../mcp/index.ts'
import type { Session, StreamLog } from '../sessions/index.ts'
import type { Rooms } from './rooms.ts'

/** In a session, a caller that disconnects has not cancelled (MCP 2025-11-25 basic/transports §Sending Messages), and its stream can be resumed. */
export interface Caller extends CallerStream {
  /** From here on what its stream says is kept, once there is one. `owner`: whose share it takes of what goes on without a client. */
  keep(owner: string, openLog: () => StreamLog): void
  /** `isAwaited`: it wants an answer, and whoever comes back must find it, whatever else was said. */
  notify(message: string, isAwaited?: boolean): Promise<void> | void
  /** Its client said that it does not want the answer any more. */
  cancel(): void
  /** One message of a stream that is no answer to this request, under its event id; `undefined`: the id alone. Resolves like `notify`. */
  tell(message: string | undefined, eventId: string): Promise<void> | void
}

/** One HTTP request at an endpoint, from the doorstep to its record. */
export interface Exchange {
  readonly rooms: Rooms
  readonly endpoint: EndpointConfig
  readonly headers: CallHeaders
  readonly authorization: string | undefined
  /** The peer's address, as the socket says it. */
  readonly address: string
  readonly trace: Trace
  readonly caller: Caller
  principal: Principal | undefined
  /** Known once the body could be read; errors are answered under it. */
  requestId: RequestId | undefined
  /** Likewise; the form of a refusal depends on it. */
  method: string | undefined
  /** Of a legacy caller, once its message says so; refusals to it have the form of its revision. */
  era: 'modern' | 'legacy'
  /** Of a legacy caller, but for its `initialize`. */
  session: Session | undefined
  /** Says that this request goes on after the revision it entered under. */
  outlive(): void
}

/** What goes back when no event stream was opened. */
export interface Reply {
  readonly status: number
  readonly body: string
  /** Of the answer, beside its media type: `Mcp-Session-Id`. */
  readonly headers?: Readonly<Record<string, string>>
}

/** To a message that has no answer. */
export const ACCEPTED: Reply = { status: 202, body: '' }

/** What a result says of itself in its `_meta`, where an earlier request had it. */
export function replayMeta({ replayed }: Settled): string {
  return replayed ? `"${REPLAY_KEY}":true` : ''
}
