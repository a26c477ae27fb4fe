import type { JsonObject } from '../../src/core/json.ts'
import type { Answer, Caller } from './gateway.ts'

/** What a client of a revision with sessions says: `initialize`, then everything under the id that came back. */
export interface TestSession {
  readonly id: string
  readonly protocolVersion: string
  /** The answer to its `initialize`. */
  readonly hello: Answer
  /** One request, with everything in order; `headers` may break it. */
  send(method: string, params?: JsonObject, options?: SessionSendOptions): Promise<Answer>
  call(name: string, args?: JsonObject, options?: SessionSendOptions): Promise<Answer>
  notify(method: string, params?: JsonObject): Promise<Answer>
  /** A message of any kind, as it is. */
  post(message: object | string, options?: SessionSendOptions): Promise<Answer>
}

export interface SessionSendOptions {
  readonly id?: string | number
  readonly token?: string
  readonly headers?: Readonly<Record<string, string | undefined>>
}

export interface SessionOptions {
  readonly protocolVersion?: string
  readonly capabilities?: JsonObject
  readonly token?: string
}

export const EARLIER = ['2025-11-25', '2025-06-18', '2025-03-26'] as const

export function initializeBody(protocolVersion: string, capabilities: JsonObject = {}): string {
  const params = { protocolVersion, capabilities, clientInfo: { name: 'client', version: '1' } }
  return JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
}

export async function openSession(
  caller: Caller,
  { protocolVersion = '2025-11-25', capabilities = {}, token = caller.token() }: SessionOptions = {},
): Promise<TestSession> {
  const hello = await caller.post(initializeBody(protocolVersion, capabilities), { authorization: `Bearer ${token}` })
  const id = hello.headers.get('mcp-session-id')
  if (id === null) throw new Error(`no session: ${hello.status} ${hello.text}`)
  const session = inSession(caller, id, { protocolVersion, token })
  await session.notify('notifications/initialized')
  return { ...session, hello }
}

/** A session that is known by its id, perhaps to another gateway than the one that gave it. */
export function inSession(
  caller: Caller,
  id: string,
  { protocolVersion = '2025-11-25', token = caller.token() }: SessionOptions = {},
): Omit<TestSession, 'hello'> {
  const post: TestSession['post'] = (message, options = {}) => {
    const headers: Record<string, string | undefined> = {
      authorization: `Bearer ${options.token ?? token}`,
      'mcp-session-id': id,
      // Of no use before 2025-06-18, and not sent by clients of then.
      'mcp-protocol-version': protocolVersion < '2025-06-18' ? undefined : protocolVersion,
      ...options.headers,
    }
    const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined)
    return caller.post(typeof message === 'string' ? message : JSON.stringify(message), Object.fromEntries(given))
  }
  const send: TestSession['send'] = (method, params, options = {}) =>
    post({ jsonrpc: '2.0', id: options.id ?? 1, method, ...(params && { params }) }, options)
  return {
    id,
    protocolVersion,
    post,
    send,
    call: (name, args = {}, options) => send('tools/call', { name, arguments: args }, options),
    notify: (method, params) => post({ jsonrpc: '2.0', method, ...(params && { params }) }),
  }
}
