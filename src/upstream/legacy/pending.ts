import { isJsonObject } from '../../core/json.ts'
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
  /** Of the response, where it is an error. */
  readonly errorCode: number | undefined
  /** Nothing more comes. */
  ended(status: number): void
  failed(error: Error): void
  /** The server does not know our session: it was not run. */
  lost(): void
}

export function errorCodeOf(response: LegacyResponse | undefined): number | undefined {
  const error = response?.root.error
  const code = error !== undefined && isJsonObject(error) ? error.code : undefined
  return typeof code === 'number' ? code : undefined
}

/** The server did not take a request, and did nothing about it: it knows no such session any more. */
export class NotTaken extends Error {
  override readonly name = 'NotTaken'
}
