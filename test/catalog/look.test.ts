import { describe, expect, test } from 'vitest'
import { lookAt, type Source } from '../../src/catalog/look.ts'
import type { Discovery } from '../../src/catalog/read-discovery.ts'
import { Refusal } from '../../src/core/errors.ts'
import { type JsonDocument, type JsonObject, parseJsonText } from '../../src/core/json.ts'
import type { ItemKind } from '../../src/core/model.ts'
import { ANYONE, bench, eventually, prompt, resource, shown, sourceAt, startStub, template, tool, upstreamAt } from './stub.ts'

const UPSTREAM = upstreamAt('acme', 'http://127.0.0.1:9/mcp')
const MEMBERS: Readonly<Record<ItemKind, string>> = {
  tool: 'tools',
  prompt: 'prompts',
  resource: 'resources',
  resourceTemplate: 'resourceTemplates',
}

const document = (result: object): JsonDocument => parseJsonText(JSON.stringify({ jsonrpc: '2.0', id: 1, result }))
const refusal = (code: 'UPSTREAM_INVALID' | 'UPSTREAM_UNREACHABLE' | 'UPSTREAM_TIMEOUT' | 'UPSTREAM_AUTH_REQUIRED', detail = {}) =>
  new Refusal(code, {}, detail)

/** Looks at a server that answers `server/discover` so; what is not `failing` is an empty list. */
async function looked(discover: () => Promise<JsonDocument> | JsonDocument, failing: Partial<Record<ItemKind, Error>> = {}) {
  const asked: ItemKind[] = []
  const seen: string[] = []
  let said: Discovery | undefined
  const source: Source = {
    discover: async () => discover(),
    async fetchList(kind) {
      asked.push(kind)
      const error = failing[kind]
      if (error !== undefined) throw error
      return document({ [MEMBERS[kind]]: [], ttlMs: kind === 'prompt' ? 7_000 : 0 })
    },
  }
  const look = await lookAt(source, UPSTREAM, {
    read: kind => void seen.push(kind),
    discovered: discovery => {
      seen.push('server')
      said = discovery
    },
  })
  return { ...look, asked, seen, said }
}

const declaring = (capabilities: JsonObject, more: object = {}) => document({ supportedVersions: ['2026-07-28'], capabilities, ...more })

describe('a look asks for the lists that are declared', () => {
  test.each<[JsonObject, readonly ItemKind[]]>([
    [{}, []],
    [{ tools: {} }, ['tool']],
    [{ prompts: { listChanged: true } }, ['prompt']],
    [{ resources: {} }, ['resource', 'resourceTemplate']],
    [{ tools: {}, prompts: {}, resources: { subscribe: true } }, ['tool', 'prompt', 'resource', 'resourceTemplate']],
    [{ tools: true, prompts: null, completions: {} }, []],
  ])('%j: %j', async (capabilities, kinds) => {
    const { asked, seen, failures } = await looked(() => declaring(capabilities))
    expect(asked).toEqual(kinds)
    expect(seen.toSorted()).toEqual([...kinds, 'server'].toSorted())
    expect(failures.size).toBe(0)
  })

  test('and takes the shortest time that any of them is good for', async () => {
    expect((await looked(() => declaring({ tools: {}, prompts: {} }, { ttlMs: 9_000 }))).ttlMs).toBe(7_000)
    expect((await looked(() => declaring({ tools: {} }, { ttlMs: 9_000 }))).ttlMs).toBe(9_000)
    expect((await looked(() => declaring({ tools: {} }))).ttlMs).toBe(0)
  })
})

describe('a server that does not say what it can do is asked for its tools alone', () => {
  test.each<[string, () => JsonDocument]>([
    [
      'a JSON-RPC error',
      () => {
        throw refusal('UPSTREAM_INVALID', { reason: 'error', rpc: -32601, status: 404 })
      },
    ],
    [
      'a JSON-RPC error with status 500',
      () => {
        throw refusal('UPSTREAM_INVALID', { reason: 'error', rpc: -32603, status: 500 })
      },
    ],
    [
      'a page of HTML',
      () => {
        throw refusal('UPSTREAM_INVALID', { reason: 'media_type', status: 404 })
      },
    ],
    [
      'no JSON',
      () => {
        throw refusal('UPSTREAM_INVALID', { reason: 'json' })
      },
    ],
    ['a result without capabilities', () => document({ supportedVersions: [] })],
    ['capabilities that are a list', () => document({ capabilities: [] })],
    ['questions', () => document({ resultType: 'input_required', capabilities: { prompts: {} } })],
    ['no result', () => parseJsonText('[]')],
  ])('%s', async (_, discover) => {
    const { asked, said } = await looked(discover)
    expect(asked).toEqual(['tool'])
    expect(said).toBeUndefined()
  })
})

describe('a look fails', () => {
  test.each<[string, Error]>([
    ['UPSTREAM_UNREACHABLE', refusal('UPSTREAM_UNREACHABLE')],
    ['UPSTREAM_TIMEOUT', refusal('UPSTREAM_TIMEOUT')],
    ['UPSTREAM_AUTH_REQUIRED', refusal('UPSTREAM_AUTH_REQUIRED', { status: 401 })],
    ['UPSTREAM_INVALID', refusal('UPSTREAM_INVALID', { reason: 'broken' })],
    ['UPSTREAM_INVALID', refusal('UPSTREAM_INVALID', { reason: 'media_type', status: 503 })],
    ['a fault of ours', new TypeError('a fault of ours')],
  ])('where the server is not there: %s', async (message, error) => {
    await expect(
      looked(() => {
        throw error
      }),
    ).rejects.toThrow(message)
  })

  test('where not one list can be read', async () => {
    const failing = { tool: refusal('UPSTREAM_TIMEOUT'), prompt: refusal('UPSTREAM_UNREACHABLE') }
    await expect(looked(() => declaring({ tools: {}, prompts: {} }), failing)).rejects.toThrow('UPSTREAM_TIMEOUT')
  })
})

test('a server with resources needs no templates, nor the method', async () => {
  const none = refusal('UPSTREAM_INVALID', { reason: 'error', rpc: -32601 })
  const { failures, seen } = await looked(() => declaring({ resources: {} }), { resourceTemplate: none })
  expect(failures.size).toBe(0)
  expect(seen).toContain('resourceTemplate')
  expect((await looked(() => declaring({ resources: {} }), { resource: none })).failures.has('resource')).toBe(true)
})

test('a list that hangs delays no other', async () => {
  const read: string[] = []
  const source: Source = {
    discover: async () => declaring({ tools: {}, resources: {} }),
    fetchList: kind => (kind === 'resource' ? new Promise(() => undefined) : Promise.resolve(document({ [MEMBERS[kind]]: [] }))),
  }
  void lookAt(source, UPSTREAM, { read: kind => void read.push(kind), discovered: () => void read.push('server') })
  await eventually(() => read.length === 3)
  expect(read).toEqual(['tool', 'server', 'resourceTemplate'])
})

describe('the words of a server about itself', () => {
  async function wordsOf(result: object, dropPointers: readonly string[] = []) {
    const stub = await startStub()
    stub.discovery(result as Record<string, unknown>)
    let said: Discovery | undefined
    await lookAt(sourceAt(stub.url), upstreamAt('acme', stub.url, { dropPointers }), {
      read: () => undefined,
      discovered: discovery => {
        said = discovery
      },
    })
    const server = said?.server
    return { descriptor: server?.items.get('server')?.descriptor, withheld: server?.withheld }
  }

  test('are pinned with what they were said about', async () => {
    expect(await wordsOf({ instructions: 'Be kind.', _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'x' } } })).toEqual({
      descriptor: { instructions: 'Be kind.', capabilities: { tools: {} }, supportedVersions: ['2026-07-28'] },
      withheld: [],
    })
    expect((await wordsOf({ instructions: 'Be kind.' }, ['/capabilities'])).descriptor).toEqual({
      instructions: 'Be kind.',
      supportedVersions: ['2026-07-28'],
    })
  })

  test.each([{}, { instructions: '' }, { instructions: null }])('are none in %j', async result => {
    expect(await wordsOf(result)).toEqual({ descriptor: undefined, withheld: [] })
  })

  test.each([{ instructions: 1 }, { instructions: 'x'.repeat(70_000) }])(
    'are withheld where they are no text, or too long',
    async result => {
      expect(await wordsOf(result)).toEqual({
        descriptor: undefined,
        withheld: [{ name: 'server', reason: 'its instructions are not a text of 1 to 65536 characters' }],
      })
    },
  )

  test('are none where policy drops them', async () => {
    expect(await wordsOf({ instructions: 'x' }, ['/instructions'])).toEqual({ descriptor: undefined, withheld: [] })
  })

  test('are shown once they are approved, in the order of the upstreams, and gone when anything of them changes', async () => {
    const [b, a] = [await startStub(), await startStub()]
    b.discovery({ instructions: 'B says.' })
    a.discovery({ instructions: 'A says.' })
    const { catalog, approve, endpoint, events, changes } = await bench({ b, a })
    const running = await catalog({ pins: { onFirstUse: 'pending', pollMs: 30, maxStaleMs: 60_000, signers: [] } })
    expect(running.profile(endpoint, ANYONE).instructions).toEqual([])
    expect(running.states()).toMatchObject([{ pending: 1 }, { pending: 1 }])
    await approve('a')
    await approve('b')
    await eventually(() => running.profile(endpoint, ANYONE).instructions.length === 2)
    expect(running.profile(endpoint, ANYONE).instructions).toEqual([
      { alias: 'b', text: 'B says.' },
      { alias: 'a', text: 'A says.' },
    ])
    const before = changes()
    b.discovery({ instructions: 'B says.', supportedVersions: ['2026-07-28', '2027-01-01'] })
    await eventually(() => running.profile(endpoint, ANYONE).instructions.length === 1)
    expect(events.at(-1)).toMatchObject({ name: 'pin.drifted', facts: { alias: 'b', kind: 'server', name: 'server' } })
    expect(changes()).toBeGreaterThan(before)
  })
})

describe('the profile of an endpoint', () => {
  const NONE = { tools: false, prompts: false, resources: false, completions: false, logging: false, tasks: false, instructions: [] }

  test('is what its upstreams can do together', async () => {
    const [a, b] = [await startStub(), await startStub()]
    a.discovery({ capabilities: { tools: {}, logging: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } } })
    b.discovery({ capabilities: { prompts: {}, completions: {}, experimental: { x: {} } } })
    const { catalog, endpoint } = await bench({ a, b })
    const running = await catalog()
    expect(running.profile(endpoint, ANYONE)).toEqual({ ...NONE, tools: true, prompts: true, completions: true, logging: true })
  })

  test('has tasks only where the operator allows them', async () => {
    const stub = await startStub()
    stub.discovery({ capabilities: { tools: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } } })
    const { catalog, endpoint, upstreams } = await bench({ a: stub })
    expect((await catalog()).profile(endpoint, ANYONE).tasks).toBe(false)
    upstreams.set('a', upstreamAt('a', stub.url, { allowTasks: true }))
    expect((await catalog()).profile(endpoint, ANYONE).tasks).toBe(true)
    stub.discovery({ capabilities: { tools: {} } })
    expect((await catalog()).profile(endpoint, ANYONE).tasks).toBe(false)
  })

  test('is tools only where a server does not say', async () => {
    const stub = await startStub(tool('send'))
    stub.discovery('{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}')
    const { catalog, approve, endpoint } = await bench({ a: stub })
    await approve('a')
    const running = await catalog()
    expect(running.profile(endpoint, ANYONE)).toEqual({ ...NONE, tools: true })
    expect(shown(running, endpoint)).toEqual(['a__send'])
    expect(running.states()[0]?.snapshot).toBe('fresh')
  })

  test('of a server that was never seen is what was approved of it', async () => {
    const stub = await startStub()
    stub.items('prompt', prompt('greet'))
    stub.items('resourceTemplate', template('a:{b}'))
    const { catalog, approve, endpoint } = await bench({ a: stub })
    await approve('a')
    stub.discovery(500)
    expect((await catalog()).profile(endpoint, ANYONE)).toEqual({ ...NONE, tools: true, prompts: true, resources: true })
  })

  test('stays what it was while a server is silent', async () => {
    const stub = await startStub()
    stub.items('prompt', prompt('greet'))
    const { catalog, endpoint } = await bench({ a: stub })
    const running = await catalog({ pins: { onFirstUse: 'pending', pollMs: 20, maxStaleMs: 1, signers: [] } })
    stub.discovery(500)
    await eventually(() => running.states()[0]?.snapshot === 'expired')
    expect(running.profile(endpoint, ANYONE)).toMatchObject({ tools: true, prompts: true })
  })
})

test('a server that no longer says what it can do keeps what it had like a list that cannot be read', async () => {
  const stub = await startStub(tool('send'))
  stub.items('prompt', prompt('greet'))
  stub.items('resource', resource('file:///a'))
  stub.discovery({ instructions: 'x' })
  const { catalog, approve, endpoint, events } = await bench({ a: stub })
  await approve('a')
  let nowMs = 0
  const running = await catalog({
    clock: { now: () => 0, monotonicMs: () => nowMs },
    pins: { onFirstUse: 'pending', pollMs: 20, maxStaleMs: 1_000, signers: [] },
  })
  stub.discovery('{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"oops"}}')
  await eventually(() => running.states()[0]?.snapshot === 'stale')
  expect(shown(running, endpoint, 'prompt')).toEqual(['a__greet'])
  expect(running.profile(endpoint, ANYONE)).toMatchObject({ prompts: true, instructions: [{ text: 'x' }] })
  nowMs = 1_001
  await eventually(() => running.freshness(endpoint, 'tool', ANYONE).lacking.length === 0)
  expect(shown(running, endpoint, 'prompt')).toEqual([])
  expect(running.profile(endpoint, ANYONE).instructions).toEqual([])
  expect(shown(running, endpoint)).toEqual(['a__send'])
  expect(events).toContainEqual({
    name: 'upstream.stale',
    facts: { alias: 'a', kind: 'prompt', reason: 'it does not say what it offers', everSeen: true },
  })
  stub.discovery({ instructions: 'x' })
  await eventually(() => shown(running, endpoint, 'prompt').length === 1)
})

test('a server that no longer offers a kind has nothing of it', async () => {
  const stub = await startStub(tool('send'))
  stub.items('prompt', prompt('greet'))
  const { catalog, approve, endpoint } = await bench({ a: stub })
  await approve('a')
  const running = await catalog({ pins: { onFirstUse: 'pending', pollMs: 20, maxStaleMs: 60_000, signers: [] } })
  stub.discovery({ capabilities: { tools: {} } })
  await eventually(() => running.states()[0]?.missing === 1)
  expect(shown(running, endpoint, 'prompt')).toEqual([])
  expect(running.profile(endpoint, ANYONE).prompts).toBe(false)
})
