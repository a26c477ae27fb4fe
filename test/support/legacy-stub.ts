import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Item, Tool } from './upstream-stub.ts'

export interface LegacySeen {
  readonly httpMethod: string
  readonly headers: IncomingHttpHeaders
  /** As it came, to the byte; empty for GET and DELETE. */
  readonly body: string
  readonly message: LegacyMessage
  /** The session it came in; `undefined` where it named none. */
  readonly session: string | undefined
}

export interface LegacyMessage {
  readonly id?: number | string
  readonly method?: string
  readonly params?: Item & { readonly _meta?: Item }
  readonly result?: Item
  readonly error?: Item
}

/** Answers a request: a result object, or anything at all written to `response` (then return undefined). */
export type OnLegacy = (seen: LegacySeen, response: ServerResponse) => unknown

export interface LegacyStubOptions {
  readonly port?: number
  /** False: it keeps none and gives no id. */
  readonly sessions?: boolean
  /** Answers as event streams, or as plain JSON. */
  readonly answers?: 'stream' | 'json'
  readonly protocolVersion?: string
  /** `false`: GET is answered with 405. */
  readonly channel?: boolean
}

/** An MCP server of 2025 made by hand, so that it can also be hostile: it sees every byte and says whatever it is told to. */
export interface LegacyStub {
  readonly url: string
  tools: readonly Tool[]
  capabilities: Item
  instructions: string | undefined
  protocolVersion: string
  /** `tools/call` and everything else that is not below. */
  onCall: OnLegacy
  /** By method; before all others. `GET`, `DELETE` and `response` are methods too. */
  readonly on: Map<string, OnLegacy>
  /** Everything that arrived, in order. */
  readonly seen: LegacySeen[]
  readonly sessions: Set<string>
  /** Everything of this method that arrived; for a response `response`, for a GET and DELETE that. */
  of(method: string): readonly LegacySeen[]
  /** Says something on every open GET stream. */
  notify(message: Item): void
  /** Cuts every open GET stream. */
  drop(): void
  close(): Promise<void>
}

export const legacyText = (value: string): Item => ({ content: [{ type: 'text', text: value }] })

export async function startLegacyStub(options: LegacyStubOptions = {}): Promise<LegacyStub> {
  const { port = 0, sessions: keepsSessions = true, answers = 'stream', protocolVersion = '2025-11-25', channel = true } = options
  const channels = new Set<ServerResponse>()
  const stub: LegacyStub = {
    url: '',
    tools: [],
    capabilities: { tools: { listChanged: true }, logging: {} },
    instructions: undefined,
    protocolVersion,
    onCall: () => legacyText('done'),
    on: new Map(),
    seen: [],
    sessions: new Set(),
    of: method => stub.seen.filter(seen => nameOf(seen) === method),
    notify(message) {
      for (const response of channels) writeLegacyEvent(response, { jsonrpc: '2.0', ...message })
    },
    drop() {
      for (const response of channels) response.destroy()
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }

  const builtIn: Readonly<Record<string, OnLegacy>> = {
    initialize(_seen, response) {
      if (keepsSessions) {
        const id = randomUUID()
        stub.sessions.add(id)
        response.setHeader('mcp-session-id', id)
      }
      const { capabilities, instructions } = stub
      return {
        protocolVersion: stub.protocolVersion,
        capabilities,
        serverInfo: { name: 'stub', version: '1' },
        ...(instructions === undefined ? {} : { instructions }),
      }
    },
    ping: () => ({}),
    'tools/list': () => ({ tools: stub.tools }),
    'logging/setLevel': () => ({}),
    'resources/subscribe': () => ({}),
    'resources/unsubscribe': () => ({}),
    'server/discover': (seen, response) => sendLegacyError(response, seen.message.id, -32601, 'Method not found'),
    DELETE(seen, response) {
      if (seen.session !== undefined) stub.sessions.delete(seen.session)
      response.end()
    },
    GET(_seen, response) {
      if (!channel) {
        response.statusCode = 405
        response.end()
        return
      }
      beginStream(response)
      channels.add(response)
      response.on('close', () => channels.delete(response))
    },
    response(_seen, response) {
      response.statusCode = 202
      response.end()
    },
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen = await readRequest(request)
    if (seen === undefined) return
    stub.seen.push(seen)
    const name = nameOf(seen)
    // What a server of that time says to a request that begins no session and is in none.
    if (keepsSessions && name !== 'initialize' && !stub.on.has(name)) {
      if (seen.session === undefined) return sendLegacyStatus(response, 400, -32000, 'Bad Request: Mcp-Session-Id header is required')
      if (!stub.sessions.has(seen.session)) return sendLegacyStatus(response, 404, -32001, 'Session not found')
    }
    const isNotice = name.startsWith('notifications/')
    const answer = stub.on.get(name) ?? (isNotice ? builtIn.response : builtIn[name]) ?? stub.onCall
    const result = await answer(seen, response)
    if (result === undefined || response.headersSent) return
    const message = { jsonrpc: '2.0', id: seen.message.id, result }
    if (answers === 'json') sendLegacyJson(response, 200, message)
    else sendLegacyEvents(response, [message])
  }

  const server = createServer((request, response) => void serve(request, response))
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return Object.assign(stub, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` })
}

function nameOf({ httpMethod, message }: LegacySeen): string {
  return httpMethod === 'POST' ? (message.method ?? 'response') : httpMethod
}

async function readRequest(request: IncomingMessage): Promise<LegacySeen | undefined> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer)
  } catch {
    return undefined
  }
  const body = Buffer.concat(chunks).toString()
  const { method = '', headers } = request
  const session = headers['mcp-session-id']
  return {
    httpMethod: method,
    headers,
    body,
    message: body === '' ? {} : JSON.parse(body),
    session: typeof session === 'string' ? session : undefined,
  }
}

export function beginStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
}

export function writeLegacyEvent(response: ServerResponse, message: unknown, id?: string): void {
  response.write(`${id === undefined ? '' : `id: ${id}\n`}data: ${message === '' ? '' : JSON.stringify(message)}\n\n`)
}

/** Answers with an event stream of these messages, each one event. */
export function sendLegacyEvents(response: ServerResponse, messages: readonly unknown[]): undefined {
  beginStream(response)
  for (const message of messages) writeLegacyEvent(response, message)
  response.end()
}

export function sendLegacyJson(response: ServerResponse, status: number, message: unknown): undefined {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(message))
}

/** An error under the request's id, with the status of servers of that time. */
export function sendLegacyError(response: ServerResponse, id: unknown, code: number, message: string): undefined {
  return sendLegacyJson(response, 200, { jsonrpc: '2.0', id, error: { code, message } })
}

/** An error that belongs to no request. */
export function sendLegacyStatus(response: ServerResponse, status: number, code: number, message: string): undefined {
  return sendLegacyJson(response, status, { jsonrpc: '2.0', id: null, error: { code, message } })
}
