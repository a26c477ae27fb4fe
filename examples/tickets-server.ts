/** `npm run example`: an MCP server on the official SDK, for trying the gateway without one of your own. It asks nobody for a token. */
import { createServer } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import './end-with-npm.ts'

const tickets = ['The printer is on fire.', 'The printer is out.']

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'tickets', version: '1.0.0' })
  const say = (text: string) => ({ content: [{ type: 'text' as const, text }] })
  server.registerTool('list_tickets', { description: 'Lists all tickets.', inputSchema: z.object({}) }, () =>
    say(tickets.map((text, index) => `${index + 1}. ${text}`).join('\n')),
  )
  server.registerTool(
    'create_ticket',
    { description: 'Creates a ticket.', inputSchema: z.object({ text: z.string().min(1).max(200) }) },
    ({ text }) => say(`Ticket ${tickets.push(text)} created.`),
  )
  return server
})

const serve = toNodeHandler(handler)
const port = Number(process.env.PORT ?? 3000)
// The adapter's types are not made for `exactOptionalPropertyTypes`.
createServer((request, response) => void serve(request as Parameters<typeof serve>[0], response)).listen(port, '127.0.0.1', () => {
  process.stdout.write(`an MCP server at http://127.0.0.1:${port}/mcp\n`)
})
