import { Buffer, isUtf8 } from 'node:buffer'

const PREFIX = '=?base64?'
const SUFFIX = '?='

/** RFC 9110 §5.5 as MCP narrows it: visible ASCII, with spaces and tabs inside only; surrounding ones are not part of a value. */
const PLAIN = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/

/**
 * What the value of `Mcp-Name` or `Mcp-Param-*` says (MCP 2026-07-28 streamable-http §Value Encoding); `undefined`: malformed.
 * Base64 is taken in its canonical spelling only: two spellings of one value would let a proxy on the way and us read two
 * different ones. Sentinel markers in another case, or incomplete ones, are literal text.
 */
export function decodeHeaderValue(raw: string): string | undefined {
  if (raw.startsWith(PREFIX) && raw.endsWith(SUFFIX) && raw.length >= PREFIX.length + SUFFIX.length) {
    const payload = raw.slice(PREFIX.length, -SUFFIX.length)
    const bytes = Buffer.from(payload, 'base64')
    // Not a TextDecoder: it would take a byte order mark away, and another value would compare as equal.
    return bytes.toString('base64') === payload && isUtf8(bytes) ? bytes.toString('utf8') : undefined
  }
  return raw === '' || PLAIN.test(raw) ? raw : undefined
}

/** The spelling of `text` as a header value: itself where that is safe, otherwise Base64 between markers. Takes well-formed Unicode. */
export function encodeHeaderValue(text: string): string {
  const plain = PLAIN.test(text) && !(text.startsWith(PREFIX) && text.endsWith(SUFFIX))
  return plain ? text : `${PREFIX}${Buffer.from(text, 'utf8').toString('base64')}${SUFFIX}`
}
