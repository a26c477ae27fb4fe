import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SeenRequest {
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  /** As it came, to the byte. */
  readonly body: string
  readonly message: { readonly id: number; readonly method: string; readonly params: Record<string, unknown> }
}

export type Item = Readonly<Record<string, unknown>>
export type Tool = Item & { readonly name: string }
/** Answers a request: a result object, or anything at all written to `response` (then return undefined). */
export type OnCall = (request: SeenRequest, response: ServerResponse) => unknown

/** A modern MCP server made by hand, so that it can also be hostile: it sees every byte and says whatever it is told to. */
export interface UpstreamStub {
  readonly url: string
  tools: readonly Tool[]
  prompts: readonly Item[]
  resources: readonly Item[]
  resourceTemplates: readonly Item[]
  instructions: string | undefined
  /** What it declares; by default what it has items of. */
  capabilities: Item | undefined
  /** Everything that is not one of the requests below: `tools/call`, `prompts/get`, `resources/read`, `completion/complete`, `tasks/…`. */
  onCall: OnCall
  /** Overrides the answer to every list. */
  onList: OnCall | undefined
  onDiscover: OnCall | undefined
  /** Overrides the answer to `subscriptions/listen`, which is an acknowledgment and then silence. */
  onListen: OnCall | undefined
  /** What arrived, apart: calls, lists of any kind, `server/discover`, `subscriptions/listen`. */
  readonly calls: SeenRequest[]
  readonly lists: SeenRequest[]
  readonly discovers: SeenRequest[]
  readonly listens: SeenRequest[]
  /** Says something on every open subscription, under that subscription's id. */
  notify(message: { readonly method: string; readonly params?: Item }): void
  /** Cuts every open subscription. */
  drop(): void
  close(): Promise<void>
}

export function text(value: string): unknown {
  return { resultType: 'complete', content: [{ type: 'text', text: value }] }
}

export async function startUpstreamStub(tools: readonly Tool[], onCall: OnCall = () => text('done'), port = 0): Promise<UpstreamStub> {
  const server = createServer((request, response) => void serve(stub, acknowledge, request, response))
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const subscriptions = new Map<ServerResponse, unknown>()
  const stub: UpstreamStub = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    tools,
    prompts: [],
    resources: [],
    resourceTemplates: [],
    instructions: undefined,
    capabilities: undefined,
    onCall,
    onList: undefined,
    onDiscover: undefined,
    onListen: undefined,
    calls: [],
    lists: [],
    discovers: [],
    listens: [],
    notify({ method, params }) {
      for (const [response, id] of subscriptions) writeEvent(response, { jsonrpc: '2.0', method, params: { ...params, ...subscribed(id) } })
    },
    drop() {
      for (const response of subscriptions.keys()) response.destroy()
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  function acknowledge({ message: { id, params } }: SeenRequest, response: ServerResponse): undefined {
    subscriptions.set(response, id)
    response.on('close', () => subscriptions.delete(response))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const { notifications } = params
    writeEvent(response, {
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications, ...subscribed(id) },
    })
  }
  return stub
}

export function sendResult(response: ServerResponse, id: unknown, result: unknown): void {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
}

/** Answers with an event stream of these messages, each one event. */
export function sendEvents(response: ServerResponse, messages: readonly unknown[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const message of messages) writeEvent(response, message)
  response.end()
}

function writeEvent(response: ServerResponse, message: unknown): void {
  response.write(`data: ${JSON.stringify(message)}\n\n`)
}

function subscribed(id: unknown): Item {
  return { _meta: { 'io.modelcontextprotocol/subscriptionId': id } }
}

async function serve(stub: UpstreamStub, acknowledge: OnCall, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer)
  } catch {
    return
  }
  const body = Buffer.concat(chunks).toString()
  const { headers, rawHeaders, method } = request
  if (method !== 'POST') return void response.writeHead(405).end()
  const seen: SeenRequest = { headers, rawHeaders, body, message: JSON.parse(body) }
  const [heap, answer] = counterOf(stub, acknowledge, seen.message.method)
  heap.push(seen)
  const result = await answer(seen, response)
  if (result !== undefined && !response.headersSent) sendResult(response, seen.message.id, result)
}

/** Where such a request is noted, and who answers it. */
function counterOf(stub: UpstreamStub, acknowledge: OnCall, method: string): readonly [SeenRequest[], OnCall] {
  if (method === 'server/discover') return [stub.discovers, stub.onDiscover ?? (() => discover(stub))]
  if (method === 'subscriptions/listen') return [stub.listens, stub.onListen ?? acknowledge]
  const member = LISTS[method]
  return member === undefined ? [stub.calls, stub.onCall] : [stub.lists, stub.onList ?? (() => ({ ...CACHED, [member]: stub[member] }))]
}

const CACHED = { resultType: 'complete', ttlMs: 60_000, cacheScope: 'public' }

const LISTS: Readonly<Record<string, 'tools' | 'prompts' | 'resources' | 'resourceTemplates'>> = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
}

function discover({ capabilities, instructions, prompts, resources, resourceTemplates }: UpstreamStub): Item {
  const declared = {
    tools: {},
    ...(prompts.length > 0 ? { prompts: {} } : {}),
    ...(resources.length + resourceTemplates.length > 0 ? { resources: {} } : {}),
  }
  const said = instructions === undefined ? {} : { instructions }
  return { ...CACHED, supportedVersions: ['2026-07-28'], capabilities: capabilities ?? declared, ...said }
}
