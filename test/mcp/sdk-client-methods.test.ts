import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { parseJson } from '../../src/core/json.ts'
import type { Call, RequestMeta } from '../../src/core/model.ts'
import {
  checkMeta,
  checkMethod,
  checkStandardHeaders,
  encodeEvent,
  parseCompletion,
  parseListen,
  parsePromptGet,
  parseResourceRead,
  parseToolCall,
  type RequestMessage,
  subscriptionMeta,
  writeAcknowledged,
  writeListChanged,
  writeResourceUpdated,
  writeResultResponse,
} from '../../src/mcp/index.ts'
import { headersFromRaw, modernMessage } from './support.ts'

/** What the official client asks by every method is read, and it understands what we write for it. */

let calls: Call[] = []
let seen: { readonly message: RequestMessage; readonly meta: RequestMeta }[] = []

const FORM = '{"type":"object","properties":{"n":{"type":"string"}}}'
const QUESTION = `"inputRequests":{"q":{"method":"elicitation/create","params":{"mode":"form","message":"?","requestedSchema":${FORM}}}}`

const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray())
  if (request.method !== 'POST') return void response.writeHead(405).end()
  const headers = headersFromRaw(request.rawHeaders)
  const message = modernMessage(parseJson(body))
  checkStandardHeaders(headers, message)
  if (message.kind === 'notification') return void response.writeHead(202).end()
  const meta = checkMeta(message, headers)
  seen.push({ message, meta })
  switch (checkMethod(message)) {
    case 'tools/call': {
      const call = parseToolCall(message, meta, headers)
      calls.push(call)
      if (call.resumption !== undefined) return complete(response, message, '"content":[]')
      return answer(
        response,
        writeResultResponse(message.id, { members: `${QUESTION},"requestState":"w1.s"`, meta: '' }, '', 'input_required'),
      )
    }
    case 'prompts/get':
      calls.push(parsePromptGet(message, meta, headers))
      return complete(response, message, '"messages":[]')
    case 'resources/read':
      calls.push(parseResourceRead(message, meta, headers))
      return complete(response, message, '"contents":[],"ttlMs":0,"cacheScope":"private"')
    case 'completion/complete':
      calls.push(parseCompletion(message, meta, headers).call)
      return complete(response, message, '"completion":{"values":["flask"]}')
    case 'subscriptions/listen': {
      const { id } = message
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(encodeEvent(writeAcknowledged(id, { ...parseListen(message, meta), prompts: false })))
      response.write(encodeEvent(writeListChanged(id, 'tools')))
      response.write(encodeEvent(writeResourceUpdated(id, 'docs+file:///a')))
      return void response.end(encodeEvent(writeResultResponse(id, { members: '', meta: subscriptionMeta(id) })))
    }
    case 'server/discover': {
      const capabilities = { tools: {}, prompts: {}, resources: { subscribe: true }, completions: {} }
      const members = `"supportedVersions":["2026-07-28"],"capabilities":${JSON.stringify(capabilities)},"ttlMs":0,"cacheScope":"private"`
      return complete(response, message, members)
    }
    default:
      return complete(response, message, '"prompts":[],"resources":[],"resourceTemplates":[],"tools":[],"ttlMs":0,"cacheScope":"private"')
  }
})

function complete(response: ServerResponse, { id }: RequestMessage, members: string): void {
  answer(response, writeResultResponse(id, { members, meta: '' }))
}

function answer(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(text)
}

const CAPABILITIES = { elicitation: { form: { applyDefaults: true }, url: {} }, sampling: { tools: {} }, roots: { listChanged: true } }
let client: Client
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const options = { versionNegotiation: { mode: { pin: '2026-07-28' } }, capabilities: CAPABILITIES } as const
  client = new Client({ name: 'peer', version: '1.0.0' }, options)
  client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { n: 'é' } }))
  const { port } = server.address() as AddressInfo
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)))
})
beforeEach(() => {
  calls = []
  seen = []
})
afterAll(async () => {
  await client.close()
  server.closeAllConnections()
  server.close()
})

it('it says what it can', async () => {
  await client.listPrompts()
  await client.listResources()
  await client.listResourceTemplates()
  expect(seen.map(({ message }) => message.method)).toEqual(['prompts/list', 'resources/list', 'resources/templates/list'])
  for (const { meta } of seen) {
    expect(meta.capabilities).toEqual({
      form: true,
      url: true,
      sampling: true,
      samplingTools: true,
      samplingContext: false,
      roots: true,
      tasks: false,
    })
  }
})

it('it gets prompts, reads resources and completes', async () => {
  await client.getPrompt({ name: 'docs__review', arguments: { code: 'é' } })
  await client.readResource({ uri: 'docs+file:///Zürich' })
  const ref = { type: 'ref/resource', uri: 'docs+file:///{path}' } as const
  const { completion } = await client.complete({
    ref,
    argument: { name: 'path', value: 'fla' },
    context: { arguments: { lang: 'python' } },
  })
  expect(completion.values).toEqual(['flask'])
  expect(calls.map(({ method, name, arguments: args }) => [method, name, args])).toEqual([
    ['prompts/get', 'docs__review', { code: 'é' }],
    ['resources/read', 'docs+file:///Zürich', {}],
    ['completion/complete', 'docs+file:///{path}', { lang: 'python', path: 'fla' }],
  ])
})

it('it answers questions, and sends back the state', async () => {
  await client.callTool(
    { name: 'docs__search', arguments: {} },
    { toolDefinition: { name: 'docs__search', inputSchema: { type: 'object' } } },
  )
  expect(calls.map(({ resumption }) => resumption)).toMatchObject([
    undefined,
    { requestState: 'w1.s', inputResponses: { q: { action: 'accept', content: { n: 'é' } } } },
  ])
})

it('it subscribes, hears, and knows a graceful end', async () => {
  const heard: unknown[] = []
  client.setNotificationHandler('notifications/tools/list_changed', () => void heard.push('tools'))
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void heard.push(params.uri))
  const subscription = await client.listen({
    toolsListChanged: true,
    promptsListChanged: true,
    resourceSubscriptions: ['docs+file:///a'],
  })
  expect(subscription.honoredFilter).toEqual({ toolsListChanged: true, resourceSubscriptions: ['docs+file:///a'] })
  expect(await subscription.closed).toBe('graceful')
  expect(heard).toEqual(['tools', 'docs+file:///a'])
})
