import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { type CreateMcpHandlerOptions, createMcpHandler, type McpServer, type ServerNotifier } from '@modelcontextprotocol/server'

export interface SdkServer {
  readonly url: string
  /** Says to every open subscription that something has changed. */
  readonly notify: ServerNotifier
  close(): Promise<void>
}

/** A server on the official SDK; `build` makes it anew for each request. */
export async function startSdkServer(build: () => McpServer, options: CreateMcpHandlerOptions = {}): Promise<SdkServer> {
  const handler = createMcpHandler(build, options)
  const serve = toNodeHandler(handler)
  // The adapter's types are not made for `exactOptionalPropertyTypes`.
  const http = createServer((request, response) => void serve(request as Parameters<typeof serve>[0], response))
  await once(http.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    notify: handler.notify,
    async close() {
      await handler.close()
      http.close()
      http.closeAllConnections()
      await once(http, 'close')
    },
  }
}
