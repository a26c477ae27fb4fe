import type { IncomingMessage } from 'node:http'
import type { HttpConfig } from '../core/configuration.ts'
import { Refusal } from '../core/errors.ts'
import type { CallHeaders } from '../core/model.ts'

const MAX_HEADERS = 100
const MAX_PARAM_HEADERS = 32
const MAX_PARAM_HEADER_BYTES = 4096

/** Headers of which a second one would be read differently by the next hop. Node joins some and drops others, so rawHeaders are judged. */
const SINGLE: ReadonlyMap<string, number> = new Map(
  ['authorization', 'content-type', 'content-length', 'content-encoding', 'origin', 'idempotency-key', 'cookie'].map((name, index) => [
    name,
    1 << index,
  ]),
)

/** What the doorstep read of the header section. */
interface Doorstep {
  readonly headers: CallHeaders
  readonly authorization: string | undefined
}

/** Host (RFC 9110 §7.2): only names this gateway was told it has, against DNS rebinding. */
export function checkHost(request: IncomingMessage, config: HttpConfig): void {
  const host = request.headers.host?.toLowerCase()
  if (host === undefined) throw new Refusal('HTTP_MALFORMED', {}, { reason: 'host' })
  if (!config.hosts.includes(host)) throw new Refusal('HTTP_HOST_REFUSED', {}, { host: shown(host) })
  // Node shows the first of several; whoever stands before us may have read the last.
  if (countHosts(request.rawHeaders) > 1) throw new Refusal('HTTP_HEADER_DUPLICATE', {}, { header: 'host' })
}

/** A name or an address with a port, or an origin: short, of harmless characters, without the place where an URL has a password. */
const NAME = /^(?:[a-z][a-z0-9+.-]{0,30}:\/\/)?[a-z0-9._:[\]-]{1,100}$/

/** For the record: what a proxy made of the name, or whose page asks, cannot be guessed. Text of another form is nobody's name. */
function shown(text: string): string {
  return NAME.test(text) ? text : 'no name'
}

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}

/** Origin (MCP 2026-07-28 streamable-http §Security): absent for programs; present only for pages that were configured. */
export function checkOrigin(request: IncomingMessage, config: HttpConfig): void {
  const { origin } = request.headers
  if (origin !== undefined && !config.origins.includes(origin)) throw new Refusal('HTTP_ORIGIN_REFUSED', {}, { origin: shown(origin) })
}

/** Size and duplicates of the header section, and the headers that mean something behind the door. `extra`: names upstreams may receive. */
export function checkHeaders(request: IncomingMessage, extra: ReadonlySet<string>): Doorstep {
  const { rawHeaders } = request
  if (rawHeaders.length > 2 * MAX_HEADERS) throw new Refusal('HTTP_HEADERS_TOO_LARGE', {}, { reason: 'count' })
  const headers = new Map<string, string[]>()
  let authorization: string | undefined
  let seen = 0
  let params = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] as string).toLowerCase()
    const value = rawHeaders[index + 1] as string
    const bit = SINGLE.get(name)
    if (bit !== undefined) {
      if ((seen & bit) !== 0) throw new Refusal('HTTP_HEADER_DUPLICATE', {}, { header: name })
      seen |= bit
      if (name === 'authorization') authorization = value
    }
    if (name.startsWith('mcp-param-')) {
      params += 1
      // Refused before any decoding: size and count are the sender's to choose, the work would be ours.
      if (params > MAX_PARAM_HEADERS || value.length > MAX_PARAM_HEADER_BYTES)
        throw new Refusal('HTTP_HEADERS_TOO_LARGE', {}, { reason: 'Mcp-Param' })
    }
    if (name.startsWith('mcp-') || name === 'idempotency-key' || extra.has(name)) {
      const values = headers.get(name)
      if (values === undefined) headers.set(name, [value])
      else values.push(value)
    }
  }
  return { headers, authorization }
}

/** A POST carries JSON, plainly: parameters other than charset=utf-8 and any Content-Encoding are refused, never guessed. */
export function checkMediaType(request: IncomingMessage): void {
  const type = request.headers['content-type']
  if (type === undefined || !JSON_MEDIA_TYPE.test(type)) throw new Refusal('HTTP_MEDIA_TYPE', {}, { reason: 'content-type' })
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined) throw new Refusal('HTTP_MEDIA_TYPE', {}, { reason: 'content-encoding' })
}

const JSON_MEDIA_TYPE = /^application\/json(?: *; *charset=(?:utf-8|"utf-8"))?$/i
