import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { EndpointConfig } from '../core/configuration.ts'
import { Refusal } from '../core/errors.ts'
import { isModern } from '../mcp/index.ts'
import { authenticate, endSession, handle, hear } from '../pipeline/index.ts'
import { EventStream } from './caller-stream.ts'
import { checkHeaders, checkMediaType } from './doorstep.ts'
import { refuse } from './respond.ts'
import { type Building, outlive, type StreamedExchange, unload, type Visit } from './visit.ts'

/** Methods that get a clear answer instead of a 404. */
const OTHER_METHODS = ['HEAD', 'PUT', 'PATCH', 'OPTIONS']

const NO_HEADERS = {}

/** RFC 9110 §10.1.1. */
const CONTINUE = /^100-continue$/i

/**
 * One endpoint: POST is served, and where sessions are, GET and DELETE; everything else is authenticated and then refused. Sessions and GET
 * streams are of older revisions (MCP 2026-07-28 streamable-http §Backward Compatibility).
 */
export function registerEndpoint(app: FastifyInstance, endpoint: EndpointConfig, building: Building, maxBodyBytes: number): void {
  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { visit } = request
    // The router also reads other spellings of the path (`/%6Dcp`, `http://elsewhere/mcp`, `/mcp#x`): rules in front of us that go by path do not.
    if (visit.endpoint === undefined) throw new Refusal('HTTP_NOT_FOUND')
    const { headers, authorization } = checkHeaders(request.raw, visit.house.forwardHeaders)
    if (request.method === 'POST') checkMediaType(request.raw)
    const exchange: StreamedExchange = {
      rooms: visit.house.rooms,
      // The revision's own endpoint, not the one the route was registered with: scopes may have changed since.
      endpoint: visit.endpoint,
      headers,
      authorization,
      address: request.socket.remoteAddress ?? '',
      trace: visit.trace,
      caller: new EventStream(reply, building.streams),
      principal: undefined,
      requestId: undefined,
      method: undefined,
      era: 'modern',
      session: undefined,
      outlive: () => outlive(visit),
    }
    visit.exchange = exchange
    await authenticate(exchange)
    const length = request.headers['content-length']
    if (length !== undefined) load(visit, exchange, Math.min(Number(length), maxBodyBytes))
    if (request.method === 'POST' && CONTINUE.test(request.headers.expect ?? '')) reply.raw.writeContinue()
  }

  async function post(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const exchange = enter(request.visit)
    const stream = exchange.caller
    try {
      // Of one that came in pieces nobody knew before.
      if (request.headers['content-length'] === undefined) load(request.visit, exchange, (request.body as Buffer).length)
      const { status, body, headers } = await handle(exchange, request.body as Buffer)
      exchange.trace.close({ status, bytes: stream.bytes + Buffer.byteLength(body), cancelled: stream.gone })
      if (exchange.era === 'legacy' && status === 200 && headers === undefined && stream.prefersStream) stream.open()
      if (stream.opened) stream.finish(body)
      else if (status === 202) void reply.code(202).send()
      else
        void reply
          .code(status)
          .headers(headers ?? NO_HEADERS)
          .header('content-type', 'application/json')
          .header('cache-control', 'private, no-store')
          .send(body)
    } catch (error) {
      refuse(error, request, reply)
    } finally {
      leave(request.visit)
    }
  }

  async function get(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const exchange = enter(request.visit)
    const stream = exchange.caller
    try {
      checkSessions(exchange)
      const isUnfinished = await hear(exchange, single(request.headers['last-event-id']))
      // Its client leaves when it has heard enough: nothing was cancelled.
      exchange.trace.close({ status: stream.opened ? 200 : 204, bytes: stream.bytes, cancelled: false })
      if (stream.opened) stream.leaveOff(isUnfinished)
      // WHATWG HTML §9.2.3: what tells a client that there is nothing to come back for.
      else void reply.code(204).header('content-type', 'text/event-stream').send()
    } catch (error) {
      refuse(error, request, reply)
    } finally {
      leave(request.visit)
    }
  }

  async function remove(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const exchange = enter(request.visit)
    try {
      checkSessions(exchange)
      await endSession(exchange)
      exchange.trace.close({ status: 204, bytes: 0, cancelled: exchange.caller.gone })
      void reply.code(204).send()
    } catch (error) {
      refuse(error, request, reply)
    } finally {
      leave(request.visit)
    }
  }

  function load(visit: Visit, { principal }: StreamedExchange, bytes: number): void {
    if (principal !== undefined && !visit.isClosed) visit.unload = building.luggage.admit(principal, bytes)
  }

  const refuseMethod = async ({ visit }: FastifyRequest): Promise<void> => {
    throw notAllowed(visit.endpoint ?? endpoint)
  }

  const route = { url: endpoint.path, bodyLimit: maxBodyBytes, onRequest: admit }
  app.route({ ...route, method: 'POST', handler: post })
  app.route({ ...route, method: 'GET', handler: get })
  app.route({ ...route, method: 'DELETE', handler: remove })
  app.route({ ...route, method: OTHER_METHODS, handler: refuseMethod })
}

/** Into the corridor; the house stays open meanwhile. */
function enter(visit: Visit): StreamedExchange {
  visit.busy = true
  visit.house.guests.enter()
  // `admit` has made it.
  return visit.exchange as StreamedExchange
}

function leave(visit: Visit): void {
  const { exchange, house, outlives } = visit
  exchange?.caller.settle()
  visit.isThrough = true
  unload(visit)
  if (!outlives) house.guests.leave()
}

function checkSessions({ endpoint }: StreamedExchange): void {
  if (isModern(endpoint.minProtocolVersion)) throw notAllowed(endpoint)
}

function notAllowed({ minProtocolVersion }: EndpointConfig): Refusal {
  return new Refusal('HTTP_METHOD_NOT_ALLOWED', { allow: isModern(minProtocolVersion) ? 'POST' : 'GET, POST, DELETE' })
}

/** Node joins what comes twice, and none of our event ids has a comma. */
function single(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.join()
}
