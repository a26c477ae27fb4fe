import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, type McpServer, type Server } from '@modelcontextprotocol/server'

export interface ServedMcp {
  readonly url: string
  /** Who the latest caller said to be: its Authorization header. */
  readonly lastAuthorization: string | undefined
  /** Breaks every open connection, as a crash would. */
  breakConnections(): void
  close(): Promise<void>
}

/** One MCP server on the official SDK, at a free port. `build` makes it anew for each request, so that what it lists may change. */
export async function serveMcp(build: () => McpServer | Server, credential?: string): Promise<ServedMcp> {
  const mcp = createMcpHandler(build, { legacy: 'reject' })
  const handle = toNodeHandler(mcp)
  let lastAuthorization: string | undefined
  const http = createServer((request, response) => {
    lastAuthorization = request.headers.authorization
    if (credential !== undefined && lastAuthorization !== `Bearer ${credential}`) return void response.writeHead(401).end()
    // The adapter's types are not made for `exactOptionalPropertyTypes`.
    void handle(request as Parameters<typeof handle>[0], response)
  })
  await once(http.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    get lastAuthorization() {
      return lastAuthorization
    },
    breakConnections: () => http.closeAllConnections(),
    async close() {
      await mcp.close()
      http.close()
      http.closeAllConnections()
      await once(http, 'close')
    },
  }
}

export const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] })
