import type { PostError } from './post.ts'

/**
 * A way to one legacy server: Streamable HTTP with a session, HTTP+SSE, or a process's pipes. Carries whole JSON-RPC messages and knows nothing
 * of what they say; legacy/conversation.ts does. It never reconnects what is down, and never sends a request twice.
 */
export interface Line {
  /** All messages of the server share one channel, so that none says by its way whose it is. */
  readonly isShared: boolean
  /** Whether the server keeps something for us under a name that it can forget (`Mcp-Session-Id`), or by being a process. */
  readonly hasSession: boolean
  /** Sends a request. What comes back goes to `LineEvents`; exactly one of `onEnd`, `onFailure`, `onSessionLost` ends it, unless it is stopped. */
  send(request: LineRequest): LineExchange
  /** Sends a notification, or a response to a request of the server's. Rejects with a PostError or a Refusal where it was not taken. */
  tell(text: string): Promise<void>
  /** The handshake is over, on this revision: over HTTP every request says so from now on. */
  agree(protocolVersion: string): void
  /** Opens the channel for what belongs to no request, where there is one of its own (the GET stream); `onChannel` says what became of it. */
  listen(): void
  /** Says goodbye where the transport can (DELETE; closing stdin), then lets go. Never rejects. */
  close(): Promise<void>
}

/** A request that was sent, until its end. */
export interface LineExchange {
  /** False while none of it can have left. */
  readonly isSent: boolean
  /** On a shared line: something came that belongs to it. From then on silence counts, and one hour in all, as on an event stream. */
  heard(): void
  /** While held neither silence nor the time until the answer counts: a person is thinking. */
  hold(isHeld: boolean): void
  /** Nobody waits for it any more: stops listening for it, and lets go of what it holds. */
  stop(): void
}

export interface LineRequest {
  readonly id: number
  readonly text: string
  /** Further headers, flat; a pipe has none. */
  readonly headers: readonly string[]
  /** Until the whole answer is there; where it is an event stream, or `heard`, until that. */
  readonly timeoutMs: number
}

export interface LineEvents {
  /**
   * One message, as text. `of`: the request on whose own stream it came; `undefined` where all messages share one channel. False, for a message
   * with an `of`: that was the answer, nothing more is expected there. A promise holds the server back until it settles. Anything thrown or
   * rejected ends that request as its failure, or takes the line down where it belongs to none.
   */
  onMessage(data: string | Buffer, of: number | undefined): Promise<boolean> | boolean
  /** Nothing more comes for this request on its own stream. A response should have come; `status` is HTTP's. Never on a shared line. */
  onEnd(of: number, status: number): void
  /** This one request failed (not sent, refused, cut, too late); the line goes on. */
  onFailure(of: number, error: PostError | Error): void
  /** The line is down, for good; whatever was under way on it has been told before. */
  onDown(error: PostError | Error): void
  /** The server does not know our session any more (404). `of`: the request that it said so to, which was not run; `undefined`: it was none. */
  onSessionLost(of: number | undefined): void
  /**
   * `open`: what belongs to no request is heard from now on. `lost`: not for a while, it is opened again. `none`: there is no such channel.
   * A shared line says `open` when it is asked to listen.
   */
  onChannel(state: 'open' | 'lost' | 'none'): void
}
