import cors from '@fastify/cors'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../core/errors.ts'
import { checkHost, checkOrigin } from './doorstep.ts'
import { registerEndpoint } from './mcp-route.ts'
import { refuse } from './respond.ts'
import { type Building, openVisit } from './visit.ts'
import { isMetadataPath, registerMetadata } from './well-known.ts'

const HEALTH_PATH = '/healthz'
const EXPOSED = ['WWW-Authenticate', 'Retry-After', 'MCP-Protocol-Version', 'Mcp-Session-Id', 'Mcp-Method', 'Mcp-Name']

/** Hooks and routes of the public listener. The order of the hooks is the order of the first rungs. */
export function registerStreetDoor(app: FastifyInstance, building: Building): void {
  const { configuration } = building.current().rooms

  app.decorateRequest('visit')
  app.setErrorHandler(refuse)
  app.setNotFoundHandler(() => {
    throw new Refusal('HTTP_NOT_FOUND')
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  app.addHook('onRequest', (request, reply, done) => {
    // A probe asks by address, not by name; it learns that the process lives, and is not worth a record.
    if (request.url === HEALTH_PATH) return done()
    try {
      const { rooms } = openVisit(building, request, reply)
      reply.header('x-content-type-options', 'nosniff')
      if (building.isDraining()) throw new Refusal('HTTP_DRAINING', { retryAfterMs: 1000, notProcessed: true })
      checkHost(request.raw, rooms.configuration.http)
      // Metadata is for pages too: a browser client reads it before it may do anything else.
      if (!isMetadataPath(request.url)) checkOrigin(request.raw, rooms.configuration.http)
      done()
    } catch (error) {
      done(error as Error)
    }
  })

  void app.register(cors, {
    delegator: (request, done) => {
      const origin = isMetadataPath(request.url) ? '*' : [...building.current().rooms.configuration.http.origins]
      // OPTIONS that no browser sent as a preflight is a method like any other, judged by the route.
      const preflight = request.headers.origin !== undefined && request.headers['access-control-request-method'] !== undefined
      done(null, { origin, methods: ['POST', 'GET', 'DELETE', 'OPTIONS'], exposedHeaders: EXPOSED, maxAge: 600, preflight })
    },
  })

  void app.register(async routes => {
    routes.get(HEALTH_PATH, (_request, reply) => {
      void reply.header('content-type', 'application/json').header('cache-control', 'no-store').send('{"status":"ok"}')
    })
    for (const endpoint of configuration.endpoints) {
      registerEndpoint(routes, endpoint, building, configuration.http.maxBodyBytes)
      registerMetadata(routes, endpoint, building)
    }
  })
}
