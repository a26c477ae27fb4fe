import { Buffer, isUtf8 } from 'node:buffer'
import type { RequestMessage } from './message.ts'
import { ownMember } from './own-member.ts'
import { paramsInvalid } from './params-invalid.ts'

const VERSION = 2
const SEPARATOR = '\n'
/** Room for the longest method and a URI of the greatest length behind its prefix, in base64url. */
const MAX_CURSOR_LENGTH = 11_100

/** `cursor`: the name the page before ended with; `undefined` for the first page. Throws MCP_PARAMS_INVALID for a cursor that is not of this list. */
export function parseListParams(request: RequestMessage): { readonly cursor: string | undefined } {
  const cursor = ownMember(request.params, 'cursor')
  if (cursor === undefined) return { cursor: undefined }
  if (typeof cursor !== 'string') throw paramsInvalid('cursor')
  return { cursor: decodeCursor(request.method, cursor) }
}

/**
 * A cursor that needs no memory: a version byte, the method of the list and the last name of the page, in base64url. It holds nothing the
 * page did not show.
 */
export function encodeCursor(method: string, lastName: string): string {
  return Buffer.concat([Uint8Array.of(VERSION), Buffer.from(`${method}${SEPARATOR}${lastName}`, 'utf8')]).toString('base64url')
}

/** The name inside; throws MCP_PARAMS_INVALID unless `encodeCursor` could have made it for this method. */
export function decodeCursor(method: string, cursor: string): string {
  if (cursor.length > MAX_CURSOR_LENGTH) throw paramsInvalid('cursor')
  const bytes = Buffer.from(cursor, 'base64url')
  const content = bytes.subarray(1)
  if (bytes.toString('base64url') !== cursor || bytes[0] !== VERSION || !isUtf8(content)) throw paramsInvalid('cursor')
  const text = content.toString('utf8')
  const name = text.slice(method.length + SEPARATOR.length)
  // A position in one list is none in another, where something may have the same name.
  if (!text.startsWith(`${method}${SEPARATOR}`) || name === '') throw paramsInvalid('cursor')
  return name
}
