import type { FastifyReply, FastifyRequest } from 'fastify'

/** What MCP clients in browsers must be able to read beside the body. */
const EXPOSED = 'WWW-Authenticate, Retry-After, MCP-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name'
const METHODS = 'POST, GET, DELETE, OPTIONS'
const MAX_AGE_SECONDS = '600'

/**
 * Lets a page read the answer (WHATWG Fetch §3.2 CORS protocol). Comes after the Origin check, so any origin seen here is allowed.
 * Requests of programs carry no Origin and are not touched: that is most of them, and why no plugin stands here.
 */
export function allowPage(request: FastifyRequest, reply: FastifyReply, isPublic: boolean): void {
  const { origin } = request.headers
  if (origin === undefined) return
  if (isPublic) reply.header('access-control-allow-origin', '*')
  else reply.header('access-control-allow-origin', origin).header('vary', 'Origin')
  reply.header('access-control-expose-headers', EXPOSED)
}

/** A question of the browser before the real request. It carries no token, so it is answered before authentication. */
export function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined
}

/** Names each header that was asked for: a `*` would not cover Authorization, and `Mcp-Param-*` names are the tools' own. */
export function answerPreflight(request: FastifyRequest, reply: FastifyReply): void {
  const asked = request.headers['access-control-request-headers']
  if (asked !== undefined) reply.header('access-control-allow-headers', asked).header('vary', 'Origin, Access-Control-Request-Headers')
  void reply.code(204).header('access-control-allow-methods', METHODS).header('access-control-max-age', MAX_AGE_SECONDS).send()
}
