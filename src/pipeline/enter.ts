import { Refusal } from '../core/errors.ts'
import { type JsonDocument, JsonError, parseJson } from '../core/json.ts'
import type { Principal } from '../core/model.ts'
import { type Message, parseMessage, requestIdOf } from '../mcp/index.ts'
import type { Exchange } from './exchange.ts'

/** An exchange whose caller is known. */
export type Admitted = Exchange & { readonly principal: Principal }

/** Before the body. Runs in Fastify's `onRequest`, so nothing is buffered for a stranger. */
export async function authenticate(exchange: Exchange): Promise<void> {
  const { rooms, endpoint, address, authorization, trace } = exchange
  try {
    exchange.principal = await trace.step('auth', () => rooms.auth.authenticate(authorization, endpoint))
  } catch (error) {
    // Failures alone are limited: whoever shares an address, or a proxy, with a guesser keeps what a good token opens.
    if (error instanceof Refusal && error.code === 'AUTH_TOKEN_INVALID') rooms.limits.countFailedAuthentication(address)
    throw error
  }
}

/** From bytes to one JSON-RPC message. Once they are JSON, errors are answered under the id that stands in it, if it can be one. */
export function parseBody(exchange: Exchange, body: Uint8Array): Message {
  const document = parseDocument(body)
  exchange.requestId = requestIdOf(document)
  return parseMessage(document)
}

function parseDocument(body: Uint8Array): JsonDocument {
  try {
    return parseJson(body)
  } catch (error) {
    if (error instanceof JsonError) throw new Refusal('MCP_PARSE', {}, { reason: error.reason, offset: error.offset })
    throw error
  }
}

/** A request cannot get behind this line without a principal. */
export function checkAdmitted(exchange: Exchange): Admitted {
  if (exchange.principal === undefined) throw new Refusal('AUTH_TOKEN_MISSING')
  return exchange as Admitted
}
