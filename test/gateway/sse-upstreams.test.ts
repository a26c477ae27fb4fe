import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { eventually } from '../support/eventually.ts'
import { startGateway, type TestGateway } from '../support/gateway.ts'

const closers: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

interface OldServer {
  readonly url: string
  readonly streams: ServerResponse[]
  readonly seen: { readonly method: string; readonly headers: IncomingHttpHeaders }[]
  readonly calls: string[]
}

/** A server of the official SDK that never moved from HTTP+SSE. `endpoint`: where it says that messages go. */
async function startOldServer(endpoint = '/messages'): Promise<OldServer> {
  const transports = new Map<string, SSEServerTransport>()
  const old: OldServer = { url: '', streams: [], seen: [], calls: [] }
  const build = (): McpServer => {
    const server = new McpServer({ name: 'old', version: '1.0.0' })
    server.registerTool('echo', { description: 'Says it again.', inputSchema: { text: z.string() } }, ({ text }) => {
      old.calls.push(text)
      return { content: [{ type: 'text', text }] }
    })
    server.registerTool('wait', { description: 'Does not answer.' }, () => {
      old.calls.push('wait')
      return new Promise<never>(() => {})
    })
    return server
  }
  const server = createServer(async (request, response) => {
    const { method = '', headers } = request
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
    old.seen.push({ method, headers })
    if (method === 'POST' && pathname === '/messages') {
      const transport = transports.get(searchParams.get('sessionId') ?? '')
      if (transport === undefined) return response.writeHead(404).end('no session')
      return transport.handlePostMessage(request, response)
    }
    if (method !== 'GET') return response.writeHead(405).end()
    const transport = new SSEServerTransport(endpoint, response)
    transports.set(transport.sessionId, transport)
    response.on('close', () => transports.delete(transport.sessionId))
    old.streams.push(response)
    await build().connect(transport)
    // The SDK's transport always writes a path; this is what a hostile one would.
    if (endpoint !== '/messages') response.write('event: endpoint\ndata: http://127.0.0.1:1/messages\n\n')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return Object.assign(old, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse` })
}

async function start(old: OldServer, upstreamYaml: string): Promise<TestGateway> {
  const rule = (effect: string) => `{ effect: ${effect}, allow: [{ scopes: [tools:write] }] }`
  const gateway = await startGateway({
    upstreams: { old: old.url },
    tools: { old: `  echo: ${rule('write')}\n  wait: ${rule('write')}` },
    upstreamYaml,
  })
  closers.push(() => gateway.close())
  return gateway
}

describe.each([
  ['transport: sse', '    transport: sse\n    credential: { bearer: ours }\n'],
  ['transport: auto', '    credential: { bearer: ours }\n'],
])('a server of HTTP+SSE, with %s', (_name, yaml) => {
  test('is called, under our credential alone', async () => {
    const old = await startOldServer()
    const gateway = await start(old, yaml)
    const answer = await gateway.call('old__echo', { text: 'hello' })
    expect(answer.json.result, answer.text).toMatchObject({ resultType: 'complete', content: [{ text: 'hello' }] })
    expect(new Set(old.seen.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer ours']))
    expect(old.calls).toEqual(['hello'])
  })

  test('whose stream breaks in a call leaves its outcome unknown, and is spoken to anew', async () => {
    const old = await startOldServer()
    const gateway = await start(old, yaml)
    await gateway.call('old__echo', { text: '1' })
    const waiting = gateway.call('old__wait')
    await eventually(() => old.calls.includes('wait'))
    for (const stream of old.streams) stream.destroy()
    expect((await waiting).json.error?.data).toMatchObject({ effect: 'unknown' })
    const answer = await gateway.call('old__echo', { text: '2' })
    expect(answer.json.result, answer.text).toMatchObject({ content: [{ text: '2' }] })
    expect(old.calls).toEqual(['1', 'wait', '2'])
  })
})

test('headers that policy lets through travel with the call', async () => {
  const old = await startOldServer()
  const gateway = await start(old, '    transport: sse\n    forwardHeaders: [X-Tenant]\n')
  await gateway.call('old__echo', { text: 'hello' }, { headers: { 'x-tenant': 'acme' } })
  expect(old.seen.filter(({ headers }) => headers['x-tenant'] === 'acme').map(({ method }) => method)).toEqual(['POST'])
})

test('a server that leads messages elsewhere in the middle is not believed', async () => {
  const old = await startOldServer('/other')
  const gateway = await start(old, '    transport: sse\n')
  const answer = await gateway.call('old__echo', { text: 'hello' })
  expect(answer.json.error, answer.text).toBeDefined()
  expect(old.calls).toEqual([])
})
