import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import { PNG } from './content-tools.ts'

const cacheHint = { ttlMs: 60_000, cacheScope: 'public' } as const

/** The resources and the template the suite asks for. */
export function registerResources(server: McpServer): void {
  server.registerResource(
    'static-text',
    'test://static-text',
    { description: 'A text.', mimeType: 'text/plain', cacheHint },
    ({ href }) => ({
      contents: [{ uri: href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
    }),
  )
  server.registerResource('static-binary', 'test://static-binary', { description: 'An image.', mimeType: 'image/png' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'image/png', blob: PNG }],
  }))
  server.registerResource('watched', 'test://watched-resource', { description: 'May be watched.', mimeType: 'text/plain' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'text/plain', text: 'Watched.' }],
  }))
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'Data under an id.', mimeType: 'application/json' },
    ({ href }, { id }) => ({
      contents: [{ uri: href, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }],
    }),
  )
}
