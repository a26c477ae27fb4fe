import { Buffer } from 'node:buffer'

/**
 * A URI in the units that a template's expansion is made of: single characters, and the triplets of one encoded character together.
 * Both arrays are indexed by offset, and hold something at the beginning of each unit.
 */
export interface UriUnits {
  readonly text: string
  /** How many UTF-16 units of the text the unit takes. */
  readonly sizes: Uint8Array
  /** One of the kinds below; 0 for what no expansion holds. */
  readonly kinds: Uint16Array
}

/** Also `!'()*`, which `encodeURIComponent`, and so the SDKs, leave as they are, though RFC 6570 §3.2.1 has them encoded. */
export const UNRESERVED = 1
/** A character that is none of those, in UTF-8, as triplets. */
export const ENCODED = 2
/** Any other triplet, which only a value that was encoded before can bring. */
export const TRIPLET = 4
export const COMMA = 8
export const EQUALS = 16
export const SLASH = 32
export const SEMICOLON = 64
export const AMPERSAND = 128
/** The rest of RFC 3986 §2.2. */
export const RESERVED = 256
/** Unreserved, and a separator. */
export const DOT = 512

const PERCENT = 0x25

const ASCII_KINDS = new Uint16Array(128)
const KINDS: readonly (readonly [kind: number, characters: string])[] = [
  [UNRESERVED, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_~!'()*"],
  [DOT, '.'],
  [COMMA, ','],
  [EQUALS, '='],
  [SLASH, '/'],
  [SEMICOLON, ';'],
  [AMPERSAND, '&'],
  [RESERVED, ':?#[]@$+'],
]
for (const [kind, characters] of KINDS) for (const character of characters) ASCII_KINDS[character.charCodeAt(0)] = kind

export function scanUri(text: string): UriUnits {
  const sizes = new Uint8Array(text.length)
  const kinds = new Uint16Array(text.length)
  for (let at = 0; at < text.length; at += sizes[at] as number) {
    const code = text.charCodeAt(at)
    const isTriplet = code === PERCENT && byteAt(text, at) >= 0
    const triplets = isTriplet ? tripletsAt(text, at) : 0
    kinds[at] = triplets > 0 ? ENCODED : isTriplet ? TRIPLET : (ASCII_KINDS[code] ?? 0)
    sizes[at] = isTriplet ? 3 * Math.max(triplets, 1) : 1
  }
  return { text, sizes, kinds }
}

/**
 * How many triplets make up the character that begins here; 0 when it is none, or one that is never encoded (RFC 6570 §3.2.1): `%2e` is
 * no way for an expansion to write a dot.
 */
function tripletsAt(text: string, at: number): number {
  const lead = byteAt(text, at)
  if (lead < 0x80) return UNENCODED.has(lead) ? 0 : 1
  const count = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0
  for (let index = 1; index < count; index++) {
    const byte = byteAt(text, at + 3 * index)
    // The Unicode Standard, table 3-7: neither a longer form than needed, nor a surrogate, nor more than U+10FFFF.
    const least = index > 1 ? 0x80 : lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
    const most = index > 1 ? 0xbf : lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
    if (byte < least || byte > most) return 0
  }
  return count
}

const UNENCODED = new Set(Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~'))

/** Negative where no triplet stands. */
function byteAt(text: string, at: number): number {
  if (text.charCodeAt(at) !== PERCENT) return -1
  return digitOf(text.charCodeAt(at + 1)) * 16 + digitOf(text.charCodeAt(at + 2))
}

/** Negative beyond what the other digit could make up for. */
function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const small = code | 0x20
  return small >= 0x61 && small <= 0x66 ? small - 0x57 : -1_000
}
