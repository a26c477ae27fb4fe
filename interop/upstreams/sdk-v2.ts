import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { acceptedContent, createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Upstream } from '../peers.ts'
import { OWN_PLAN } from '../plan.ts'
import { versionOf } from '../versions.ts'
import { watchHttp } from './watched.ts'

const NAME = z.object({ name: z.string() })
const said = (text: string) => ({ content: [{ type: 'text' as const, text }] })

/** On the official SDK for TypeScript as it starts by default: 2026-07-28, and earlier clients without sessions. */
export const sdkV2Upstream: Upstream = {
  alias: 'sdk-v2',
  name: 'SDK v2',
  version: versionOf('@modelcontextprotocol/server'),
  plan: OWN_PLAN,
  async start() {
    const handler = createMcpHandler(build)
    const serve = toNodeHandler(handler)
    // The adapter's types are not made for `exactOptionalPropertyTypes`.
    const http = createServer((request, response) => void serve(request as Parameters<typeof serve>[0], response))
    await once(http.listen(0, '127.0.0.1'), 'listening')
    return watchHttp('http', `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, async () => {
      await handler.close()
      http.close()
      http.closeAllConnections()
    })
  },
}

function build(): McpServer {
  const server = new McpServer({ name: 'interop-sdk-v2', version: '1.0.0' })
  server.registerTool('add', { description: 'Adds.', inputSchema: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) =>
    said(`${a + b}`),
  )
  server.registerTool('fail', { description: 'Fails.' }, () => ({ ...said('this always fails'), isError: true }))
  server.registerTool(
    'count',
    { description: 'Counts, and tells how far it has come.', inputSchema: z.object({ to: z.number() }) },
    async ({ to }, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken
      for (let progress = 1; progress <= to; progress += 1) {
        if (progressToken !== undefined)
          await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: to } })
        await sleep(20)
      }
      return said(`counted to ${to}`)
    },
  )
  server.registerTool('ask', { description: 'Asks for a name.', inputSchema: z.object({}) }, (_args, { mcpReq }) => {
    const answer = acceptedContent(mcpReq.inputResponses, 'name', NAME)
    if (answer !== undefined) return said(`Hello, ${answer.name}!`)
    return inputRequired({ inputRequests: { name: inputRequired.elicit({ message: 'What is your name?', requestedSchema: NAME }) } })
  })
  server.registerTool('wait', { description: 'Takes some seconds.', inputSchema: z.object({}) }, async (_args, { mcpReq }) => {
    await sleep(4_000, undefined, { signal: mcpReq.signal })
    return said('waited')
  })
  server.registerResource('note', 'note://one', { description: 'A note.', mimeType: 'text/plain' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'text/plain', text: 'the first note' }],
  }))
  server.registerPrompt('greet', { description: 'Greets.', argsSchema: NAME }, ({ name }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Greet ${name}, please.` } }],
  }))
  return server
}
