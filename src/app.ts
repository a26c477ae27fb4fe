import type { Socket } from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'
import { answerSocketError, type Building, letGoOfSilent, refuseUnrouted, registerStreetDoor } from './http/index.ts'

/** How long a request may take to arrive, and how often Node looks whether one has taken longer. */
export interface ArrivalLimits {
  readonly headersMs: number
  readonly requestMs: number
  readonly checkEveryMs: number
}

/** Node looks every 30 s unless told otherwise: a limit of 15 s would be one of 45. */
const ARRIVAL: ArrivalLimits = { headersMs: 15_000, requestMs: 30_000, checkEveryMs: 5_000 }

/** The Fastify app that is shipped, and that tests inject into. Fastify's defaults that fail open or hang are set here, each for its reason. */
export function createApp(building: Building, arrival: ArrivalLimits = ARRIVAL): FastifyInstance {
  const app = fastify({
    // The audit record is the log of a request; Fastify's own would cost as much as the rest of the corridor.
    logger: false,
    // Off by default, all of them: a peer that sends one byte a minute would keep a connection for ever.
    requestTimeout: arrival.requestMs,
    connectionTimeout: building.stallMs,
    keepAliveTimeout: 65_000,
    http: { headersTimeout: arrival.headersMs, connectionsCheckingInterval: arrival.checkEveryMs, requireHostHeader: false },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { ignoreTrailingSlash: false, caseSensitive: true, maxParamLength: 100 },
    // Never derived from X-Forwarded-*: addresses are the socket's, URLs the configuration's.
    trustProxy: false,
    clientErrorHandler: (error, socket) => answerSocketError(building, error, socket),
    frameworkErrors: (error, request, reply) => refuseUnrouted(building, error, request, reply),
  })
  // Node drops headers above its default of 2,000 without a word; the doorstep must see each one to judge duplicates.
  app.server.maxHeadersCount = 0
  // What Node would answer by itself, without a record: a missing Host (above), an expectation it does not know, a tunnel.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  // Node would ask for the body at once, whoever offers it. The route does, once it knows who does.
  app.server.on('checkContinue', (request, response) => app.server.emit('request', request, response))
  app.server.on('connect', (_request, socket) =>
    answerSocketError(building, Object.assign(new Error('tunnel'), { code: 'CONNECT' }), socket as Socket),
  )
  // With a listener Node leaves it to us which silent connections end. One timer for a connection, none for a request.
  app.server.on('timeout', letGoOfSilent)
  registerStreetDoor(app, building)
  return app
}
