export const MODERN = '2026-07-28'

export type Params = Readonly<Record<string, unknown>>

/** The body of a request as MCP 2026-07-28 wants it. */
export function writeRequest(method: string, params: Params = {}): string {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': MODERN, 'io.modelcontextprotocol/clientCapabilities': {} }
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } })
}

/** The headers that go with it, and say the same. */
export function requestHeaders(method: string, params: Params = {}): Record<string, string> {
  const name = params.name ?? params.uri
  return {
    'Content-Type': 'application/json',
    'MCP-Protocol-Version': MODERN,
    'Mcp-Method': method,
    ...(typeof name === 'string' ? { 'Mcp-Name': name } : {}),
  }
}
