import type { JsonObject } from '../core/json.ts'
import { underLabel } from '../core/label.ts'
import { isLoopback } from '../core/loopback.ts'
import type { AnswerRules } from './answer-rules.ts'
import { QuestionRefused } from './question-refused.ts'
import { checkVisible, messageOf } from './question-text.ts'

const MAX_URL_LENGTH = 2_048
const AUTHORITY = /^(https?):\/\/([^/?#]*)/i

/**
 * Sends a person to a page of the upstream's own (MCP 2026-07-28 client/elicitation §URL Mode). What such a page asks for is between it
 * and the person; here only where it is: at a host that the operator knows, spelled as it is, behind TLS.
 */
export function checkUrlQuestion(params: JsonObject, { label, questions, isLocal }: AnswerRules): JsonObject {
  const message = messageOf(params)
  if (Object.hasOwn(params, 'requestedSchema')) throw new QuestionRefused('both_modes')
  checkVisible(params)
  checkUrl(params.url, questions.urlHosts, isLocal)
  return { ...params, message: underLabel(label, message) }
}

function checkUrl(url: unknown, hosts: readonly string[], isLocal: boolean): void {
  // RFC 3986 has no other characters. `\` is a `/` to browsers and none to others, and is not among them.
  if (typeof url !== 'string' || url.length > MAX_URL_LENGTH || !/^[!#-;=?-[\]_a-z~]+$/.test(url)) throw new QuestionRefused('url')
  const [, scheme = '', authority = ''] = AUTHORITY.exec(url) ?? []
  if (scheme === '' || !URL.canParse(url)) throw new QuestionRefused('url')
  if (authority.includes('@')) throw new QuestionRefused('url_user_info')
  const { protocol, hostname, host } = new URL(url)
  // A host in other clothes (`ex%61mple.com`, `0x7f.1`) is read as one by a browser and as another by a person.
  const written = authority.toLowerCase()
  if (written !== host && written !== `${host}:${protocol === 'https:' ? 443 : 80}`) throw new QuestionRefused('url_host_spelling')
  if (hostname.split('.').some(part => part.startsWith('xn--'))) throw new QuestionRefused('url_punycode')
  if (!hosts.includes(host)) throw new QuestionRefused('url_host')
  if (protocol !== 'https:' && !(isLocal && isLoopback(hostname))) throw new QuestionRefused('url_scheme')
}
