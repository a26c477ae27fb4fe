import { isJsonObject, type Json, type JsonObject, parseJson } from '../core/json.ts'
import { refuse } from './refuse.ts'

/** What a token says of itself; nothing of it is proven yet. */
interface UnverifiedToken {
  readonly header: JsonObject
  readonly claims: JsonObject
}

/**
 * JWS compact serialization (RFC 7515 §7.1) → header and claims, unverified. Throws AUTH_TOKEN_INVALID.
 *
 * The strict parser reads both, so a claim written twice is refused rather than read one way by us and another way by the issuer.
 */
export function parseToken(token: string): UnverifiedToken {
  const first = token.indexOf('.')
  const second = token.indexOf('.', first + 1)
  if (first < 0 || second < 0) refuse('malformed')
  const header = parseObject(decode(token.slice(0, first)))
  const claims = parseObject(decode(token.slice(first + 1, second)))
  decode(token.slice(second + 1))
  return { header, claims }
}

/** Decoders ignore stray characters and spare bits, so one signature would have several spellings; only the canonical one passes, and no fourth part. */
function decode(segment: string): Buffer {
  const bytes = Buffer.from(segment, 'base64url')
  if (bytes.length === 0 || bytes.toString('base64url') !== segment) refuse('malformed')
  return bytes
}

function parseObject(bytes: Buffer): JsonObject {
  let value: Json
  try {
    value = parseJson(bytes).value
  } catch {
    refuse('malformed')
  }
  return isJsonObject(value) ? value : refuse('malformed')
}
