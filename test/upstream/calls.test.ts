import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CallMethod } from '../../src/core/model.ts'
import { decodeHeaderValue, parseCapabilities } from '../../src/mcp/index.ts'
import type { Upstream } from '../../src/upstream/index.ts'
import { createPeer } from '../../src/upstream/peer.ts'
import { type OnCall, startUpstreamStub, text, type UpstreamStub } from '../support/upstream-stub.ts'
import { configOf, createCaller, createRoom, type IntentShape, intentOf, PROMPT, RESOURCE } from './room.ts'

let stub: UpstreamStub
let room: Upstream
let suspected: string[] = []
beforeAll(async () => {
  stub = await startUpstreamStub([])
})
afterAll(() => stub.close())
beforeEach(() => {
  suspected = []
  stub.calls.length = 0
  const questions = { form: true, url: false, sampling: true, roots: false, urlHosts: [] }
  const config = configOf(stub.url, { allowTasks: true, questions, credentialHeaders: [['authorization', 'Bearer ours']] })
  room = createRoom(config, { suspect: alias => suspected.push(alias) })
})
afterEach(() => room.abort())

const TEMPLATED: IntentShape = {
  ...RESOURCE,
  item: { kind: 'resourceTemplate', upstreamName: 'file:///{path}' },
  call: { name: 'tickets+file:///ü' },
}
const UNLISTED: IntentShape = {
  ...RESOURCE,
  item: { kind: 'resource', upstreamName: 'file:///x', listed: false },
  call: { name: 'tickets+file:///x' },
}
const COMPLETION: IntentShape = {
  ...PROMPT,
  method: 'completion/complete',
  call: { name: 'tickets__brief', argumentsText: '"argument":{"name":"to","value":"p"}' },
}
const task = (method: CallMethod): IntentShape => ({
  method,
  effect: 'read',
  call: { name: 'sealed', argumentsText: '{"q":{"action":"decline"}}', task: { sealedId: 'sealed', upstreamId: 'theirs-1' } },
})

const send = (shape: IntentShape): Promise<unknown> => room.send(intentOf(shape), createCaller()).catch((error: unknown) => error)
const answer = (error: object, status = 200): OnCall => {
  return ({ message }, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, error }))
  }
}

describe('a request goes out under the upstream’s own name for its target', () => {
  const cases: readonly (readonly [CallMethod, IntentShape, name: string | undefined, params: object])[] = [
    ['tools/call', {}, 'create', { name: 'create' }],
    ['prompts/get', PROMPT, 'brief', { name: 'brief' }],
    ['resources/read', RESOURCE, 'file:///a', { uri: 'file:///a' }],
    ['resources/read', TEMPLATED, 'file:///ü', { uri: 'file:///ü' }],
    ['completion/complete', COMPLETION, undefined, { ref: { type: 'ref/prompt', name: 'brief' }, argument: { name: 'to', value: 'p' } }],
    ['tasks/get', task('tasks/get'), 'theirs-1', { taskId: 'theirs-1' }],
    ['tasks/update', task('tasks/update'), 'theirs-1', { taskId: 'theirs-1', inputResponses: { q: { action: 'decline' } } }],
    ['tasks/cancel', task('tasks/cancel'), 'theirs-1', { taskId: 'theirs-1' }],
  ]
  it.each(cases)('%s', async (method, shape, name, params) => {
    await send(shape)
    const [seen] = stub.calls
    expect(seen?.message).toMatchObject({ method, params })
    expect(seen?.headers).toMatchObject({ 'mcp-method': method, authorization: 'Bearer ours' })
    const header = seen?.headers['mcp-name'] as string | undefined
    expect(header === undefined ? undefined : decodeHeaderValue(header)).toBe(name)
  })

  it('and headers are kept for tools and prompts alone: whoever asks for ten thousand URIs leaves nothing behind', () => {
    const peer = createPeer(configOf(stub.url), () => {})
    expect(peer.callHeaders('tools/call', 'create')).toBe(peer.callHeaders('tools/call', 'create'))
    expect(peer.callHeaders('prompts/get', 'create')).toBe(peer.callHeaders('prompts/get', 'create'))
    expect(peer.callHeaders('prompts/get', 'create')).not.toEqual(peer.callHeaders('tools/call', 'create'))
    for (const method of ['resources/read', 'completion/complete', 'tasks/get', 'tasks/update', 'tasks/cancel'] as const) {
      expect(peer.callHeaders(method, 'x')).not.toBe(peer.callHeaders(method, 'x'))
    }
  })
})

describe('answers to an upstream’s questions', () => {
  it('go back with the state it gave, and only with that', async () => {
    const resumption = { inputResponsesText: '{"q":{"action":"accept"}}', inputResponses: {}, requestState: 'sealed by us' }
    await send({ call: { resumption }, innerState: 'theirs' })
    await send({ call: { resumption } })
    const [first, second] = stub.calls.map(({ message }) => message.params)
    expect(first).toMatchObject({ inputResponses: { q: { action: 'accept' } }, requestState: 'theirs' })
    expect(second).not.toHaveProperty('requestState')
    expect(stub.calls.map(({ body }) => body).join()).not.toContain('sealed by us')
  })
})

const declared = (capabilities: object) => parseCapabilities(capabilities as never)
const ALL = declared({
  elicitation: { form: {}, url: {} },
  sampling: { tools: {} },
  roots: {},
  extensions: { 'io.modelcontextprotocol/tasks': {} },
})

describe('capabilities', () => {
  it('are the caller’s, as far as the upstream may use them', async () => {
    await send({ capabilities: ALL })
    await send({ capabilities: declared({ elicitation: {} }) })
    await send({})
    const told = stub.calls.map(({ message }) => (message.params._meta as never)['io.modelcontextprotocol/clientCapabilities'])
    expect(told).toEqual([
      { elicitation: { form: {} }, sampling: { tools: {} }, extensions: { 'io.modelcontextprotocol/tasks': {} } },
      { elicitation: { form: {} } },
      {},
    ])
  })

  const lacks = (requiredCapabilities: unknown, status = 400): OnCall =>
    answer({ code: -32021, message: 'x', data: { requiredCapabilities } }, status)

  it.each([
    ['a question mode', { elicitation: { form: {} } }, {}],
    ['elicitation without a mode', { elicitation: {} }, {}],
    ['one of two it needs', { elicitation: { form: {} }, sampling: {} }, { elicitation: {} }],
    ['tools for its samples', { sampling: { tools: {} } }, { sampling: {} }],
    ['tasks', { extensions: { 'io.modelcontextprotocol/tasks': {} } }, {}],
  ])('that a caller could declare and did not: %s', async (_name, required, has) => {
    stub.onCall = lacks({ ...required, unknown: { secret: 1 } })
    expect(await send({ capabilities: declared(has) })).toMatchObject({
      code: 'MCP_CAPABILITY_MISSING',
      open: { notProcessed: true, requiredCapabilities: required },
    })
    expect(JSON.stringify(await send({ capabilities: declared(has) }))).not.toContain('secret')
  })

  it.each([
    ['that policy keeps from it', { elicitation: { url: {} } }, {}],
    ['of which policy keeps one from it', { elicitation: { form: {} }, roots: {} }, {}],
    ['that it was told of', { elicitation: { form: {} } }, { elicitation: {} }],
    ['that nobody knows', { telepathy: {} }, {}],
    ['that are none', 'all of them', {}],
  ])('are nothing a caller could do about: %s', async (_name, required, has) => {
    stub.onCall = lacks(required)
    expect(await send({ capabilities: declared(has) })).toMatchObject({
      code: 'UPSTREAM_INVALID',
      open: { notProcessed: true },
      detail: { reason: 'protocol', rpc: -32021 },
    })
  })

  it('missed behind a 200 are a tool’s own error, unless it only reads', async () => {
    stub.onCall = lacks({ elicitation: {} }, 200)
    expect(await send({ effect: 'write' })).toMatchObject({ answer: { kind: 'error', code: -32021, ran: true } })
    expect(await send({ effect: 'read' })).toMatchObject({ code: 'MCP_CAPABILITY_MISSING' })
  })
})

describe('an answer that is no result yet', () => {
  const TASK = { resultType: 'task', taskId: 't', status: 'working', createdAt: 'x', lastUpdatedAt: 'x', ttlMs: null }
  const QUESTIONS = { resultType: 'input_required', requestState: 's' }
  const inStream =
    (result: unknown): OnCall =>
    ({ message }, response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, result })}\n\n`)
    }

  it.each(['plain', 'in a stream'])('but a question reaches the caller’s side, %s', async how => {
    stub.onCall = how === 'plain' ? () => QUESTIONS : inStream(QUESTIONS)
    for (const shape of [{}, PROMPT, RESOURCE]) {
      expect(await send(shape)).toMatchObject({ answer: { kind: 'input_required', requestState: 's' } })
    }
    expect(await send(COMPLETION)).toMatchObject({ code: 'UPSTREAM_INVALID' })
  })

  it.each(['plain', 'in a stream'])('but a task reaches a caller that can follow one, %s', async how => {
    stub.onCall = how === 'plain' ? () => TASK : inStream(TASK)
    expect(await send({ capabilities: ALL })).toMatchObject({ answer: { kind: 'task', task: { taskId: 't' } } })
    expect(await send({})).toMatchObject({ code: 'UPSTREAM_INVALID', open: { effect: 'unknown' }, detail: { reason: 'task' } })
  })

  it('under a status that says otherwise is none', async () => {
    stub.onCall = ({ message }, response) => {
      response.writeHead(202, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: QUESTIONS }))
    }
    expect(await send({})).toMatchObject({ code: 'UPSTREAM_INVALID', detail: { reason: 'status' } })
  })
})

describe('an error about a resource', () => {
  it.each([-32602, -32002])('%i names it as the caller knows it', async code => {
    stub.onCall = answer({ code, message: 'Resource not found', data: { uri: 'file:///a' } })
    expect(await send(RESOURCE)).toMatchObject({ answer: { kind: 'error', code: -32602, dataText: '{"uri":"tickets+file:///a"}' } })
  })

  it('under 404 is as much of an answer as under 200', async () => {
    stub.onCall = answer({ code: -32602, message: 'Resource not found', data: { uri: 'file:///a' } }, 404)
    expect(await send(RESOURCE)).toMatchObject({ answer: { kind: 'error', code: -32602 } })
  })
})

describe('an error makes us look at the lists again', () => {
  const CODES = [-32602, -32601, -32020, -32002, -32603, 1]
  const cases: Readonly<Record<string, readonly [IntentShape, readonly number[]]>> = {
    'of a tool': [{}, [-32602, -32601, -32020]],
    'of a prompt': [PROMPT, [-32602, -32601, -32020]],
    'of a resource that is listed': [RESOURCE, [-32602, -32601, -32002]],
    'of what a template makes': [TEMPLATED, []],
    'of a resource that no list names': [UNLISTED, []],
    'of a completion': [COMPLETION, []],
    'of a task': [task('tasks/get'), []],
  }
  it.each(Object.keys(cases))('%s', async name => {
    const [shape, suspicious] = cases[name] as (typeof cases)[string]
    for (const code of CODES) {
      suspected = []
      stub.onCall = answer({ code, message: 'no' })
      await send(shape)
      expect([code, suspected]).toEqual([code, suspicious.includes(code) ? ['tickets'] : []])
    }
  })

  it('but not the end of a connection', async () => {
    stub.onCall = (_request, response) => void response.destroy()
    await send({})
    stub.onCall = () => text('done')
    await send({})
    expect(suspected).toEqual([])
  })
})

// B83
describe('an upstream that has moved within its origin', () => {
  it('is called and listed where it stands now, and told of once', async () => {
    const told: string[] = []
    const config = configOf(`${new URL(stub.url).origin}/old`)
    const moving = createRoom(config, { report: (name, { alias, path }) => told.push(`${name} ${alias} ${path}`) })
    const urls: (string | undefined)[] = []
    stub.onCall = ({ message }, response) => {
      urls.push(response.req.url)
      if (response.req.url === '/old') return void response.writeHead(307, { location: '/mcp' }).end()
      return text(String((message.params.arguments as { n?: unknown }).n ?? 'done'))
    }
    stub.onList = (_request, response) =>
      response.req.url === '/old' ? void response.writeHead(308, { location: '/mcp' }).end() : { resultType: 'complete', tools: [] }
    for (let round = 0; round < 2; round++) {
      expect(await moving.send(intentOf(), createCaller())).toMatchObject({ answer: { kind: 'result' } })
    }
    expect((await moving.fetchList('tickets', 'tool', undefined, 'shared')).value).toMatchObject({ result: { tools: [] } })
    expect(urls).toEqual(['/old', '/mcp', '/old', '/mcp'])
    expect(told).toEqual(['upstream.moved tickets /mcp'])
    stub.onList = undefined
    await moving.abort()
  })
})
