import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider, { errors } from 'oidc-provider'

export interface OAuthClient {
  readonly id: string
  /** Scopes this client may ask for. */
  readonly scopes: readonly string[]
  /** Claims that its access tokens carry besides the standard ones: `{ org: 'acme' }`. */
  readonly claims?: Readonly<Record<string, unknown>>
  /** Absent: one that nobody but the server's own `token` knows. */
  readonly secret?: string
}

export interface OAuthServerOptions {
  /** Resource identifiers (RFC 8707) that tokens are given for: the endpoints of the gateway. */
  readonly resources: readonly string[]
  readonly scopes: readonly string[]
  readonly clients: readonly OAuthClient[]
  /** Seconds an access token is valid. */
  readonly ttlSeconds?: number
  /** 0 or absent: any free port. */
  readonly port?: number
}

export interface TokenRequest {
  readonly client: string
  /** Space-separated; absent: everything the client may have. */
  readonly scope?: string
  readonly resource: string
}

export interface OAuthServer {
  /** `http://127.0.0.1:PORT` */
  readonly issuer: string
  /** JWS algorithm of its access tokens. */
  readonly algorithm: string
  /** An access token by the client credentials grant; throws what the server refuses with. */
  token(request: TokenRequest): Promise<string>
  close(): Promise<void>
}

const ALGORITHM = 'ES256'

/** A real OAuth 2.1 authorization server on loopback: JWT access tokens (RFC 9068), each for one resource (RFC 8707). */
export async function startOAuthServer(options: OAuthServerOptions): Promise<OAuthServer> {
  const http = createServer()
  await once(http.listen(options.port ?? 0, '127.0.0.1'), 'listening')
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const secrets = new Map(options.clients.map(client => [client.id, client.secret ?? randomBytes(32).toString('base64url')]))
  http.on('request', new Provider(issuer, await configuration(options, secrets)).callback())

  return {
    issuer,
    algorithm: ALGORITHM,
    async token({ client, scope, resource }) {
      const asked = scope ?? options.clients.find(({ id }) => id === client)?.scopes.join(' ') ?? ''
      const response = await fetch(`${issuer}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`${client}:${secrets.get(client)}`).toString('base64')}` },
        body: new URLSearchParams({ grant_type: 'client_credentials', scope: asked, resource }),
      })
      const answer: unknown = await response.json()
      if (!isTokenAnswer(answer)) throw new Error(`the OAuth server refused: ${response.status} ${JSON.stringify(answer)}`)
      return answer.access_token
    },
    async close() {
      http.close()
      http.closeAllConnections()
      await once(http, 'close')
    },
  }
}

async function configuration(options: OAuthServerOptions, secrets: ReadonlyMap<string, string>): Promise<object> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true })
  return {
    adapter: NoStorage,
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: ALGORITHM, use: 'sig', kid: 'demo-1' }] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    scopes: options.scopes,
    clientDefaults: { id_token_signed_response_alg: ALGORITHM },
    enabledJWA: { idTokenSigningAlgValues: [ALGORITHM] },
    clients: options.clients.map(client => ({
      client_id: client.id,
      client_secret: secrets.get(client.id),
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
      scope: client.scopes.join(' '),
    })),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo(_context: unknown, resource: string) {
          if (!options.resources.includes(resource)) throw new errors.InvalidTarget()
          return {
            scope: options.scopes.join(' '),
            audience: resource,
            accessTokenFormat: 'jwt',
            accessTokenTTL: options.ttlSeconds ?? 3600,
            jwt: { sign: { alg: ALGORITHM } },
          }
        },
      },
    },
    ttl: { ClientCredentials: options.ttlSeconds ?? 3600 },
    extraTokenClaims: (_context: unknown, token: { readonly clientId: string }) =>
      options.clients.find(client => client.id === token.clientId)?.claims,
  }
}

/** Clients are configured and tokens are self-contained: the client credentials grant leaves nothing to keep. */
class NoStorage {
  async find(): Promise<undefined> {}
  async upsert(): Promise<void> {}
  async destroy(): Promise<void> {}
}

function isTokenAnswer(answer: unknown): answer is { readonly access_token: string } {
  return typeof answer === 'object' && answer !== null && 'access_token' in answer && typeof answer.access_token === 'string'
}
