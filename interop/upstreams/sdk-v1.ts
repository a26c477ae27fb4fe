import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { z } from 'zod'
import type { Upstream } from '../peers.ts'
import { OWN_PLAN } from '../plan.ts'
import { versionOf } from '../versions.ts'
import { watchHttp } from './watched.ts'

const said = (text: string) => ({ content: [{ type: 'text' as const, text }] })

/** On the official SDK for TypeScript before 2026-07-28, with a session for each client. */
export const sdkV1Upstream: Upstream = {
  alias: 'sdk-v1',
  name: 'SDK v1, sessions',
  version: versionOf('@modelcontextprotocol/sdk'),
  plan: OWN_PLAN,
  async start() {
    const sessions = new Map<string, StreamableHTTPServerTransport>()
    const open = async (): Promise<StreamableHTTPServerTransport> => {
      const transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: id => void sessions.set(id, transport),
        onsessionclosed: id => void sessions.delete(id),
      })
      // The package's types are not made for `exactOptionalPropertyTypes`.
      await build().connect(transport as Transport)
      return transport
    }
    const http = createServer(async (request, response) => {
      const { 'mcp-session-id': id } = request.headers
      const transport = id === undefined ? await open() : sessions.get(String(id))
      if (transport === undefined) response.writeHead(404).end()
      else await transport.handleRequest(request, response)
    })
    await once(http.listen(0, '127.0.0.1'), 'listening')
    return watchHttp('http', `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, async () => {
      http.close()
      http.closeAllConnections()
    })
  },
}

function build(): McpServer {
  const server = new McpServer({ name: 'interop-sdk-v1', version: '1.0.0' })
  server.registerTool('add', { description: 'Adds.', inputSchema: { a: z.number(), b: z.number() } }, ({ a, b }) => said(`${a + b}`))
  server.registerTool('fail', { description: 'Fails.' }, () => ({ ...said('this always fails'), isError: true }))
  server.registerTool(
    'count',
    { description: 'Counts, and tells how far it has come.', inputSchema: { to: z.number() } },
    async ({ to }, { _meta, sendNotification }) => {
      for (let progress = 1; progress <= to; progress += 1) {
        if (_meta?.progressToken !== undefined) {
          const params = { progressToken: _meta.progressToken, progress, total: to }
          await sendNotification({ method: 'notifications/progress', params })
        }
        await sleep(20)
      }
      return said(`counted to ${to}`)
    },
  )
  // As the package's own pages show it: the question names no request, and goes out on the session's stream.
  server.registerTool('ask', { description: 'Asks for a name.' }, async () => {
    const requestedSchema = { type: 'object' as const, properties: { name: { type: 'string' as const } }, required: ['name'] }
    const { content } = await server.server.elicitInput({ message: 'What is your name?', requestedSchema })
    return said(`Hello, ${content?.name}!`)
  })
  server.registerTool('wait', { description: 'Takes some seconds.' }, async ({ signal }) => {
    await sleep(4_000, undefined, { signal })
    return said('waited')
  })
  server.registerResource('note', 'note://one', { description: 'A note.', mimeType: 'text/plain' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'text/plain', text: 'the first note' }],
  }))
  server.registerPrompt('greet', { description: 'Greets.', argsSchema: { name: z.string() } }, ({ name }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Greet ${name}, please.` } }],
  }))
  return server
}
