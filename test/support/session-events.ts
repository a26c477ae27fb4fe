import type { JsonObject } from '../../src/core/json.ts'
import { type EventReader, readEvents } from './event-reader.ts'
import type { Caller, TestGateway } from './gateway.ts'
import type { TestSession } from './session.ts'

type At = Pick<TestGateway, 'url'> & Pick<Caller, 'token'>
type Of = Pick<TestSession, 'id' | 'protocolVersion'>

export interface SessionRequest {
  readonly id?: string | number
  readonly token?: string
  readonly lastEventId?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly onSent?: (cut: () => void) => void
}

function headersOf(at: At, session: Of, { token = at.token(), lastEventId, headers = {} }: SessionRequest): Record<string, string> {
  return {
    authorization: `Bearer ${token}`,
    'mcp-session-id': session.id,
    ...(session.protocolVersion < '2025-06-18' ? {} : { 'mcp-protocol-version': session.protocolVersion }),
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    ...headers,
  }
}

/** GET: the session's own stream, or with `lastEventId` the rest of another. */
export function hear(at: At, session: Of, options: SessionRequest = {}): Promise<EventReader> {
  return readEvents(at.url, { headers: headersOf(at, session, options) })
}

/** A request whose answer is read as it comes. */
export function ask(at: At, session: Of, method: string, params: JsonObject, options: SessionRequest = {}): Promise<EventReader> {
  const body = { jsonrpc: '2.0', id: options.id ?? 1, method, params }
  return readEvents(at.url, {
    method: 'POST',
    headers: headersOf(at, session, options),
    body,
    ...(options.onSent && { onSent: options.onSent }),
  })
}

export function askTool(
  at: At,
  session: Of,
  name: string,
  args: JsonObject,
  options: SessionRequest & { readonly meta?: JsonObject } = {},
) {
  const meta = options.meta === undefined ? {} : { _meta: options.meta }
  return ask(at, session, 'tools/call', { name, arguments: args, ...meta }, options)
}

/** DELETE. */
export async function endSession(
  at: At,
  session: Of,
  options: SessionRequest = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(at.url, { method: 'DELETE', headers: headersOf(at, session, options) })
  return { status: answer.status, text: await answer.text() }
}
