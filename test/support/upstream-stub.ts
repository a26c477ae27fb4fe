import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SeenRequest {
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  /** As it came, to the byte. */
  readonly body: string
  readonly message: { readonly id: number; readonly method: string; readonly params: Record<string, unknown> }
}

export type Tool = Readonly<Record<string, unknown>> & { readonly name: string }
/** Answers a `tools/call`: a result object, or anything at all written to `response` (then return undefined). */
export type OnCall = (request: SeenRequest, response: ServerResponse) => unknown

/** A modern MCP server made by hand, so that it can also be hostile: it sees every byte and says whatever it is told to. */
export interface UpstreamStub {
  readonly url: string
  tools: readonly Tool[]
  onCall: OnCall
  /** Overrides the answer to `tools/list`. */
  onList: OnCall | undefined
  /** Every `tools/call` that arrived; the gateway's own listing is not among them. */
  readonly calls: SeenRequest[]
  readonly lists: SeenRequest[]
  close(): Promise<void>
}

export function text(value: string): unknown {
  return { resultType: 'complete', content: [{ type: 'text', text: value }] }
}

export async function startUpstreamStub(tools: readonly Tool[], onCall: OnCall = () => text('done'), port = 0): Promise<UpstreamStub> {
  const server = createServer((request, response) => void serve(stub, request, response))
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const stub: UpstreamStub = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    tools,
    onCall,
    onList: undefined,
    calls: [],
    lists: [],
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  return stub
}

export function sendResult(response: ServerResponse, id: unknown, result: unknown): void {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
}

/** Answers with an event stream of these messages, each one event. */
export function sendEvents(response: ServerResponse, messages: readonly unknown[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const message of messages) response.write(`data: ${JSON.stringify(message)}\n\n`)
  response.end()
}

async function serve(stub: UpstreamStub, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer)
  } catch {
    return
  }
  const body = Buffer.concat(chunks).toString()
  const { headers, rawHeaders } = request
  const seen: SeenRequest = { headers, rawHeaders, body, message: JSON.parse(body) }
  const isList = seen.message.method === 'tools/list'
  ;(isList ? stub.lists : stub.calls).push(seen)
  const answer = isList ? (stub.onList ?? listTools(stub)) : stub.onCall
  const result = await answer(seen, response)
  if (result !== undefined && !response.headersSent) sendResult(response, seen.message.id, result)
}

const listTools =
  (stub: UpstreamStub): OnCall =>
  () => ({ resultType: 'complete', tools: stub.tools, ttlMs: 60_000, cacheScope: 'public' })
