import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { type EventStore, StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

export interface SdkV1Server {
  readonly url: string
  /** Ids of the sessions that are open. */
  readonly sessions: ReadonlySet<string>
  close(): Promise<void>
}

export interface SdkV1Options {
  /** False: every request gets a server of its own, and no session. */
  readonly sessions?: boolean
  readonly enableJsonResponse?: boolean
  /** Keeps what was said on streams, so that they can be resumed. */
  readonly eventStore?: EventStore
}

/** A server on the official SDK from before 2026-07-28; `build` makes it anew for each session. */
export async function startSdkV1Server(build: () => McpServer, { sessions = true, ...options }: SdkV1Options = {}): Promise<SdkV1Server> {
  const transports = new Map<string, StreamableHTTPServerTransport>()
  const open = async (): Promise<StreamableHTTPServerTransport> => {
    const transport = new StreamableHTTPServerTransport({
      ...options,
      ...(sessions && { sessionIdGenerator: randomUUID }),
      onsessioninitialized: id => void transports.set(id, transport),
      onsessionclosed: id => void transports.delete(id),
    })
    // The package's types are not made for `exactOptionalPropertyTypes`.
    await build().connect(transport as Transport)
    return transport
  }
  const http = createServer(async (request, response) => {
    const { 'mcp-session-id': id } = request.headers
    const transport = id === undefined ? await open() : transports.get(String(id))
    if (transport === undefined) response.writeHead(404).end()
    else await transport.handleRequest(request, response)
  })
  await once(http.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    get sessions() {
      return new Set(transports.keys())
    },
    async close() {
      http.close()
      http.closeAllConnections()
      await once(http, 'close')
    },
  }
}
