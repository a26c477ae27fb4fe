import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { type CreateMcpHandlerOptions, createMcpHandler, type McpServer } from '@modelcontextprotocol/server'

export interface SdkServer {
  readonly url: string
  close(): Promise<void>
}

/** A server on the official SDK; `build` makes it anew for each request. */
export async function startSdkServer(build: () => McpServer, options: CreateMcpHandlerOptions = {}): Promise<SdkServer> {
  const serve = toNodeHandler(createMcpHandler(build, options))
  // The adapter's types are not made for `exactOptionalPropertyTypes`.
  const http = createServer((request, response) => void serve(request as Parameters<typeof serve>[0], response))
  await once(http.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    async close() {
      http.close()
      http.closeAllConnections()
      await once(http, 'close')
    },
  }
}
