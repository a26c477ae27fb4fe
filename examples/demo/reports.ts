import { setTimeout as pause } from 'node:timers/promises'
import { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { type ServedMcp, serveMcp } from './mcp-server.ts'

export interface Reports extends ServedMcp {
  /** From now on the server says more exactly what a tool does. */
  sayMore(): void
}

const QUARTERS = 4

/** A reports server: its results have a schema, and a long export tells how far it is. */
export async function startReports(): Promise<Reports> {
  let day = 'on a day'
  const served = await serveMcp(() => {
    const server = new McpServer({ name: 'reports', version: '1.0.0' })
    server.registerTool(
      'daily_figures',
      {
        description: `Tickets opened and closed ${day}.`,
        inputSchema: z.strictObject({ day: z.iso.date() }),
        outputSchema: z.strictObject({ opened: z.int(), closed: z.int() }),
      },
      () => structured({ opened: 17, closed: 12 }),
    )
    server.registerTool(
      'export_year',
      {
        description: 'Exports all tickets of a year.',
        inputSchema: z.strictObject({ year: z.int() }),
        outputSchema: z.strictObject({ rows: z.int() }),
      },
      async ({ year }, { mcpReq }) => {
        const progressToken = mcpReq._meta?.progressToken
        for (let quarter = 1; progressToken !== undefined && quarter <= QUARTERS; quarter++) {
          await pause(50)
          const params = { progressToken, progress: quarter, total: QUARTERS, message: `${year} Q${quarter}` }
          await mcpReq.notify({ method: 'notifications/progress', params })
        }
        return structured({ rows: 4711 })
      },
    )
    return server
  })
  return Object.assign(served, {
    sayMore() {
      day = 'on a day (UTC)'
    },
  })
}

const structured = <Content extends object>(structuredContent: Content) => ({
  content: [{ type: 'text' as const, text: JSON.stringify(structuredContent) }],
  structuredContent: { ...structuredContent },
})
