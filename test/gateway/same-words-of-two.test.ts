import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import { eventually } from '../support/eventually.ts'
import { startGateway, type TestGateway } from '../support/gateway.ts'
import { expectRefused } from '../support/refused.ts'
import { streamRequest } from '../support/stream-call.ts'
import { type SeenRequest, startUpstreamStub, text, type UpstreamStub } from '../support/upstream-stub.ts'

/** Two servers that use the same words for everything: tool, task, state, URI. What one of them said may never lead to the other. */

const EXTENSION = 'io.modelcontextprotocol/tasks'
const ABLE: JsonObject = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {}, extensions: { [EXTENSION]: {} } } }
const TASK = { taskId: 't1', createdAt: '2026-11-30T10:00:00Z', lastUpdatedAt: '2026-11-30T10:00:01Z', ttlMs: 60_000 }
const QUESTION = {
  method: 'elicitation/create',
  params: { mode: 'form', message: 'Which?', requestedSchema: { type: 'object', properties: { city: { type: 'string' } } } },
}
const ANSWERS: JsonObject = { q: { action: 'accept', content: { city: 'Bern' } } }
const POLICY = `  work: { effect: read, allow: [{ scopes: [tools:read] }] }
  ask: { effect: read, allow: [{ scopes: [tools:read] }] }
resources:
  "file:///a": { allow: [{ scopes: [tools:read] }] }`

let gateway: TestGateway
const stubs = new Map<string, UpstreamStub>()
beforeAll(async () => {
  for (const alias of ['north', 'south']) {
    const stub = await startUpstreamStub(
      ['work', 'ask'].map(name => ({ name, inputSchema: { type: 'object' } })),
      request => answer(alias, request),
    )
    stub.resources = [{ uri: 'file:///a', name: 'a' }]
    stub.capabilities = { tools: {}, resources: { subscribe: true }, extensions: { [EXTENSION]: {} } }
    stubs.set(alias, stub)
  }
  gateway = await startGateway({
    upstreams: Object.fromEntries([...stubs].map(([alias, { url }]) => [alias, url])),
    tools: { north: POLICY, south: POLICY },
  })
})
afterAll(async () => {
  await gateway.close()
  await Promise.all([...stubs.values()].map(stub => stub.close()))
})

function answer(alias: string, { message: { method, params } }: SeenRequest): unknown {
  if (method === 'tasks/get') return { resultType: 'complete', ...TASK, status: 'completed', result: text(alias) }
  if (method !== 'tools/call') return { resultType: 'complete' }
  if (params.name === 'work') return { resultType: 'task', ...TASK, status: 'working' }
  if (params.inputResponses !== undefined) return text(`${alias} ${params.requestState}`)
  return { resultType: 'input_required', inputRequests: { q: QUESTION }, requestState: 's1' }
}

const stubOf = (alias: string): UpstreamStub => stubs.get(alias) as UpstreamStub
const call = (name: string, more: JsonObject = {}) => gateway.send('tools/call', { name, arguments: {}, ...more }, { meta: ABLE })
const taskOf = async (alias: string): Promise<string> => String((await call(`${alias}__work`)).json.result?.taskId)
const stateOf = async (alias: string): Promise<string> => String((await call(`${alias}__ask`)).json.result?.requestState)

describe('a task called t1 at both', () => {
  it('is asked for, and told of, at the one that began it', async () => {
    const [north, south] = [await taskOf('north'), await taskOf('south')]
    expect(north).not.toBe(south)
    for (const [alias, taskId] of [['north', north] as const, ['south', south] as const]) {
      const before = new Map([...stubs].map(([name, { calls }]) => [name, calls.length]))
      const { json } = await gateway.send('tasks/get', { taskId }, { meta: ABLE })
      expect(json.result).toMatchObject({ taskId, result: { content: [{ text: alias }] } })
      for (const [name, { calls }] of stubs) expect(calls.length - (before.get(name) ?? 0)).toBe(name === alias ? 1 : 0)
    }
    const stream = await streamRequest(
      gateway.url,
      'subscriptions/listen',
      { notifications: { taskIds: [north, south] } },
      { token: gateway.token(), meta: ABLE },
    )
    await stream.next()
    stubOf('south').notify({ method: 'notifications/tasks', params: { ...TASK, status: 'completed', result: text('south') } })
    expect(await stream.next()).toMatchObject({ method: 'notifications/tasks', params: { taskId: south } })
    stubOf('north').notify({ method: 'notifications/tasks', params: { ...TASK, status: 'completed', result: text('north') } })
    expect(await stream.next()).toMatchObject({ method: 'notifications/tasks', params: { taskId: north } })
    stream.leave()
  })
})

describe('a state called s1 at both', () => {
  it('goes back to the one that gave it, and is nothing to the other', async () => {
    for (const [alias, other] of [
      ['north', 'south'],
      ['south', 'north'],
    ] as const) {
      const requestState = await stateOf(alias)
      const back = { inputResponses: ANSWERS, requestState }
      await expectRefused({ gateway, upstreams: [...stubs.values()] }, 'STATE_INVALID', () => call(`${other}__ask`, back), { id: 1 })
      expect((await call(`${alias}__ask`, back)).json.result).toMatchObject({ content: [{ text: `${alias} s1` }] })
    }
  })
})

describe('a resource called file:///a at both', () => {
  it('is told of under the name of whose it is, also when both change at once', async () => {
    const uris = ['north+file:///a', 'south+file:///a']
    const options = { token: gateway.token(), id: 'mine' }
    const both = await streamRequest(gateway.url, 'subscriptions/listen', { notifications: { resourceSubscriptions: uris } }, options)
    const one = await streamRequest(
      gateway.url,
      'subscriptions/listen',
      { notifications: { resourceSubscriptions: [uris[1] ?? ''] } },
      options,
    )
    expect(await both.next()).toMatchObject({ params: { notifications: { resourceSubscriptions: uris } } })
    await one.next()
    for (const stub of stubs.values()) stub.notify({ method: 'notifications/resources/updated', params: { uri: 'file:///a' } })
    const heard = [await both.next(), await both.next()]
    expect(heard.map(({ params }) => (params as JsonObject).uri).toSorted()).toEqual(uris)
    expect(await one.next()).toMatchObject({ params: { uri: uris[1] } })
    expect(one.seen).not.toContain('north')
    both.leave()
    one.leave()
  })

  it('of a server that is away when it is asked for is told of once that server is back', async () => {
    const [north, south] = [stubOf('north'), stubOf('south')]
    const before = north.listens.length
    north.onListen = (_request, response) => void response.destroy()
    const uris = ['north+file:///a', 'south+file:///a']
    const options = { token: gateway.token() }
    const stream = await streamRequest(gateway.url, 'subscriptions/listen', { notifications: { resourceSubscriptions: uris } }, options)
    // One that does not answer keeps nobody from hearing the other.
    expect(await stream.next()).toMatchObject({ params: { notifications: { resourceSubscriptions: uris } } })
    south.notify({ method: 'notifications/resources/updated', params: { uri: 'file:///a' } })
    expect(await stream.next()).toMatchObject({ params: { uri: uris[1] } })
    north.onListen = undefined
    await eventually(() => north.listens.length > before + 1)
    // Whatever has happened there meanwhile, nobody heard: whoever cares looks.
    expect(await stream.next()).toMatchObject({ params: { uri: uris[0] } })
    stream.leave()
  })
})
