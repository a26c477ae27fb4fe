import { Client, ProtocolError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { eventually } from '../support/eventually.ts'
import { startGateway, type TestGateway } from '../support/gateway.ts'
import { type SdkServer, startSdkServer } from '../support/sdk-server.ts'

/** The official client through the gateway to the official server: whatever either of them relies on must survive the way. */

let header = 'Region'
let waiting = 0
let cancelled = 0
const routeSchema = () =>
  ({ type: 'object', properties: { region: { type: 'string', 'x-mcp-header': header }, id: { type: 'integer' } } }) as const

function build(): McpServer {
  const server = new McpServer({ name: 'peer', version: '1.0.0' }, { capabilities: { logging: {} } })
  server.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({ content: [{ type: 'text', text }] }))
  server.registerTool('fail', { inputSchema: z.object({}) }, () => {
    throw new Error('no such ticket')
  })
  server.registerTool('count', { inputSchema: z.object({ to: z.number().int() }) }, async ({ to }, context) => {
    const progressToken = context.mcpReq._meta?.progressToken
    for (let step = 1; step <= to && progressToken !== undefined; step++) {
      await context.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: step, total: to } })
    }
    return { content: [{ type: 'text', text: `counted to ${to}` }] }
  })
  server.registerTool('weigh', { inputSchema: z.object({}), outputSchema: z.object({ grams: z.number(), unit: z.literal('g') }) }, () => ({
    content: [{ type: 'text', text: '5 g' }],
    structuredContent: { grams: 5, unit: 'g' as const },
  }))
  server.registerTool('route', { inputSchema: fromJsonSchema<Record<string, unknown>>(routeSchema()) }, args => ({
    content: [{ type: 'text', text: JSON.stringify(args) }],
  }))
  server.registerTool('wait', { inputSchema: z.object({}) }, (_args, context) => {
    waiting += 1
    return new Promise((_resolve, reject) => {
      context.mcpReq.signal.addEventListener('abort', () => {
        cancelled += 1
        reject(new Error('cancelled'))
      })
    })
  })
  return server
}

const NAMES = ['count', 'echo', 'fail', 'route', 'wait', 'weigh']
let json: SdkServer
let sse: SdkServer
let gateway: TestGateway
const clients: Client[] = []
beforeAll(async () => {
  json = await startSdkServer(build)
  sse = await startSdkServer(build, { responseMode: 'sse', keepAliveMs: 5 })
  const tools = '  "*": { effect: read, allow: [{ scopes: [tools:read] }] }'
  gateway = await startGateway({ upstreams: { plain: json.url, stream: sse.url }, tools: { plain: tools, stream: tools } })
})
afterEach(() => Promise.all(clients.splice(0).map(client => client.close())))
afterAll(async () => {
  await gateway.close()
  await Promise.all([json.close(), sse.close()])
})

type Mode = 'auto' | { readonly pin: '2026-07-28' }
async function connect(mode: Mode = { pin: '2026-07-28' }): Promise<Client> {
  const client = new Client({ name: 'peer', version: '1.0.0' }, { versionNegotiation: { mode } })
  clients.push(client)
  const requestInit = { headers: { authorization: `Bearer ${gateway.token()}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(gateway.url), { requestInit }))
  return client
}

describe.each([
  ['pinned', { pin: '2026-07-28' } as const],
  ['auto', 'auto' as const],
])('the official client, %s', (_name, mode) => {
  it('discovers, lists and calls', async () => {
    const client = await connect(mode)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['plain', 'stream'].flatMap(alias => NAMES.map(name => `${alias}__${name}`)))
    expect(await client.callTool({ name: 'plain__echo', arguments: { text: 'grüße' } })).toMatchObject({ content: [{ text: 'grüße' }] })
  })
})

describe.each(['plain', 'stream'])('through the gateway to the official server (%s)', alias => {
  it('an error result stays one', async () => {
    const client = await connect()
    expect(await client.callTool({ name: `${alias}__fail`, arguments: {} })).toMatchObject({
      isError: true,
      content: [{ text: 'no such ticket' }],
    })
  })

  it('progress arrives in order and before the answer', async () => {
    const client = await connect()
    const seen: unknown[] = []
    const answer = await client.callTool({ name: `${alias}__count`, arguments: { to: 3 } }, { onprogress: step => seen.push(step) })
    expect(seen).toEqual([1, 2, 3].map(progress => ({ progress, total: 3 })))
    expect(answer).toMatchObject({ content: [{ text: 'counted to 3' }] })
  })

  it('structured content fits the listed output schema on both sides', async () => {
    const client = await connect()
    await client.listTools()
    expect(await client.callTool({ name: `${alias}__weigh`, arguments: {} })).toMatchObject({ structuredContent: { grams: 5, unit: 'g' } })
  })

  it.each(['eu', '', ' padded', 'zürich', 'a\r\nX-Evil: 1'])('a mirrored header survives: %j', async region => {
    const client = await connect()
    await client.listTools()
    const answer = await client.callTool({ name: `${alias}__route`, arguments: { region, id: 7 } })
    expect(answer).toMatchObject({ content: [{ text: JSON.stringify({ region, id: 7 }) }] })
  })

  it('a call that is cancelled is cancelled at the server', async () => {
    const client = await connect()
    const before = { waiting, cancelled }
    const stop = new AbortController()
    const call = client.callTool({ name: `${alias}__wait`, arguments: {} }, { signal: stop.signal })
    const outcome = expect(call).rejects.toThrow()
    await eventually(() => waiting === before.waiting + 1)
    stop.abort()
    await outcome
    await eventually(() => cancelled === before.cancelled + 1)
    await eventually(() => gateway.trail.requests().some(({ outcome }) => outcome === 'CALLER_GONE'))
  })
})

describe('what the official client makes of refusals', () => {
  it('an unknown tool is a protocol error', async () => {
    const client = await connect()
    const call = client.callTool({ name: 'plain__nothing', arguments: {} })
    await expect(call).rejects.toThrow(ProtocolError)
    await expect(call).rejects.toMatchObject({ code: -32602 })
  })

  it('arguments that do not fit are a tool error the model can read', async () => {
    const client = await connect()
    expect(await client.callTool({ name: 'plain__echo', arguments: {} })).toMatchObject({ isError: true })
  })

  it('a header it did not know of makes it list again and call once more', async () => {
    const client = await connect()
    // It has not listed, so it cannot know which argument is mirrored: -32020, a list, a second call.
    const calls = gateway.trail.requests().length
    const answer = await client.callTool({ name: 'plain__route', arguments: { region: 'eu' } })
    expect(answer).toMatchObject({ content: [{ text: '{"region":"eu"}' }] })
    expect(
      gateway.trail
        .requests()
        .slice(calls)
        .map(({ method, outcome }) => `${method} ${outcome}`),
    ).toEqual(['tools/call MCP_HEADER_MISMATCH', 'tools/list OK', 'tools/call OK'])
  })
})

describe('a server that mirrors another header than the one approved', () => {
  it('is asked for its tools again, and the tool is withdrawn until somebody has looked', async () => {
    header = 'Zone'
    const client = await connect()
    await client.listTools()
    // The server judges by what it has now, the gateway sends what was approved.
    const call = client.callTool({ name: 'plain__route', arguments: { region: 'eu' } })
    await expect(call).rejects.toThrow('did not give a valid answer')
    expect(gateway.trail.last()).toMatchObject({ outcome: 'UPSTREAM_INVALID', detail: { reason: 'protocol', rpc: -32020 } })
    await eventually(async () => !(await gateway.send('tools/list')).text.includes('"plain__route"'))
    header = 'Region'
  })
})
