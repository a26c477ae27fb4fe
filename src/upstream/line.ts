import type { PostError } from './post.ts'

/**
 * A way to one legacy server: Streamable HTTP with a session, HTTP+SSE, or a process's pipes. Carries whole JSON-RPC messages and knows nothing
 * of what they say; conversation.ts does.
 */
export interface Line {
  /**
   * Sends a request. What comes back goes to `LineEvents`; where the line is a pipe, without word of which request it is for. The returned
   * function stops listening for it, and lets go of what it holds.
   */
  send(request: LineRequest): () => void
  /** Sends a notification, or a response to a request of the server's. Rejects with a PostError where it was not taken. */
  tell(text: string): Promise<void>
  /** Opens the channel for what belongs to no request, where there is one of its own (the GET stream). A pipe has none. */
  listen(): void
  /** Says goodbye where the transport can (DELETE; closing stdin), then lets go. */
  close(): Promise<void>
}

export interface LineRequest {
  readonly id: number
  readonly text: string
  /** Further headers, flat; a pipe has none. */
  readonly headers: readonly string[]
  readonly timeoutMs: number
}

export interface LineEvents {
  /**
   * One message. `of`: the request on whose own stream it came; `undefined` where all messages share one channel. A promise holds the server
   * back until it settles. Anything thrown ends that request, or the line where it belongs to none.
   */
  onMessage(data: string, of: number | undefined): Promise<void> | void
  /** Nothing more comes for this request on its own stream. A response should have come; `status` is HTTP's. */
  onEnd(of: number, status: number): void
  /** This request failed alone: not sent, refused, cut. */
  onFailure(of: number, error: PostError | Error): void
  /** The line is down, with everything that was under way on it. */
  onDown(error: PostError | Error): void
  /** The server does not know our session any more (404): the request was not run. */
  onSessionLost(of: number): void
}
