import { randomBytes } from 'node:crypto'
import { acceptedContent, inputRequired, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { type ServedMcp, serveMcp, text } from './mcp-server.ts'

export interface Tickets extends ServedMcp {
  /** The token this server asks for. Only the gateway has it. */
  readonly credential: string
  readonly created: readonly string[]
}

/** The caller's client repeats the region in a header, for proxies that route by it (`x-mcp-header`). */
const region = z.enum(['eu', 'us']).meta({ 'x-mcp-header': 'Region' })
const solution = z.object({ solution: z.string() })

/** A ticket system: `create_ticket` has an effect each time it runs, and keeps no keys; `close_ticket` asks back first. */
export async function startTickets(): Promise<Tickets> {
  const credential = randomBytes(24).toString('base64url')
  const created: string[] = []
  const served = await serveMcp(() => {
    const server = new McpServer({ name: 'tickets', version: '1.0.0' })
    server.registerTool(
      'search_tickets',
      { description: 'Finds open tickets of a region.', inputSchema: z.strictObject({ region, word: z.string() }) },
      ({ region, word }) => text(`2 open tickets in ${region} about ${word}`),
    )
    server.registerTool(
      'create_ticket',
      {
        description: 'Opens a ticket.',
        inputSchema: z.strictObject({ region, title: z.string().max(80), priority: z.enum(['low', 'normal', 'urgent']) }),
      },
      ({ title }) => text(`ticket ${created.push(title)}`),
    )
    server.registerTool(
      'close_ticket',
      { description: 'Closes a ticket.', inputSchema: z.strictObject({ id: z.int() }) },
      ({ id }, { mcpReq }) => {
        const answer = acceptedContent(mcpReq.inputResponses, 'solution', solution)
        if (answer !== undefined) return text(`ticket ${id} is closed: ${answer.solution}`)
        const question = inputRequired.elicit({ message: 'How was it solved?', requestedSchema: solution })
        return inputRequired({ inputRequests: { solution: question } })
      },
    )
    server.registerTool(
      'delete_ticket',
      { description: 'Deletes a ticket for good.', inputSchema: z.strictObject({ id: z.int() }) },
      ({ id }) => text(`ticket ${id} is gone`),
    )
    return server
  }, credential)
  return Object.assign(served, { credential, created })
}
