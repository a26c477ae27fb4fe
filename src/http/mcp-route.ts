import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { EndpointConfig } from '../core/configuration.ts'
import { Refusal } from '../core/errors.ts'
import { authenticate, handle } from '../pipeline/index.ts'
import { EventStream } from './caller-stream.ts'
import { checkHeaders, checkMediaType } from './doorstep.ts'
import { refuse } from './respond.ts'
import { type Building, outlive, type StreamedExchange } from './visit.ts'

/** Methods that get a clear answer instead of a 404: sessions and GET streams are of older revisions (MCP 2026-07-28 streamable-http §Backward Compatibility). */
const OTHER_METHODS = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const NO_HEADERS = {}

/** RFC 9110 §10.1.1. */
const CONTINUE = /^100-continue$/i

/** One endpoint: POST is served, everything else authenticated and then refused. */
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
    if (request.method === 'POST' && CONTINUE.test(request.headers.expect ?? '')) reply.raw.writeContinue()
  }

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { visit } = request
    const { guests } = visit.house
    // `admit` has made it.
    const exchange = visit.exchange as StreamedExchange
    const stream = exchange.caller
    visit.busy = true
    guests.enter()
    try {
      const { status, body, headers } = await handle(exchange, request.body as Buffer)
      visit.trace.close({ status, bytes: stream.bytes + Buffer.byteLength(body), cancelled: stream.gone })
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
      if (!visit.outlives) guests.leave()
    }
  }

  app.route({ method: 'POST', url: endpoint.path, bodyLimit: maxBodyBytes, onRequest: admit, handler: answer })
  app.route({
    method: OTHER_METHODS,
    url: endpoint.path,
    onRequest: admit,
    handler: async () => {
      throw new Refusal('HTTP_METHOD_NOT_ALLOWED', { allow: 'POST' })
    },
  })
}
