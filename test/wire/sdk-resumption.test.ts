import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  CallToolResultSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { afterEach, describe, expect, it } from 'vitest'
import { createGate, eventually, type Gate } from '../support/eventually.ts'
import { GOOD_ARGUMENTS, TOOLS } from '../support/scene.ts'
import { startTwoGateways, type TwoGateways } from '../support/two-gateways.ts'

const NAME = new URL('https://gateway.test/mcp')

/** A client of SDK v1 whose requests go to one of the two gateways, and whose connections can be cut. */
interface TestClient {
  readonly client: Client
  readonly transport: StreamableHTTPClientTransport
  /** Where its next requests go. */
  at: 'a' | 'b'
  /** Cuts what it has open: all, or those of one method. */
  cut(method?: 'GET' | 'POST'): void
  /** Requests that it made, by method, and the last event id it named. */
  readonly made: { readonly method: string; readonly lastEventId: string | null; readonly status: number }[]
}

let gateways: TwoGateways
const clients: TestClient[] = []
afterEach(async () => {
  for (const { client } of clients.splice(0)) await client.close()
  await gateways.close()
})

async function connect(sessionId?: string): Promise<TestClient> {
  const open = new Map<AbortController, string>()
  const made: TestClient['made'] = []
  const fetchThere = async (_url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const cutting = new AbortController()
    const method = init.method ?? 'GET'
    open.set(cutting, method)
    const signals = [cutting.signal, ...(init.signal ? [init.signal] : [])]
    const response = await fetch(gateways[test.at].url, { ...init, signal: AbortSignal.any(signals) })
    made.push({ method, lastEventId: new Headers(init.headers).get('last-event-id'), status: response.status })
    return response
  }
  const authorization = `Bearer ${gateways.a.token()}`
  const transport = new StreamableHTTPClientTransport(NAME, {
    fetch: fetchThere,
    requestInit: { headers: { authorization } },
    ...(sessionId === undefined ? {} : { sessionId }),
  })
  const client = new Client({ name: 'client', version: '1' })
  const test: TestClient = {
    client,
    transport,
    at: 'a',
    made,
    cut(method) {
      for (const [cutting, of] of open) {
        if (method !== undefined && of !== method) continue
        cutting.abort()
        open.delete(cutting)
      }
    },
  }
  clients.push(test)
  // The type of `sessionId` there is another than here.
  await client.connect(transport as never)
  return test
}

function slowTool(gates: readonly Gate[]) {
  return startTwoGateways({
    stub: { resources: [{ uri: 'file:///a', name: 'a' }] },
    policy: `  send: { effect: write, allow: [{ scopes: [tools:write] }] }
  read: { effect: read, allow: [{ scopes: [tools:read] }] }
resources:
  "file:///*": { allow: [{ scopes: [tools:read] }] }`,
    onCall: async ({ message: { id, params } }, response) => {
      const token = (params._meta as { progressToken?: unknown }).progressToken
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const say = (message: object): void => void response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`)
      for (const [index, gate] of gates.entries()) {
        say({ method: 'notifications/progress', params: { progressToken: token, progress: index } })
        await gate.opened
      }
      say({ id, result: { resultType: 'complete', content: [{ type: 'text', text: 'done' }] } })
      response.end()
    },
  })
}

const DONE = { content: [{ type: 'text', text: 'done' }] }

describe('a client of SDK v1', () => {
  it('hears the answer on another replica after its connection broke, without its program noticing', async () => {
    const gates = [createGate(), createGate()]
    gateways = await slowTool(gates)
    const test = await connect()
    const progress: number[] = []
    const answer = test.client.callTool({ name: 'acme__read', arguments: { id: 1 } }, undefined, {
      onprogress: ({ progress: now }) => void progress.push(now),
    })
    await eventually(() => progress.length === 1)
    test.at = 'b'
    test.cut('POST')
    gates[0]?.open()
    await eventually(() => progress.length === 2)
    gates[1]?.open()
    expect(await answer).toMatchObject(DONE)
    expect(progress).toEqual([0, 1])
    expect(test.made.filter(({ lastEventId }) => lastEventId !== null)).toMatchObject([{ method: 'GET', status: 200 }])
    expect(gateways.upstream.calls).toHaveLength(1)
  })

  it('goes on in another process with the resumption token that it was given', async () => {
    const gates = [createGate(), createGate()]
    gateways = await slowTool(gates)
    const first = await connect()
    let token: string | undefined
    const request = { method: 'tools/call' as const, params: { name: 'acme__read', arguments: { id: 1 } } }
    const lost = first.client.request(request, CallToolResultSchema, {
      onprogress: () => {},
      onresumptiontoken: now => {
        token = now
      },
    })
    lost.catch(() => {})
    await eventually(() => token?.endsWith('.1') === true)
    const { sessionId } = first.transport
    const { protocolVersion } = first.transport
    await first.client.close()

    const second = await connect(sessionId)
    second.transport.setProtocolVersion(protocolVersion ?? '')
    second.at = 'b'
    for (const gate of gates) gate.open()
    const heard: number[] = []
    const answer = await second.client.request(request, CallToolResultSchema, {
      resumptionToken: token ?? '',
      onprogress: ({ progress }) => void heard.push(progress),
    })
    expect(answer).toMatchObject(DONE)
    expect(gateways.upstream.calls).toHaveLength(1)
  })

  it('cancels with its signal, whichever replica hears of it, and asks for nothing more', async () => {
    const gate = createGate()
    gateways = await slowTool([gate])
    const test = await connect()
    const giveUp = new AbortController()
    let hasBegun = false
    const answer = test.client.callTool({ name: 'acme__read', arguments: { id: 1 } }, undefined, {
      signal: giveUp.signal,
      onprogress: () => {
        hasBegun = true
      },
    })
    await eventually(() => hasBegun)
    test.at = 'b'
    giveUp.abort('enough')
    await expect(answer).rejects.toThrow()
    await eventually(() => gateways.a.trail.requests().some(({ method, outcome }) => method === 'tools/call' && outcome === 'CALLER_GONE'))
    // It comes back once, as it does to every stream that ended, and is told that there is nothing.
    await eventually(() => test.made.some(({ status }) => status === 204))
    await new Promise(resolve => setTimeout(resolve, 1_500))
    expect(test.made.filter(({ lastEventId }) => lastEventId !== null)).toHaveLength(1)
  })

  it('hears of changes on its stream, and after that broke on the one it opens for itself', async () => {
    gateways = await slowTool([])
    const test = await connect()
    const told: string[] = []
    test.client.setNotificationHandler(ToolListChangedNotificationSchema, () => void told.push('tools'))
    test.client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void told.push(params.uri))
    await eventually(() => test.made.some(({ method }) => method === 'GET'))
    await test.client.subscribeResource({ uri: 'acme+file:///a' })
    await eventually(() => told.includes('acme+file:///a'))
    test.at = 'b'
    test.cut('GET')
    // Meanwhile something changes that nobody tells it of.
    gateways.upstream.tools = TOOLS.map(tool => (tool.name === 'send' ? { ...tool, description: 'Changed.' } : tool))
    for (const at of [gateways.a, gateways.b]) at.gateway.rooms().catalog.suspect('acme', 'shared')
    await eventually(() => told.includes('tools'))
    expect(test.made.filter(({ lastEventId }) => lastEventId !== null)).toMatchObject([{ method: 'GET', status: 200 }])
    expect(told.filter(what => what === 'tools')).toHaveLength(1)
  })

  it('ends its session, which no replica knows any more then', async () => {
    gateways = await slowTool([createGate()])
    const test = await connect()
    await eventually(() => test.made.some(({ method }) => method === 'GET'))
    test.at = 'b'
    await test.transport.terminateSession()
    test.at = 'a'
    await expect(test.client.callTool({ name: 'acme__send', arguments: GOOD_ARGUMENTS })).rejects.toThrow()
    expect(gateways.upstream.calls).toHaveLength(0)
  })
})
