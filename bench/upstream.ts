/** The server behind every variant: as little work as an MCP server can do, so that what is measured is what stands in front of it. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export const TOOL = {
  name: 'lookup',
  description: 'Looks an order up by its number.',
  inputSchema: {
    type: 'object',
    properties: {
      tenant: { type: 'string', pattern: '^[a-z]{2,12}$' },
      order: { type: 'string', minLength: 3, maxLength: 40 },
      fields: { type: 'array', items: { enum: ['status', 'items', 'total'] }, maxItems: 3 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
    },
    required: ['tenant', 'order'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: { order: { type: 'string' }, status: { enum: ['open', 'shipped'] }, total: { type: 'number' } },
    required: ['order', 'status'],
  },
}

const STRUCTURED = { order: 'A-1041', status: 'shipped', total: 61.5 }
const RESULT = JSON.stringify({
  resultType: 'complete',
  content: [{ type: 'text', text: JSON.stringify(STRUCTURED) }],
  structuredContent: STRUCTURED,
})
const LIST = JSON.stringify({ resultType: 'complete', tools: [TOOL, { ...TOOL, name: 'record' }], ttlMs: 600_000, cacheScope: 'public' })
const ID = /"id":(\d+|"[^"]*")/

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', chunk => chunks.push(chunk))
  request.on('end', () => {
    const body = (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))?.toString() ?? ''
    const answer = `{"jsonrpc":"2.0","id":${ID.exec(body)?.[1]},"result":${body.includes('"tools/list"') ? LIST : RESULT}}`
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) })
    response.end(answer)
  })
})
server.keepAliveTimeout = 60_000
if (process.send !== undefined) {
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
  process.on('disconnect', () => process.exit())
}
