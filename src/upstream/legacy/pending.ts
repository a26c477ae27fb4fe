import { isJsonObject } from '../../core/json.ts'
import type { LegacyNotification, LegacyResponse, LegacyServerRequest } from '../../mcp/index.ts'

export const METHOD_NOT_FOUND = -32_601

/** One of our requests in a conversation, until its end. */
export interface Pending {
  /** Whose call it is; `undefined` for our own requests, about which a server may ask nobody. */
  readonly person: string | undefined
  /** A promise holds the server back until it settles. */
  notified(notification: LegacyNotification): Promise<void> | void
  /** False: it does not take the question, and the server is told so. */
  asked(question: LegacyServerRequest): boolean
  /** The response. A second one throws UPSTREAM_INVALID. */
  answered(response: LegacyResponse, bytes: number): void
  /** The response says by itself that the request was taken, whatever the status is that it comes with. */
  readonly isTaken: boolean
  /** Nothing more comes. */
  ended(status: number): void
  failed(error: Error): void
  /** The server does not know our session: it was not run. */
  lost(): void
}

/** A result, or the word that there is no such method, which servers say with 404. */
export function provesTaken(response: LegacyResponse | undefined): boolean {
  if (response === undefined) return false
  const { result, error } = response.root
  return result !== undefined || (error !== undefined && isJsonObject(error) && error.code === METHOD_NOT_FOUND)
}

/** The server did not take a request, and did nothing about it: it knows no such session any more. */
export class NotTaken extends Error {
  override readonly name = 'NotTaken'
}
