/** In UTF-16 units: of a URI as a caller says it, and of one that an upstream lists. */
export const MAX_URI_LENGTH = 8_192

/**
 * What stands before every URI of an upstream where several share an endpoint, so that a URI leads to whom it is from and to nobody
 * else. With it the scheme goes on being one (RFC 3986 §3.1), which begins with a letter. No alias has a dot or a plus sign, so no
 * two have one prefix, and none is the beginning of another's.
 */
export function uriPrefixOf(alias: string): string {
  return DIGIT.test(alias) ? `x.${alias}+` : `${alias}+`
}

const DIGIT = /^[0-9]/

/** A URI or URI template of an upstream as callers see it: whatever it is, it stands behind its own upstream's prefix. */
export function exposedUri(prefix: string, uri: string): string {
  return prefix + uri
}

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/
/** What RFC 3986 has no place for, a second fragment, and a percent sign that begins no triplet. */
const STRAY = /[^!#$%&'()*+,\-./0-9:;=?@A-Z[\]_a-z~]|#[^#]*#|%(?![0-9A-Fa-f]{2})/

/** A URI with a scheme, of characters a URI may have (RFC 3986 §2, §3), not too long for a caller to ask for. */
export function isUri(text: string): boolean {
  return text.length <= MAX_URI_LENGTH && SCHEME.test(text) && !STRAY.test(text)
}

const BEHIND_PATH = /[?#].*$/s
const TRIPLET = /%([0-9A-Fa-f]{2})/g
/**
 * Between two of what somebody takes for the end of a segment: parameters (`..;a=b`) are not part of its name, and for some file systems
 * neither are spaces (`..%20/`) or what stands behind a control character (`..%00`).
 */
const DOT_SEGMENT = /(?:^|[/\\])[\s\p{Cc}]*\.{1,2}\s*(?:$|[/\\;?#\p{Cc}])/u

/**
 * Whether a path segment is `.` or `..`, as written or after one or two rounds of decoding, `\` taken for `/`; also where the URI has no
 * hierarchy. Policy compares URIs as text, and a server that resolves such segments would reach another resource than the one compared.
 */
export function hasDotSegments(uri: string): boolean {
  let path = uri.replace(SCHEME, '').replace(BEHIND_PATH, '')
  for (let round = 0; round < 2; round++) {
    if (DOT_SEGMENT.test(path)) return true
    path = path.replace(TRIPLET, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  }
  return DOT_SEGMENT.test(path)
}
