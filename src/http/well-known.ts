import type { FastifyInstance } from 'fastify'
import type { EndpointConfig } from '../core/configuration.ts'
import { writeJson } from '../core/json.ts'
import { metadataPath } from './challenge.ts'

/** Protected resource metadata (RFC 9728 §3), one document per endpoint, for anybody: a client needs it before it has a token. */
export function registerMetadata(app: FastifyInstance, endpoint: EndpointConfig): void {
  app.get(metadataPath(endpoint), (request, reply) => {
    const { trace, house } = request.visit
    const { configuration } = house.rooms
    const current = configuration.endpoints.find(({ path }) => path === endpoint.path) ?? endpoint
    const body = writeJson({
      resource: current.resource,
      authorization_servers: configuration.issuers.map(({ issuer }) => issuer),
      bearer_methods_supported: ['header'],
      ...(current.scopes.length === 0 ? {} : { scopes_supported: [...current.scopes] }),
    })
    trace.close({ status: 200, bytes: Buffer.byteLength(body), cancelled: false })
    void reply.header('content-type', 'application/json').header('cache-control', 'public, max-age=300').send(body)
  })
}

export function isMetadataPath(url: string): boolean {
  return url.startsWith('/.well-known/')
}
