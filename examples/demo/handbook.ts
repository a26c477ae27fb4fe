import { completable, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { type ServedMcp, serveMcp } from './mcp-server.ts'

const TOPICS = ['holidays', 'parking']
const OFFICES = ['Belgrade', 'Bergen', 'Bologna']

/** A documentation server: pages to read, and a prompt whose argument can be completed. */
export function startHandbook(): Promise<ServedMcp> {
  return serveMcp(() => {
    const server = new McpServer({ name: 'handbook', version: '1.0.0' })
    for (const topic of TOPICS) {
      server.registerResource(topic, `file:///${topic}`, { description: `All about ${topic}.`, mimeType: 'text/plain' }, ({ href }) => ({
        contents: [{ uri: href, mimeType: 'text/plain', text: `Everybody likes ${topic}.` }],
      }))
    }
    const office = completable(z.string(), start => OFFICES.filter(name => name.startsWith(start)))
    server.registerPrompt('directions', { description: 'Asks for the way to an office.', argsSchema: z.object({ office }) }, args => ({
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text: `How do I get to ${args.office}?` } }],
    }))
    return server
  })
}
