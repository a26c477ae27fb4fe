/** Names that are reserved for examples (RFC 2606, RFC 6761), and where the dialects of JSON Schema are. */
const HARMLESS = /(?:^|\.)(?:example\.(?:com|org|net)|example|json-schema\.org)$/i
const HOST = /^[A-Za-z0-9.-]*/
/** At least two labels, the last one of letters. */
const MAIL_HOST = /^(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}/
const MAX_HOST_LENGTH = 255
/** Schemes by which something leaves; `notes://` is the server's own affair. */
const NETWORK = /(?:https?|wss?|ftps?|sftp|ssh|smb)$/i
const MAX_SCHEME_LENGTH = 5
const SCRIPT = /\b(?:javascript|vbscript):|\bdata:text\//i

/** True for a URL of a host that somebody could own, and for one that is a program. */
export function hasUrl(text: string): boolean {
  for (let at = text.indexOf('://'); at !== -1; at = text.indexOf('://', at + 3)) {
    const host = HOST.exec(text.slice(at + 3, at + 3 + MAX_HOST_LENGTH))?.[0] ?? ''
    if (host !== '' && NETWORK.test(text.slice(Math.max(0, at - MAX_SCHEME_LENGTH), at)) && !HARMLESS.test(host)) return true
  }
  return SCRIPT.test(text) || hasBareHost(text)
}

const HOSTS = /[A-Za-z0-9.-]+/g
/** Ends that are of hosts, seldom of files or of members of something. */
const TOP = new Set('com net org io dev cc ru cn me co app xyz site online info biz ai cloud top link shop tech'.split(' '))

function hasBareHost(text: string): boolean {
  for (const { 0: run, index } of text.matchAll(HOSTS)) {
    const labels = run.toLowerCase().split('.')
    if (labels.length < 2 || !TOP.has(labels.at(-1) ?? '') || labels.includes('') || HARMLESS.test(run)) continue
    if (text.charAt(index - 1) !== '@' && text.charAt(index - 1) !== '/') return true
  }
  return false
}

/** True for an e-mail address of a domain that somebody could own. */
export function hasAddress(text: string): boolean {
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    if (!isWord(text.charCodeAt(at - 1)) || !isWord(text.charCodeAt(at + 1))) continue
    const host = MAIL_HOST.exec(text.slice(at + 1, at + 1 + MAX_HOST_LENGTH))?.[0] ?? ''
    if (host !== '' && !HARMLESS.test(host)) return true
  }
  return false
}

const MIN_ENCODED_LENGTH = 40
/** Small letters, capitals and digits: hex has two of them, a long name in camel case as well. */
const ALL_KINDS = 0b1110

/** A long run of letters and digits that changes between capitals, small letters and digits as no word does: base64 and its like. */
export function hasEncoded(text: string): boolean {
  let length = 0
  let changes = 0
  let kinds = 0
  let kind = 0
  for (let index = 0; index <= text.length; index += 1) {
    const next = kindOf(text.charCodeAt(index))
    if (next === 0) {
      if (length >= MIN_ENCODED_LENGTH && changes * 3 >= length && (kinds & ALL_KINDS) === ALL_KINDS) return true
      length = 0
      changes = 0
      kinds = 0
    } else {
      length += 1
      kinds |= 1 << next
      if (kind !== 0 && next !== kind) changes += 1
    }
    kind = next
  }
  return false
}

/** 1 to 4 for characters of base64, 0 for others. */
function kindOf(code: number): number {
  if (code >= 0x61 && code <= 0x7a) return 1
  if (code >= 0x41 && code <= 0x5a) return 2
  if (code >= 0x30 && code <= 0x39) return 3
  return code === 0x2b || code === 0x2f ? 4 : 0
}

function isWord(code: number): boolean {
  return kindOf(code) % 4 !== 0
}
