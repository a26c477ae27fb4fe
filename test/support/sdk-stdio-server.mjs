// A server of the official SDK v2 over stdio. First argument: `reject` speaks 2026-07-28 only, `serve` both eras.
import { acceptedContent, inputRequired, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

const said = text => ({ content: [{ type: 'text', text }] })

serveStdio(
  ({ era } = {}) => {
    const server = new McpServer({ name: 'sdk', version: '1.0.0' })
    server.registerTool('echo', { description: 'Says it again.', inputSchema: z.object({ text: z.string() }) }, ({ text }) => said(text))
    server.registerTool('pid', { description: 'Which process this is.' }, () => said(String(process.pid)))
    server.registerTool('era', { description: 'Which era is spoken.' }, () => said(String(era)))
    server.registerTool('die', { description: 'Ends it.' }, () => process.exit(4))
    const untilCancelled = ({ mcpReq }) => {
      process.stderr.write('looking\n')
      return new Promise(resolve => {
        mcpReq.signal.addEventListener('abort', () => {
          process.stderr.write('cancelled\n')
          resolve(said('cancelled'))
        })
      })
    }
    server.registerTool('wait', { description: 'Answers when it is cancelled.' }, untilCancelled)
    server.registerTool('look', { description: 'Likewise, and changes nothing.' }, untilCancelled)
    server.registerTool('progress', { description: 'Takes a while.' }, async ({ mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken
      for (let progress = 1; progress <= 3; progress++) {
        if (progressToken !== undefined) await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress } })
      }
      return said('done')
    })
    server.registerTool('ask', { description: 'Asks who.' }, ({ mcpReq }) => {
      const answer = acceptedContent(mcpReq.inputResponses, 'who')
      if (answer !== undefined) return said(`hello ${answer.name}`)
      const requestedSchema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
      return inputRequired({ inputRequests: { who: inputRequired.elicit({ message: 'Who?', requestedSchema }) } })
    })
    server.registerTool('grow', { description: 'Learns another tool.' }, () => {
      server.registerTool('more', { description: 'New.' }, () => said('more'))
      return said('grown')
    })
    return server
  },
  { legacy: process.argv[2] ?? 'serve' },
)
