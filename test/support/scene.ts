import { type Answer, META, MODERN, startGateway, type TestGateway, type TestGatewayOptions } from './gateway.ts'
import { type RawRequest, sendOne, writeRequest } from './raw-http.ts'
import { type OnCall, startUpstreamStub, type Tool, type UpstreamStub } from './upstream-stub.ts'

/** A gateway before one server, `acme`, with three tools that most tests can do with. */
export interface Scene {
  readonly gateway: TestGateway
  readonly upstream: UpstreamStub
  readonly upstreams: readonly UpstreamStub[]
  /** The bytes of a good call of `acme__send`, with these parts of it replaced. */
  bytes(changes?: Partial<RawRequest>): Buffer
  /** The same over a socket of its own; its one answer. */
  raw(changes?: Partial<RawRequest>): Promise<Answer>
  /** The good call's body, with members of the message and of `params` replaced. */
  body(message?: object, params?: object): string
  close(): Promise<void>
}

export const GOOD_ARGUMENTS = { to: 'a@b.c', region: 'eu' }

export const TOOLS: readonly Tool[] = [
  {
    name: 'send',
    description: 'Sends a message.',
    inputSchema: {
      type: 'object',
      properties: {
        to: { type: 'string' },
        region: { type: 'string', 'x-mcp-header': 'Region' },
        count: { type: 'integer' },
        note: {},
      },
      required: ['to'],
      additionalProperties: false,
    },
  },
  { name: 'read', description: 'Reads a message.', inputSchema: { type: 'object', properties: { id: { type: 'integer' } } } },
  { name: 'wipe', description: 'Removes everything.', inputSchema: { type: 'object' } },
]

export const POLICY = `  send: { effect: write, allow: [{ scopes: [tools:write] }] }
  read: { effect: read, allow: [{ scopes: [tools:read] }] }
  wipe: { effect: destructive, discoverable: true, allow: [{ scopes: [tools:admin] }] }`

export interface SceneOptions extends Omit<Partial<TestGatewayOptions>, 'tools' | 'upstreams'> {
  readonly tools?: readonly Tool[]
  /** The `tools:` part of acme's policy, and whatever stands behind it. */
  readonly policy?: string
  readonly onCall?: OnCall
  /** What the server offers and says besides, from the first contact on. */
  readonly stub?: Partial<Omit<UpstreamStub, 'url'>>
  /** Members of `limits:`; by default nothing that a test does is too often. */
  readonly limits?: string
}

export async function startScene(options: SceneOptions = {}): Promise<Scene> {
  const {
    tools = TOOLS,
    policy = POLICY,
    limits = 'failedAuthPerMinute: 10000, listsPerMinute: 10000',
    onCall,
    stub = {},
    gatewayYaml = '',
    ...rest
  } = options
  const upstream = Object.assign(await startUpstreamStub(tools, onCall), stub)
  const gateway = await startGateway({
    upstreams: { acme: upstream.url },
    tools: { acme: policy },
    gatewayYaml: `pins: { onFirstUse: trust }\nlimits: { ${limits} }\n${gatewayYaml}`,
    ...rest,
  })
  const body: Scene['body'] = (message = {}, params = {}) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'acme__send', arguments: GOOD_ARGUMENTS, _meta: META, ...params },
      ...message,
    })
  const bytes: Scene['bytes'] = (changes = {}) => {
    const sent = changes.body ?? body()
    const headers = {
      Host: new URL(gateway.origin).host,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': MODERN,
      'Mcp-Method': 'tools/call',
      'Mcp-Name': 'acme__send',
      'Mcp-Param-Region': 'eu',
      Authorization: `Bearer ${gateway.token()}`,
      Connection: 'close',
      'Content-Length': String(Buffer.byteLength(sent)),
    }
    return writeRequest({ line: 'POST /mcp HTTP/1.1', ...changes, body: sent, headers: { ...headers, ...changes.headers } })
  }
  return {
    gateway,
    upstream,
    upstreams: [upstream],
    body,
    bytes,
    raw: changes => sendOne(gateway.origin, bytes(changes)),
    async close() {
      await gateway.close()
      await upstream.close()
    },
  }
}
