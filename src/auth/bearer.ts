import { refuse } from './refuse.ts'

/** Characters of an Authorization header that are looked at; Node itself stops at 16 KiB for all headers together unless told otherwise. */
const MAX_AUTHORIZATION_LENGTH = 16_384
const SCHEME_LENGTH = 'Bearer '.length

/**
 * Authorization header → the text after `Bearer ` (RFC 6750 §2.1): scheme in any case, exactly one space. Whether that text is a
 * token is `parseToken`'s question. Throws AUTH_TOKEN_INVALID for any other scheme, `DPoP` included.
 */
export function parseBearer(authorization: string): string {
  if (authorization.length > MAX_AUTHORIZATION_LENGTH) refuse('size')
  if (!authorization.startsWith('Bearer ') && authorization.slice(0, SCHEME_LENGTH).toLowerCase() !== 'bearer ') refuse('scheme')
  return authorization.slice(SCHEME_LENGTH)
}
