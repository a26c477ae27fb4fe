import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene, TOOLS } from '../support/scene.ts'
import { EARLIER, initializeBody, openSession, type TestSession } from '../support/session.ts'
import { type OnCall, sendEvents, text } from '../support/upstream-stub.ts'

const LINK = { type: 'resource_link', uri: 'doc://one', name: 'one' }
const SHAPES = [...TOOLS, { name: 'list', inputSchema: { type: 'object' }, outputSchema: { type: 'array', items: { type: 'integer' } } }]
const POLICY = `  send: { effect: write, allow: [{ scopes: [tools:write] }] }
  read: { effect: read, allow: [{ scopes: [tools:read] }] }
  list: { effect: read, allow: [{ scopes: [tools:read] }] }
prompts:
  brief: { allow: [{ scopes: [tools:read] }] }
resources:
  'doc://*': { allow: [{ scopes: [tools:read] }] }`
const STUB = {
  prompts: [{ name: 'brief', arguments: [{ name: 'topic', required: true }] }],
  resources: [{ uri: 'doc://one', name: 'one' }],
  resourceTemplates: [{ uriTemplate: 'doc://{id}', name: 'any' }],
  capabilities: { tools: {}, prompts: {}, resources: {}, completions: {}, logging: {} },
}
const answers: Record<string, unknown> = {
  'tools/call': text('done'),
  'prompts/get': { resultType: 'complete', messages: [{ role: 'user', content: LINK }] },
  'resources/read': { resultType: 'complete', ttlMs: 5_000, cacheScope: 'public', contents: [{ uri: 'doc://one', text: 'one' }] },
  'completion/complete': { resultType: 'complete', completion: { values: ['a'] } },
}
const onCall: OnCall = ({ message }) => answers[message.method]

let scene: Scene
beforeAll(async () => {
  scene = await startScene({ tools: SHAPES, policy: POLICY, stub: STUB, onCall })
})
afterAll(() => scene.close())
beforeEach(() => {
  scene.upstream.onCall = onCall
})

const seen = () => scene.upstream.calls.at(-1)
const last = () => scene.gateway.trail.last()
const MODERN_ONLY = /resultType|ttlMs|cacheScope|serverInfo|inputRequests|requestState/

describe.each(EARLIER)('a client of %s', revision => {
  let session: TestSession
  beforeAll(async () => {
    session = await openSession(scene.gateway, { protocolVersion: revision })
  })

  it('is greeted in its revision', () => {
    const { status, headers, json } = session.hello
    expect(status).toBe(200)
    expect(headers.get('content-type')).toContain('application/json')
    expect(json).toEqual({
      jsonrpc: '2.0',
      id: 0,
      result: {
        protocolVersion: revision,
        capabilities: {
          tools: { listChanged: true },
          prompts: { listChanged: true },
          resources: { listChanged: true, subscribe: true },
          completions: {},
          logging: {},
        },
        serverInfo: { name: 'wicketgate', version: expect.any(String) },
      },
    })
  })

  it.each([
    ['tools/list', { tools: expect.any(Array) }],
    ['prompts/list', { prompts: [expect.objectContaining({ name: 'acme__brief' })] }],
    ['resources/list', { resources: [{ uri: 'acme+doc://one', name: 'one' }] }],
    ['resources/templates/list', { resourceTemplates: [{ uriTemplate: 'acme+doc://{id}', name: 'any' }] }],
  ])('%s holds items, and nothing of later revisions', async (method, expected) => {
    const answer = await session.send(method)
    expect(answer).toMatchObject({ status: 200, json: { id: 1, result: expected } })
    expect(Object.keys(answer.json.result ?? {})).toEqual(Object.keys(expected))
    expect(last()).toMatchObject({ outcome: 'OK', method, protocolVersion: revision })
  })

  it('sees no schema of results that are no objects, and no such content', async () => {
    const { json } = await session.send('tools/list')
    const tools = json.result?.tools as { name: string; outputSchema?: unknown }[]
    expect(tools.find(({ name }) => name === 'acme__list')).not.toHaveProperty('outputSchema')
    scene.upstream.onCall = () => ({ content: [{ type: 'text', text: '[1]' }], structuredContent: [1] })
    const answer = await session.call('acme__list')
    expect(answer.json.result).toMatchObject({ content: [{ type: 'text', text: '[1]' }] })
    expect(answer.json.result).not.toHaveProperty('structuredContent')
  })

  it.each([
    ['tools/call', { name: 'acme__send', arguments: { to: 'a', region: 'eu' } }, { content: [{ type: 'text', text: 'done' }] }],
    ['prompts/get', { name: 'acme__brief', arguments: { topic: 't' } }, { messages: [{ role: 'user' }] }],
    ['resources/read', { uri: 'acme+doc://one' }, { contents: [{ uri: 'acme+doc://one', text: 'one' }] }],
    [
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'acme__brief' }, argument: { name: 'topic', value: 't' } },
      { completion: { values: ['a'] } },
    ],
  ])('%s is answered without anything of later revisions', async (method, params, expected) => {
    const answer = await session.send(method, params, { id: 'a-string' })
    expect(answer).toMatchObject({ status: 200, json: { id: 'a-string', result: expected } })
    expect(answer.text).not.toMatch(MODERN_ONLY)
    // Towards the server we are the client, and speak what it speaks.
    expect(seen()?.message.params._meta).toMatchObject({ 'io.modelcontextprotocol/protocolVersion': '2026-07-28' })
    expect(seen()?.headers).not.toHaveProperty('mcp-session-id')
    expect(last()).toMatchObject({ outcome: 'OK', method, protocolVersion: revision, session: expect.stringMatching(/^[\w-]{22}$/) })
  })

  it('reads a link in the form that its revision has for it', async () => {
    scene.upstream.onCall = () => ({ content: [LINK] })
    const exposed = { ...LINK, uri: 'acme+doc://one' }
    const block = revision === '2025-03-26' ? { type: 'text', text: 'one: acme+doc://one' } : exposed
    expect((await session.call('acme__read')).json.result?.content).toEqual([expect.objectContaining(block)])
  })

  it.each([
    'notifications/initialized',
    'notifications/progress',
    'notifications/roots/list_changed',
    'notifications/cancelled',
    'notifications/x',
  ])('%s is accepted with 202 and nothing else', async method => {
    expect(await session.notify(method, { requestId: 99 })).toMatchObject({ status: 202, text: '' })
    expect(last()).toMatchObject({ outcome: 'OK', status: 202, session: expect.any(String) })
  })

  it('a response that nobody waits for is accepted and passed over', async () => {
    for (const message of [{ result: {} }, { error: { code: -1, message: 'no' } }]) {
      expect(await session.post({ jsonrpc: '2.0', id: 5, ...message })).toMatchObject({ status: 202, text: '' })
    }
  })

  it('is pinged', async () => {
    expect((await session.send('ping')).json).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  })

  it('hears the progress of its call, under its own token', async () => {
    scene.upstream.onCall = ({ message: { id, params } }, response) => {
      const { progressToken } = params._meta as { progressToken: number }
      const params2 = { progressToken, progress: 1, message: 'half' }
      sendEvents(response, [
        { jsonrpc: '2.0', method: 'notifications/progress', params: params2 },
        { jsonrpc: '2.0', id, result: text('done') },
      ])
    }
    const { text: events, status } = await session.send('tools/call', { name: 'acme__read', arguments: {}, _meta: { progressToken: 7 } })
    expect(status).toBe(200)
    expect(events).toContain('"params":{"progressToken":7,"progress":1,"message":"half"}')
    expect(events).toContain('"content":[{"type":"text","text":"done"}]')
    expect(events).not.toMatch(MODERN_ONLY)
  })

  it.each(['tools/Call', 'server/discover', 'subscriptions/listen', 'tasks/get', 'tasks/list', 'sampling/createMessage', 'x', ''])(
    '%j is a method that it does not have',
    async method => {
      await expectRefused(scene, 'MCP_METHOD_NOT_FOUND', () => session.send(method), { status: 200, id: 1 })
    },
  )

  it('a message that is none is refused by its transport', async () => {
    const call = { jsonrpc: '2.0', id: 1, method: 'ping' }
    await expectRefused(scene, 'MCP_INVALID_REQUEST', () => session.post([call, call] as never))
    await expectRefused(scene, 'MCP_INVALID_REQUEST', () => session.post({ ...call, id: null }))
    await expectRefused(scene, 'MCP_PARSE', () => session.post('{"jsonrpc":"2.0","jsonrpc":"2.0","id":1,"method":"ping"}'))
    await expectRefused(scene, 'MCP_PARAMS_INVALID', () => session.send('tools/list', { _meta: { progressToken: 1.5 } }), {
      status: 200,
      id: 1,
    })
  })
})

describe('log messages', () => {
  const log = (level: string) => ({ jsonrpc: '2.0', method: 'notifications/message', params: { level, data: `a ${level}` } })

  it('come from the level that the session asked for, which the server is told with each call', async () => {
    scene.upstream.onCall = ({ message: { id } }, response) =>
      sendEvents(response, [log('debug'), log('info'), log('error'), { jsonrpc: '2.0', id, result: text('done') }])
    const session = await openSession(scene.gateway)
    const heard = async () => [...(await session.call('acme__read')).text.matchAll(/"data":"a (\w+)"/g)].map(([, level]) => level)
    expect(await heard()).toEqual(['info', 'error'])
    expect(seen()?.message.params._meta).toMatchObject({ 'io.modelcontextprotocol/logLevel': 'info' })
    for (const [level, expected] of [
      ['warning', ['error']],
      ['debug', ['debug', 'info', 'error']],
      ['emergency', []],
    ] as const) {
      expect((await session.send('logging/setLevel', { level })).json.result).toEqual({})
      expect(await heard()).toEqual(expected)
      expect(seen()?.message.params._meta).toMatchObject({ 'io.modelcontextprotocol/logLevel': level })
    }
    await expectRefused(scene, 'MCP_PARAMS_INVALID', () => session.send('logging/setLevel', { level: 'loud' }), { status: 200, id: 1 })
  })
})

describe('what a session has no word for', () => {
  it('means nothing: answers to questions, a state, a task', async () => {
    const session = await openSession(scene.gateway)
    const params = { name: 'acme__send', arguments: { to: 'a', region: 'eu' }, inputResponses: 7, requestState: ['x'], task: { ttl: 1 } }
    expect((await session.send('tools/call', params)).json.result).toMatchObject({ content: [{ text: 'done' }] })
    for (const word of ['inputResponses', 'requestState', 'task']) expect(seen()?.message.params).not.toHaveProperty(word)
  })

  it('is not asked for, but must be true where it is there: mirrored headers', async () => {
    const session = await openSession(scene.gateway)
    const send = (headers: Record<string, string>) =>
      session.send('tools/call', { name: 'acme__send', arguments: { to: 'a', region: 'eu' } }, { headers })
    const truth = { 'mcp-method': 'tools/call', 'mcp-name': 'acme__send', 'mcp-param-region': 'eu' }
    expect((await send({})).json.result).toMatchObject({ content: [{ text: 'done' }] })
    expect((await send(truth)).json.result).toMatchObject({ content: [{ text: 'done' }] })
    // Towards the server they are ours, and always there.
    expect(seen()?.headers).toMatchObject({ ...truth, 'mcp-name': 'send' })
    for (const header of Object.keys(truth)) {
      await expectRefused(scene, 'MCP_HEADER_MISMATCH', () => send({ ...truth, [header]: 'x' }), { id: 1, detail: { header } })
    }
  })
})

describe('resources/subscribe', () => {
  it('is for what may be read', async () => {
    const session = await openSession(scene.gateway)
    expect((await session.send('resources/subscribe', { uri: 'acme+doc://one' })).json.result).toEqual({})
    expect((await session.send('resources/unsubscribe', { uri: 'acme+doc://one' })).json.result).toEqual({})
    const unknown = () => session.send('resources/subscribe', { uri: 'acme+file:///etc/passwd' })
    const { json } = await expectRefused(scene, 'CATALOG_UNKNOWN_RESOURCE', unknown, { status: 200, rpc: -32002, id: 1 })
    expect(json.error?.data).toEqual({ uri: 'acme+file:///etc/passwd' })
    await expectRefused(scene, 'MCP_PARAMS_INVALID', () => session.send('resources/subscribe', {}), { status: 200, id: 1 })
  })
})

describe('initialize', () => {
  it('is refused where it is not well-formed', async () => {
    const headers = { authorization: `Bearer ${scene.gateway.token()}` }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } })
    const answer = await expectRefused(scene, 'MCP_PARAMS_INVALID', () => scene.gateway.post(body, headers), { status: 200, id: 0 })
    expect(answer.headers.get('mcp-session-id')).toBeNull()
  })

  it('needs a token, as everything does', async () => {
    await expectRefused(scene, 'AUTH_TOKEN_MISSING', () => scene.gateway.post(initializeBody('2025-11-25')))
  })

  it('says what a person approved, and only of servers that this caller sees something of', async () => {
    const { result } = (await openSession(scene.gateway, { token: scene.gateway.token('') })).hello.json
    expect(result).not.toHaveProperty('instructions')
  })
})
