import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { type ServedMcp, serveMcp } from './mcp-server.ts'

const QUARTERS = 4

/** A reports server: its results have a schema, and a long export tells how far it is. */
export function startReports(): Promise<ServedMcp> {
  return serveMcp('reports', server => {
    server.registerTool(
      'daily_figures',
      {
        description: 'Tickets opened and closed on a day.',
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
  })
}

const structured = <Content extends object>(structuredContent: Content) => ({
  content: [{ type: 'text' as const, text: JSON.stringify(structuredContent) }],
  structuredContent: { ...structuredContent },
})
