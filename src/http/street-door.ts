import type { FastifyInstance } from 'fastify'
import { Refusal } from '../core/errors.ts'
import { allowPage, answerPreflight, isPreflight } from './cors.ts'
import { checkHost, checkOrigin } from './doorstep.ts'
import { registerEndpoint } from './mcp-route.ts'
import { refuse } from './respond.ts'
import { type Building, openVisit } from './visit.ts'
import { isMetadataPath, registerMetadata } from './well-known.ts'

const HEALTH_PATH = '/healthz'

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
    if (request.url === HEALTH_PATH && request.method === 'GET') return done()
    try {
      const { rooms } = openVisit(building, request, reply)
      reply.header('x-content-type-options', 'nosniff')
      if (building.isDraining()) throw new Refusal('HTTP_DRAINING', { retryAfterMs: 1000, notProcessed: true })
      checkHost(request.raw, rooms.configuration.http)
      // Metadata is for pages too: a browser client reads it before it may do anything else.
      const isPublic = isMetadataPath(request.url)
      if (!isPublic) checkOrigin(request.raw, rooms.configuration.http)
      allowPage(request, reply, isPublic)
      if (isPreflight(request)) return answerPreflight(request, reply)
      // Here, not in the handler: that one runs behind the body, and a stranger's is not waited for.
      if (request.is404) throw new Refusal('HTTP_NOT_FOUND')
      done()
    } catch (error) {
      done(error as Error)
    }
  })

  void app.register(async routes => {
    routes.get(HEALTH_PATH, (_request, reply) => {
      void reply.header('content-type', 'application/json').header('cache-control', 'no-store').send('{"status":"ok"}')
    })
    for (const endpoint of configuration.endpoints) {
      registerEndpoint(routes, endpoint, building, configuration.http.maxBodyBytes)
      registerMetadata(routes, endpoint)
    }
  })
}
