import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Scene, startScene, TOOLS } from '../support/scene.ts'
import { text } from '../support/upstream-stub.ts'

/** The official clients, as they speak to a gateway that has servers of 2026-07-28 behind it. */

const SHAPES = [
  ...TOOLS,
  { name: 'list', inputSchema: { type: 'object' }, outputSchema: { type: 'array', items: { type: 'integer' } } },
  { name: 'count', inputSchema: { type: 'object' }, outputSchema: { type: 'object', properties: { n: { type: 'integer' } } } },
]
const POLICY = `  send: { effect: write, allow: [{ scopes: [tools:write] }] }
  read: { effect: read, allow: [{ scopes: [tools:read] }] }
  list: { effect: read, allow: [{ scopes: [tools:read] }] }
  count: { effect: read, allow: [{ scopes: [tools:read] }] }
  wipe: { effect: destructive, discoverable: true, allow: [{ scopes: [tools:admin] }] }
prompts:
  brief: { allow: [{ scopes: [tools:read] }] }
resources:
  'doc://*': { allow: [{ scopes: [tools:read] }] }`

let scene: Scene
beforeAll(async () => {
  scene = await startScene({
    tools: SHAPES,
    policy: POLICY,
    stub: STUB,
    onCall: ({ message }) => answers[message.method]?.(message.params),
  })
})
afterAll(() => scene.close())

const STUB = {
  prompts: [{ name: 'brief', arguments: [{ name: 'topic', required: true }] }],
  resources: [{ uri: 'doc://one', name: 'one' }],
  instructions: 'Ask for one thing.',
}
const LINK = { type: 'resource_link', uri: 'doc://one', name: 'one', title: 'The one' }
const RESULTS: Record<string, object> = {
  list: { content: [{ type: 'text', text: '[1,2]' }], structuredContent: [1, 2] },
  count: { content: [{ type: 'text', text: '1' }], structuredContent: { n: 1 } },
  read: { content: [LINK] },
}
const answers: Record<string, (params: Record<string, unknown>) => unknown> = {
  'tools/call': ({ name }) => RESULTS[String(name)] ?? text('sent'),
  'prompts/get': () => ({ resultType: 'complete', messages: [{ role: 'user', content: { type: 'text', text: 'go' } }] }),
  'resources/read': () => ({ resultType: 'complete', ttlMs: 5_000, cacheScope: 'public', contents: [{ uri: 'doc://one', text: 'one' }] }),
}

const requestInit = () => ({ headers: { authorization: `Bearer ${scene.gateway.token()}` } })

async function connectFirst(): Promise<Client> {
  const client = new Client({ name: 'first', version: '1.0.0' })
  const transport = new StreamableHTTPClientTransport(new URL(scene.gateway.url), { requestInit: requestInit() })
  // Its transport's type and its own do not agree under `exactOptionalPropertyTypes`.
  await client.connect(transport as Parameters<typeof client.connect>[0])
  return client
}

async function connectSecond(mode: 'auto' | undefined): Promise<ModernClient> {
  const client = new ModernClient({ name: 'second', version: '1.0.0' }, mode && { versionNegotiation: { mode } })
  await client.connect(new ModernTransport(new URL(scene.gateway.url), { requestInit: requestInit() }))
  return client
}

describe.each([
  ['the v1 client', connectFirst, '2025-11-25', -32002],
  // It shows the code of today for that of then.
  ['the v2 client as it is by default', () => connectSecond(undefined), '2025-11-25', -32602],
  ['the v2 client that looks for the newest', () => connectSecond('auto'), '2026-07-28', -32602],
])('%s', (_, connect, revision, notFound) => {
  let client: Client
  beforeAll(async () => {
    // Both have the methods that are used here.
    client = (await connect()) as unknown as Client
  })
  afterAll(() => client.close())

  it(`B51 speaks ${revision}, and is told what is served`, () => {
    expect(scene.gateway.trail.last()).toMatchObject({ outcome: 'OK' })
    expect(scene.gateway.trail.requests().findLast(({ method }) => method === 'initialize' || method === 'server/discover')).toMatchObject({
      protocolVersion: revision,
    })
    expect(client.getServerCapabilities()).toMatchObject({ tools: { listChanged: true }, prompts: {}, resources: { subscribe: true } })
    expect(client.getInstructions()).toBe('[acme] Ask for one thing.')
    expect(client.getServerVersion()).toMatchObject({ name: 'wicketgate' })
  })

  it('lists and calls tools', async () => {
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual(['acme__count', 'acme__list', 'acme__read', 'acme__send', 'acme__wipe'])
    const call = (name: string, args: Record<string, unknown> = {}) => client.callTool({ name: `acme__${name}`, arguments: args })
    expect(await call('send', { to: 'a', region: 'eu' })).toMatchObject({ content: [{ type: 'text', text: 'sent' }] })
    expect(await call('list')).toMatchObject({ content: [{ text: '[1,2]' }] })
    expect(await call('count')).toMatchObject({ structuredContent: { n: 1 } })
    expect(await call('read')).toMatchObject({ content: [{ type: 'resource_link', uri: 'acme+doc://one' }] })
  })

  it('gets prompts and reads resources', async () => {
    expect((await client.listPrompts()).prompts).toMatchObject([{ name: 'acme__brief' }])
    expect(await client.getPrompt({ name: 'acme__brief', arguments: { topic: 'x' } })).toMatchObject({
      messages: [{ content: { text: 'go' } }],
    })
    expect((await client.listResources()).resources).toMatchObject([{ uri: 'acme+doc://one' }])
    expect(await client.readResource({ uri: 'acme+doc://one' })).toMatchObject({ contents: [{ uri: 'acme+doc://one', text: 'one' }] })
  })

  it('reads a refusal as a result, and an unknown name as an error', async () => {
    expect(await client.callTool({ name: 'acme__send', arguments: {} })).toMatchObject({ isError: true })
    expect(scene.gateway.trail.last()).toMatchObject({ outcome: 'VALIDATION_ARGUMENTS', protocolVersion: revision })
    await expect(client.callTool({ name: 'acme__none', arguments: {} })).rejects.toMatchObject({ code: -32602 })
    await expect(client.readResource({ uri: 'acme+doc:other' })).rejects.toMatchObject({ code: notFound })
  })
})

it('a v1 client pings, and says which log messages it wants', async () => {
  const client = await connectFirst()
  expect(await client.ping()).toEqual({})
  expect(await client.subscribeResource({ uri: 'acme+doc://one' })).toEqual({})
  expect(await client.unsubscribeResource({ uri: 'acme+doc://one' })).toEqual({})
  await client.close()
})

it('B53 a v2 client that looks for the newest finds it at once, and never begins with initialize', async () => {
  const before = scene.gateway.trail.requests().length
  const client = await connectSecond('auto')
  await client.listTools()
  await client.close()
  const methods = scene.gateway.trail
    .requests()
    .slice(before)
    .map(({ method }) => method)
  expect(methods).toContain('server/discover')
  expect(methods).not.toContain('initialize')
})

describe('where nothing before 2026-07-28 is spoken', () => {
  let modern: Scene
  beforeAll(async () => {
    modern = await startScene({ endpointYaml: '    minProtocolVersion: 2026-07-28' })
  })
  afterAll(() => modern.close())
  const init = () => ({ requestInit: { headers: { authorization: `Bearer ${modern.gateway.token()}` } } })

  it('A-26 the v1 client is told what is', async () => {
    const client = new Client({ name: 'first', version: '1.0.0' })
    const transport = new StreamableHTTPClientTransport(new URL(modern.gateway.url), init())
    const connecting = client.connect(transport as Parameters<typeof client.connect>[0])
    await expect(connecting).rejects.toThrow(/-32022.*2026-07-28/s)
    expect(modern.gateway.trail.last()).toMatchObject({ outcome: 'MCP_VERSION_UNSUPPORTED', status: 400 })
  })

  it('A-26 so is the v2 client that begins with initialize; the one that looks first is served', async () => {
    const connect = async (mode: 'auto' | undefined) => {
      const client = new ModernClient({ name: 'second', version: '1.0.0' }, mode && { versionNegotiation: { mode } })
      await client.connect(new ModernTransport(new URL(modern.gateway.url), init()))
      return client
    }
    await expect(connect(undefined)).rejects.toThrow(/2026-07-28/)
    const client = await connect('auto')
    expect((await client.listTools()).tools).toHaveLength(3)
    await client.close()
  })
})
