import { TOKEN_MINUTES } from './clients.ts'
import { MODERN, requestHeaders, writeRequest } from './request.ts'
import type { Demo } from './start.ts'

/** What a visitor needs to go on alone: the address, a token, the configuration of a client, and one request by hand. */
export async function describeAccess({ url, token }: Demo): Promise<string> {
  const bearer = await token('ben')
  const client = { mcpServers: { wicketgate: { type: 'http', url, headers: { Authorization: `Bearer ${bearer}` } } } }
  const headers = Object.entries(requestHeaders('tools/list')).map(([name, value]) => `-H '${name}: ${value}'`)
  return `
Still serving ${url} (MCP ${MODERN}). Ctrl+C ends it and leaves nothing behind.
A client's configuration, with ben's token, which is good for ${TOKEN_MINUTES} minutes:

${JSON.stringify(client, null, 2)}

The same by hand:

TOKEN='${bearer}'
curl -s ${url} -H "Authorization: Bearer $TOKEN" \\
  ${headers.join(' ')} \\
  -d '${writeRequest('tools/list')}'
`
}
