import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { McpServer as OldServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { acceptedContent, inputRequired, McpServer } from '@modelcontextprotocol/server'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../support/gateway.ts'
import { type SdkServer, startSdkServer } from '../support/sdk-server.ts'
import { type SdkV1Server, startSdkV1Server } from '../support/sdk-v1-server.ts'

/** Official servers that ask, and official clients that answer, of both eras on either side. */

const SCHEMA = { type: 'object' as const, properties: { name: { type: 'string' as const } }, required: ['name'] }
const said = (text: string) => ({ content: [{ type: 'text' as const, text }] })
const toldOf = (action: string, content: Record<string, unknown> | undefined): string => `${action} ${JSON.stringify(content ?? null)}`

function buildOld(): OldServer {
  const server = new OldServer({ name: 'old', version: '1.0.0' })
  const ask = async (message: string, requestId?: string | number) => {
    const { action, content } = await server.server.elicitInput(
      { message, requestedSchema: SCHEMA },
      requestId === undefined ? {} : { relatedRequestId: requestId },
    )
    return toldOf(action, content)
  }
  server.registerTool('ask', {}, async ({ requestId }) => said(await ask('Who?', requestId)))
  server.registerTool('ask_aside', {}, async () => said(await ask('Who?')))
  server.registerTool('ask_twice', {}, async ({ requestId }) => {
    const first = await ask('Who?', requestId)
    return said(`${first}, ${await ask('And who else?', requestId)}`)
  })
  return server
}

function buildNew(): McpServer {
  const server = new McpServer({ name: 'new', version: '1.0.0' })
  const told = (responses: Readonly<Record<string, unknown>> | undefined, key: string): string | undefined => {
    const answer = responses?.[key] as { action: string; content?: Record<string, unknown> } | undefined
    return answer && toldOf(answer.action, acceptedContent(responses, key) as Record<string, unknown> | undefined)
  }
  const question = (message: string) => inputRequired.elicit({ message, requestedSchema: SCHEMA })
  server.registerTool('ask', {}, ({ mcpReq }) => {
    const answer = told(mcpReq.inputResponses, 'who')
    return answer === undefined ? inputRequired({ inputRequests: { who: question('Who?') } }) : said(answer)
  })
  server.registerTool('ask_twice', {}, ({ mcpReq }) => {
    const first = told(mcpReq.inputResponses, 'who')
    const second = told(mcpReq.inputResponses, 'else')
    if (second !== undefined) return said(`${mcpReq.requestState()}, ${second}`)
    return first === undefined
      ? inputRequired({ inputRequests: { who: question('Who?') } })
      : inputRequired({ inputRequests: { else: question('And who else?') }, requestState: first })
  })
  return server
}

let old: SdkV1Server
let modern: SdkServer
let gateway: TestGateway
beforeAll(async () => {
  old = await startSdkV1Server(buildOld)
  modern = await startSdkServer(buildNew)
  const tools = '  "*": { effect: write, allow: [{ scopes: [tools:write] }] }'
  gateway = await startGateway({ upstreams: { old: old.url, new: modern.url }, tools: { old: tools, new: tools } })
})
afterAll(async () => {
  await gateway.close()
  await Promise.all([old.close(), modern.close()])
})

type Answer = { action: 'accept'; content: { name: string } } | { action: 'decline' | 'cancel' }
interface Peer {
  callTool(params: { name: string }): Promise<unknown>
  close(): Promise<void>
}
const peers: Peer[] = []
afterEach(() => Promise.all(peers.splice(0).map(peer => peer.close())))

const requestInit = () => ({ headers: { authorization: `Bearer ${gateway.token()}` } })

async function connectFirst(asked: string[], answers: Answer[]): Promise<Peer> {
  const client = new Client({ name: 'first', version: '1.0.0' }, { capabilities: { elicitation: {} } })
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.push(params.message)
    return answers.shift() ?? { action: 'cancel' }
  })
  const transport = new StreamableHTTPClientTransport(new URL(gateway.url), { requestInit: requestInit() })
  await client.connect(transport as Parameters<typeof client.connect>[0])
  return client
}

const connectSecond =
  (mode: 'auto' | undefined) =>
  async (asked: string[], answers: Answer[]): Promise<Peer> => {
    const client = new ModernClient(
      { name: 'second', version: '1.0.0' },
      { capabilities: { elicitation: {} }, ...(mode && { versionNegotiation: { mode } }) },
    )
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message)
      return answers.shift() ?? { action: 'cancel' }
    })
    await client.connect(new ModernTransport(new URL(gateway.url), { requestInit: requestInit() }))
    return client
  }

const ACCEPT: Answer = { action: 'accept', content: { name: 'Ada' } }

describe.each([
  ['the v1 client', connectFirst],
  ['the v2 client as it is by default', connectSecond(undefined)],
  ['the v2 client that looks for the newest', connectSecond('auto')],
])('%s is asked', (_, connect) => {
  it.each([
    ['by a server of today', 'new__ask', '[new] Who?'],
    ['by a server with sessions', 'old__ask', '[old] Who?'],
    ['by a server with sessions, aside from the request', 'old__ask_aside', '[old] Who?'],
  ])('%s, and may accept, decline and cancel', async (_, name, message) => {
    for (const answer of [ACCEPT, { action: 'decline' }, { action: 'cancel' }] satisfies Answer[]) {
      const asked: string[] = []
      const peer = await connect(asked, [answer])
      peers.push(peer)
      const content = 'content' in answer ? answer.content : undefined
      expect(await peer.callTool({ name })).toMatchObject(said(toldOf(answer.action, content)))
      expect(asked).toEqual([message])
      expect(gateway.trail.requests().findLast(({ method }) => method === 'tools/call')).toMatchObject({
        outcome: 'OK',
        effectStatus: 'committed',
        leg: 1,
      })
    }
  })

  it.each(['new__ask_twice', 'old__ask_twice'])('twice by one call: %s', async name => {
    const asked: string[] = []
    const peer = await connect(asked, [ACCEPT, { action: 'decline' }])
    peers.push(peer)
    expect(await peer.callTool({ name })).toMatchObject(said('accept {"name":"Ada"}, decline null'))
    expect(asked).toHaveLength(2)
    expect(gateway.trail.requests().findLast(({ method }) => method === 'tools/call')).toMatchObject({ outcome: 'OK', leg: 2 })
  })
})
