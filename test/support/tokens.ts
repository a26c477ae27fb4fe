import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Clock, systemClock } from '../../src/core/clock.ts'
import type { IssuerConfig } from '../../src/core/configuration.ts'

export type MintAlgorithm = 'RS256' | 'PS256' | 'ES256' | 'EdDSA'

export interface MintKey {
  readonly kid: string
  readonly algorithm: MintAlgorithm
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

/** How the key server answers for its JWKS. `redirect` points at a place that would serve the right keys. */
export type JwksMode = 'ok' | 'error' | 'silent' | 'stalled' | 'huge' | 'redirect' | 'garbage'
/** Which metadata documents there are; `foreign` names another issuer. */
export type MetadataMode = 'oauth' | 'openid' | 'foreign' | 'none'

export interface TokenMint {
  /** `http://127.0.0.1:PORT`, or with the path that was asked for. */
  readonly issuer: string
  readonly jwksUrl: string
  readonly key: MintKey
  jwks: JwksMode
  metadata: MetadataMode
  /** JSON Web Keys served; replace or change it to rotate. */
  published: Record<string, unknown>[]
  /** Path of every request to the key server, in order. */
  readonly requests: string[]
  /** Number of answers given for the JWKS. */
  jwksFetches(): number
  config(changes?: Partial<IssuerConfig>): IssuerConfig
  /** An access token for `aud` that is right in everything; `undefined` leaves a claim or header out. */
  token(claims: Record<string, unknown>, header?: Record<string, unknown>, key?: MintKey): string
  close(): Promise<void>
}

export function createMintKey(algorithm: MintAlgorithm, kid: string = randomUUID(), rsaBits = 2048): MintKey {
  switch (algorithm) {
    case 'ES256':
      return { kid, algorithm, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) }
    case 'EdDSA':
      return { kid, algorithm, ...generateKeyPairSync('ed25519') }
    default:
      return { kid, algorithm, ...generateKeyPairSync('rsa', { modulusLength: rsaBits }) }
  }
}

export function publicJwk({ publicKey, kid, algorithm }: MintKey): Record<string, unknown> {
  return { ...publicKey.export({ format: 'jwk' }), kid, alg: algorithm, use: 'sig' }
}

/** Signs header and claims exactly as they are, however wrong; text is taken as JSON already. */
export function signToken(header: object | string, claims: object | string, { privateKey, algorithm }: MintKey): string {
  const input = [header, claims].map(part => base64url(typeof part === 'string' ? part : JSON.stringify(part))).join('.')
  const pss = algorithm === 'PS256' ? { padding: 6, saltLength: 32 } : {}
  const key = { key: privateKey, dsaEncoding: 'ieee-p1363' as const, ...pss }
  return `${input}.${sign(algorithm === 'EdDSA' ? null : 'sha256', Buffer.from(input), key).toString('base64url')}`
}

export function base64url(text: string): string {
  return Buffer.from(text).toString('base64url')
}

/** An issuer of tokens with a key server on loopback that can be made to misbehave. */
export async function startTokenMint({
  algorithm = 'ES256',
  clock = systemClock,
  path = '',
}: {
  readonly algorithm?: MintAlgorithm
  readonly clock?: Clock
  readonly path?: string
} = {}): Promise<TokenMint> {
  const server = createServer((request, response) => {
    mint.requests.push(request.url ?? '')
    if (request.url === '/jwks') answerJwks(mint, response)
    else if (request.url === '/elsewhere') json(response, { keys: mint.published })
    else if (request.url?.includes('/.well-known/')) answerMetadata(mint, request.url, response)
    else response.writeHead(404).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const key = createMintKey(algorithm, 'k1')
  const mint: TokenMint = {
    issuer: origin + path,
    jwksUrl: `${origin}/jwks`,
    key,
    jwks: 'ok',
    metadata: 'oauth',
    published: [publicJwk(key)],
    requests: [],
    jwksFetches: () => mint.requests.filter(url => url === '/jwks').length,
    config: changes => ({
      issuer: mint.issuer,
      jwksUrl: mint.jwksUrl,
      algorithms: [algorithm],
      audience: undefined,
      tenantClaim: undefined,
      clockToleranceSeconds: 30,
      caFile: undefined,
      allowPrivateAddress: true,
      ...changes,
    }),
    token(claims, header = {}, signer = key) {
      const now = Math.floor(clock.now() / 1000)
      const standard = {
        iss: mint.issuer,
        sub: 'ann',
        client_id: 'agent',
        iat: now,
        exp: now + 300,
        jti: randomUUID(),
        scope: 'tools:read',
      }
      return signToken({ alg: signer.algorithm, typ: 'at+jwt', kid: signer.kid, ...header }, { ...standard, ...claims }, signer)
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  return mint
}

function answerJwks(mint: TokenMint, response: ServerResponse): void {
  switch (mint.jwks) {
    case 'ok':
      json(response, { keys: mint.published })
      return
    case 'error':
      response.writeHead(500).end()
      return
    case 'silent':
      return
    case 'stalled':
      response.writeHead(200).write('{"keys":[')
      return
    case 'redirect':
      response.writeHead(302, { location: '/elsewhere' }).end()
      return
    case 'garbage':
      response.end('{"keys":[')
      return
    case 'huge':
      writeEndlessly(response, 50)
  }
}

function writeEndlessly(response: ServerResponse, megabytes: number): void {
  const chunk = Buffer.alloc(1024 * 1024, ' ')
  response.on('error', () => {})
  for (let index = 0; index < megabytes; index++) response.write(chunk)
  response.end('{"keys":[]}')
}

function answerMetadata(mint: TokenMint, url: string, response: ServerResponse): void {
  const openid = url.includes('openid-configuration')
  if (mint.metadata === 'none' || (mint.metadata === 'openid' && !openid)) response.writeHead(404).end()
  else json(response, { issuer: mint.metadata === 'foreign' ? 'https://honest.example' : mint.issuer, jwks_uri: mint.jwksUrl })
}

function json(response: ServerResponse, value: unknown): void {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
}
