import { lookup as dnsLookup } from 'node:dns'
import { readFile } from 'node:fs/promises'
import { isIP, type LookupFunction } from 'node:net'
import { getCACertificates } from 'node:tls'
import { Client } from 'undici'
import type { IssuerConfig } from '../core/configuration.ts'
import { type Json, parseJson } from '../core/json.ts'
import { isLoopback } from '../core/loopback.ts'
import { isPublicAddress } from './address.ts'

const TIMEOUT_MS = 5_000
const MAX_BYTES = 1024 * 1024

/** The server answered, with something else than 200. Redirects are among these: they are not followed. */
export class HttpStatusError extends Error {
  override readonly name = 'HttpStatusError'
  constructor(status: number) {
    super(`HTTP status ${status}`)
  }
}

/**
 * GET one JSON document of an issuer: 1 MiB and 5 s at most, TLS verified. Throws on anything else.
 *
 * Which address is connected to is decided on the address itself, after name resolution and on the very answer that is then used, so
 * a name that resolves to a metadata service or to an internal host is refused however it is spelled (DNS rebinding). Plain HTTP is for loopback only.
 */
export async function fetchJson(url: string, issuer: Pick<IssuerConfig, 'allowPrivateAddress' | 'caFile'>): Promise<Json> {
  const { origin, protocol, hostname, pathname, search } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') throw new Error('not an https URL')
  const check = (address: string): void => checkAddress(address, protocol === 'http:', issuer.allowPrivateAddress)

  // A literal address is connected to without a look-up.
  const literal = hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal) !== 0) check(literal)

  const ca = issuer.caFile === undefined ? undefined : [...getCACertificates(), await readFile(issuer.caFile, 'utf8')]
  // One connection for one answer: keys are fetched every ten minutes, and a connection kept that long would outlive what DNS says.
  const client = new Client(origin, {
    connect: { lookup: guardedLookup(check), timeout: TIMEOUT_MS, ...(ca && { ca }) },
    maxResponseSize: MAX_BYTES,
    allowH2: false,
  })
  try {
    const { statusCode, body } = await client.request({
      method: 'GET',
      path: pathname + search,
      headers: { accept: 'application/json', 'accept-encoding': 'identity' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (statusCode !== 200) {
      body.on('error', () => {}).destroy()
      throw new HttpStatusError(statusCode)
    }
    return parseJson(await body.bytes()).value
  } finally {
    await client.destroy()
  }
}

/** Throws with what an operator can do about it: neither the address nor the URL is in the text. */
function checkAddress(address: string, isPlain: boolean, allowPrivateAddress: boolean): void {
  if (isPlain && !isLoopback(address)) throw new Error('plain HTTP is for keys on this machine only; use https')
  if (!allowPrivateAddress && !isPublicAddress(address)) {
    throw new Error('the address is not public; if it is meant to be, set issuers[].allowPrivateAddress')
  }
}

function guardedLookup(check: (address: string) => void): LookupFunction {
  return (hostname, options, callback) => {
    dnsLookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, [])
      try {
        for (const { address } of addresses) check(address)
      } catch (refused) {
        return callback(refused as Error, [])
      }
      const [first] = addresses
      if (first === undefined) return callback(new Error('the name has no address'), [])
      if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}
