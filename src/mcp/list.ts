import { Buffer, isUtf8 } from 'node:buffer'
import type { RequestMessage } from './message.ts'
import { ownMember } from './own-member.ts'
import { paramsInvalid } from './params-invalid.ts'

const VERSION = 1
/** Room for a URI of the greatest length behind its prefix, in base64url. */
const MAX_CURSOR_LENGTH = 11_000

/** `cursor`: the name the page before ended with; `undefined` for the first page. Throws MCP_PARAMS_INVALID for a cursor that is not ours. */
export function parseListParams(request: RequestMessage): { readonly cursor: string | undefined } {
  const cursor = ownMember(request.params, 'cursor')
  if (cursor === undefined) return { cursor: undefined }
  if (typeof cursor !== 'string') throw paramsInvalid('cursor')
  return { cursor: decodeCursor(cursor) }
}

/** A cursor that needs no memory: a version byte and the last name of the page, in base64url. It holds nothing the page did not show. */
export function encodeCursor(lastName: string): string {
  return Buffer.concat([Uint8Array.of(VERSION), Buffer.from(lastName, 'utf8')]).toString('base64url')
}

/** The name inside; throws MCP_PARAMS_INVALID unless `encodeCursor` could have made it. */
export function decodeCursor(cursor: string): string {
  if (cursor.length > MAX_CURSOR_LENGTH) throw paramsInvalid('cursor')
  const bytes = Buffer.from(cursor, 'base64url')
  const name = bytes.subarray(1)
  if (bytes.toString('base64url') !== cursor || bytes[0] !== VERSION || name.length === 0 || !isUtf8(name)) throw paramsInvalid('cursor')
  return name.toString('utf8')
}
