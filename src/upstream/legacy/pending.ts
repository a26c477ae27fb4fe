import type { LegacyNotification, LegacyResponse, LegacyServerRequest } from '../../mcp/index.ts'

/** One of our requests in a conversation, until its end. */
export interface Pending {
  /** Of a call, which alone may be asked about: whose it is. */
  readonly person: string | undefined
  /** A promise holds the server back until it settles. */
  notified(notification: LegacyNotification): Promise<void> | void
  /** False: it does not take the question, and the server is told so. */
  asked(question: LegacyServerRequest): boolean
  /** The response. A second one throws UPSTREAM_INVALID. */
  answered(response: LegacyResponse, bytes: number): void
  /** Nothing more comes. */
  ended(status: number): void
  failed(error: Error): void
  /** The server does not know our session: it was not run. */
  lost(): void
}

/** The server did not take a request, and did nothing about it: it knows no such session any more. */
export class NotTaken extends Error {
  override readonly name = 'NotTaken'
}
