import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import { eventually } from '../support/eventually.ts'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'
import { streamRequest } from '../support/stream-call.ts'
import type { SeenRequest } from '../support/upstream-stub.ts'

const POLICY = `  send: { effect: write, allow: [{ scopes: [tools:write] }] }
  read: { effect: read, allow: [{ scopes: [tools:read] }] }`
const EXTENSION = 'io.modelcontextprotocol/tasks'
const ABLE: JsonObject = {
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {}, extensions: { [EXTENSION]: {} } },
}
const TASK = {
  taskId: 'upstream-task-1',
  createdAt: '2026-11-30T10:00:00Z',
  lastUpdatedAt: '2026-11-30T10:00:01Z',
  ttlMs: 60_000,
  pollIntervalMs: 100,
}

let scene: Scene
let detail: JsonObject = { status: 'working' }
beforeAll(async () => {
  scene = await startScene({
    policy: POLICY,
    stub: { capabilities: { tools: {}, extensions: { [EXTENSION]: {} } } },
    onCall: answer,
    limits: 'listsPerMinute: 100000, requestsPerMinute: 100000',
  })
})
afterAll(() => scene.close())

function answer({ message }: SeenRequest): unknown {
  switch (message.method) {
    case 'tools/call':
      return { resultType: 'task', status: 'working', ...TASK }
    case 'tasks/get':
      return { resultType: 'complete', ...TASK, ...detail }
    default:
      return { resultType: 'complete' }
  }
}

const begin = (name = 'acme__read', options: object = {}) =>
  scene.gateway.call(name, name === 'acme__send' ? { to: 'x' } : {}, { meta: ABLE, ...options })
const idOf = async (): Promise<string> => String((await begin()).json.result?.taskId)
const task = (method: string, params: JsonObject, options: object = {}) => scene.gateway.send(method, params, { meta: ABLE, ...options })

describe('a task', () => {
  it('[REQ-TASKS-NEGOTIATED] is offered only to who says it can follow one, and only where the server can', async () => {
    const { json } = await scene.gateway.send('server/discover')
    expect(json.result?.capabilities).toMatchObject({ extensions: { [EXTENSION]: {} } })
    await begin()
    const passed = () => JSON.stringify(scene.upstream.calls.at(-1)?.message.params._meta)
    expect(passed()).toContain(EXTENSION)
    const answer = await scene.gateway.call('acme__read')
    expect(passed()).not.toContain(EXTENSION)
    // This server goes on as if it had been told otherwise.
    expect(answer.json.error).toMatchObject({ data: { code: 'UPSTREAM_INVALID' } })
  })

  it('is known to its caller under an id of our own, by which alone it is found again', async () => {
    const { json, text: said } = await begin('acme__send')
    expect(json.result).toMatchObject({ resultType: 'task', status: 'working', ttlMs: 60_000, taskId: expect.stringMatching(/^w1\./) })
    expect(said).not.toContain('upstream-task-1')
    expect(scene.gateway.trail.last()).toMatchObject({ outcome: 'OK', resultType: 'task', effectStatus: 'in_progress' })
    const taskId = String(json.result?.taskId)
    detail = { status: 'working' }
    const got = await task('tasks/get', { taskId })
    expect(got.json.result).toMatchObject({ resultType: 'complete', taskId, status: 'working' })
    expect(scene.upstream.calls.at(-1)?.message).toMatchObject({ method: 'tasks/get', params: { taskId: 'upstream-task-1' } })
    expect(scene.upstream.calls.at(-1)?.headers).toMatchObject({ 'mcp-method': 'tasks/get', 'mcp-name': 'upstream-task-1' })
    expect(scene.gateway.trail.last()).toMatchObject({ outcome: 'OK', method: 'tasks/get', exposedName: 'acme__send' })
    expect(JSON.stringify(scene.gateway.trail.records())).not.toContain(taskId)
  })

  it('ends with a result that is checked like any result of its tool', async () => {
    const taskId = await idOf()
    detail = { status: 'completed', result: { content: [{ type: 'resource_link', uri: 'file:///x', name: 'x' }], isError: false } }
    const done = await task('tasks/get', { taskId })
    expect(done.json.result).toMatchObject({ status: 'completed', result: { content: [{ uri: 'acme+file:///x' }] } })
    detail = { status: 'completed', result: { content: 'no list' } }
    const odd = await task('tasks/get', { taskId })
    expect(odd.json.result).toMatchObject({ status: 'completed', result: { isError: true } })
    detail = { status: 'failed', error: { code: -32000, message: 'broke' } }
    expect((await task('tasks/get', { taskId })).json.result).toMatchObject({ status: 'failed', error: { code: -32603, message: 'broke' } })
    detail = { status: 'odd' }
    expect((await task('tasks/get', { taskId })).json.error).toMatchObject({ data: { code: 'UPSTREAM_INVALID' } })
  })

  it('asks its questions with the name of who asks, and takes the answers', async () => {
    const taskId = await idOf()
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } }
    const question = { method: 'elicitation/create', params: { mode: 'form', message: 'Who?', requestedSchema } }
    detail = { status: 'input_required', inputRequests: { name: question } }
    const asked = await task('tasks/get', { taskId })
    expect(asked.json.result).toMatchObject({ status: 'input_required', inputRequests: { name: { params: { message: '[acme] Who?' } } } })
    const inputResponses = { name: { action: 'accept', content: { name: 'Luca' } } }
    const updated = await task('tasks/update', { taskId, inputResponses })
    expect(updated.json.result).toMatchObject({ resultType: 'complete' })
    expect(scene.upstream.calls.at(-1)?.message).toMatchObject({
      method: 'tasks/update',
      params: { taskId: 'upstream-task-1', inputResponses },
    })
    detail = {
      status: 'input_required',
      inputRequests: { key: { ...question, params: { ...question.params, message: 'Enter your password' } } },
    }
    const refused = await task('tasks/get', { taskId })
    expect(refused.json.error).toMatchObject({ data: { code: 'VALIDATION_QUESTION' } })
  })

  it('can be cancelled', async () => {
    const taskId = await idOf()
    expect((await task('tasks/cancel', { taskId })).json.result).toMatchObject({ resultType: 'complete' })
    expect(scene.upstream.calls.at(-1)?.message).toMatchObject({ method: 'tasks/cancel', params: { taskId: 'upstream-task-1' } })
  })

  it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])(
    'of somebody else, or none of ours, is refused by %s in one answer',
    async method => {
      const taskId = await idOf()
      const more: JsonObject = method === 'tasks/update' ? { inputResponses: {} } : {}
      const { token } = scene.gateway
      const refuse = (id: string, options = {}) =>
        expectRefused(scene, 'STATE_INVALID', () => task(method, { taskId: id, ...more }, options), { id: 1 })
      const answers = [
        await refuse(taskId, { token: token(undefined, { sub: 'somebody-else' }) }),
        await refuse('upstream-task-1'),
        await refuse(`${taskId.slice(0, -2)}AA`),
      ]
      expect(new Set(answers.map(answer => answer.text)).size).toBe(1)
    },
  )

  it("is judged by today's word on its tool: who lost the scope cannot follow it", async () => {
    const taskId = String((await begin('acme__send')).json.result?.taskId)
    const token = scene.gateway.token('tools:read')
    await expectRefused(scene, 'CATALOG_UNKNOWN_TOOL', () => task('tasks/get', { taskId }, { token }), { id: 1 }).catch(async () =>
      expectRefused(scene, 'AUTH_SCOPE_INSUFFICIENT', () => task('tasks/get', { taskId }, { token })),
    )
  })

  it('[REQ-TASKS-NAME] needs a header that names it', async () => {
    const taskId = await idOf()
    await expectRefused(scene, 'MCP_HEADER_MISMATCH', () => task('tasks/get', { taskId }, { headers: { 'mcp-name': 'x' } }), { id: 1 })
  })

  it('[REQ-TASKS-WHOLE] tells those who listen how it goes, checked as an answer is', async () => {
    const taskId = await idOf()
    detail = { status: 'completed', result: { content: [{ type: 'resource_link', uri: 'file:///x', name: 'x' }] } }
    const notifications = { taskIds: [taskId, 'upstream-task-1'] }
    const token = scene.gateway.token()
    const stream = await streamRequest(scene.gateway.url, 'subscriptions/listen', { notifications }, { token, meta: ABLE, id: 9 })
    expect(await stream.next()).toMatchObject({ params: { notifications: { taskIds: [taskId] } } })
    await eventually(() => scene.upstream.listens.some(({ message }) => JSON.stringify(message).includes('upstream-task-1')))
    scene.upstream.notify({ method: 'notifications/tasks', params: { ...TASK, ...detail } })
    expect(await stream.next()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/tasks',
      params: {
        ...TASK,
        taskId,
        status: 'completed',
        result: {
          content: [{ type: 'resource_link', uri: 'acme+file:///x', name: 'x' }],
          _meta: { 'dev.wicketgate/source': { alias: 'acme', pin: expect.stringMatching(/^p1:/) } },
        },
        _meta: { 'io.modelcontextprotocol/subscriptionId': 9 },
      },
    })
    stream.leave()
    const refused = await streamRequest(scene.gateway.url, 'subscriptions/listen', { notifications }, { token })
    expect(refused.status).toBe(400)
    expect(JSON.parse(await refused.text())).toMatchObject({
      error: { code: -32021, data: { requiredCapabilities: { extensions: { [EXTENSION]: {} } } } },
    })
  })

  it('of a keyed call is one: the same key gives the same task', async () => {
    const options = { headers: { 'idempotency-key': 'task-1' } }
    const first = await begin('acme__send', options)
    const before = scene.upstream.calls.length
    const again = await begin('acme__send', { ...options, id: 5 })
    expect(again.json).toMatchObject({ id: 5, result: { resultType: 'task', taskId: first.json.result?.taskId } })
    expect(scene.upstream.calls.length).toBe(before)
  })
})
