import { isLoopback } from '../core/loopback.ts'

function parse(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}

/** Why this cannot be the URL that callers use. */
export function publicUrlProblem(text: string): string | undefined {
  const url = parse(text)
  if (url === undefined || !/^https?:$/.test(url.protocol)) return 'publicUrl must be an http or https URL'
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) return 'publicUrl must be https, unless it is on loopback'
  if (url.username !== '' || url.password !== '') return 'publicUrl must not carry userinfo'
  if (/[?#]/.test(text)) return 'publicUrl must not carry a query or a fragment'
  if (text.endsWith('/')) return 'publicUrl must not end with "/"'
  if (text !== url.href && `${text}/` !== url.href)
    return 'publicUrl must be in canonical form: lower-case host, no default port, no dot segments'
  return undefined
}

/** RFC 8414 §2: https, no query, no fragment. http is for an issuer on the same machine. */
export function issuerProblem(text: string): string | undefined {
  return keysUrlProblem(text, 'issuer') ?? (text.includes('?') ? 'issuer must not carry a query' : undefined)
}

export function jwksUrlProblem(text: string): string | undefined {
  return keysUrlProblem(text, 'jwksUrl')
}

function keysUrlProblem(text: string, what: string): string | undefined {
  const url = parse(text)
  if (url === undefined || !/^https?:$/.test(url.protocol)) return `${what} must be an https URL`
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) return `${what} must be https, unless it is on loopback`
  if (url.username !== '' || url.password !== '') return `${what} must not carry userinfo`
  return text.includes('#') ? `${what} must not carry a fragment` : undefined
}

/** A query is allowed, since some servers select their tools by it; it is part of every pin. */
export function upstreamUrlProblem(text: string): string | undefined {
  const url = parse(text)
  if (url === undefined || !/^https?:$/.test(url.protocol)) return 'url must be an http or https URL'
  if (url.username !== '' || url.password !== '') return 'url must not carry userinfo; use `credential`'
  if (text.includes('#')) return 'url must not carry a fragment'
  return undefined
}

/** Whoever is on the way can read what is sent there. */
export function isPlainToOthers(text: string): boolean {
  const url = parse(text)
  return url?.protocol === 'http:' && !isLoopback(url.hostname)
}

/** Host header values by which callers reach this URL. */
export function hostsOf(publicUrl: string): readonly string[] {
  const url = new URL(publicUrl)
  return url.port === '' ? [url.host, `${url.host}:${url.protocol === 'https:' ? 443 : 80}`] : [url.host]
}

/** A host in the one form a URL's is compared in: without https's own port, since pages are https. */
export function pageHost(host: string): string {
  return new URL(`https://${host}`).host
}

/** Why links may not be allowed to have this scheme. */
export function linkSchemeProblem(scheme: string): string | undefined {
  if (!/^[a-z][a-z0-9+.-]*$/.test(scheme)) return 'a scheme is what stands before the ":", in lower case: https'
  return SCRIPT_SCHEMES.has(scheme) ? 'a link of this scheme is a script' : undefined
}

const SCRIPT_SCHEMES: ReadonlySet<string> = new Set(['javascript', 'vbscript'])
