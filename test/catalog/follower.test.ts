import { describe, expect, test } from 'vitest'
import type { UpstreamNews } from '../../src/mcp/index.ts'
import { ANYONE, bench, eventually, fetchList, prompt, shown, startStub, tool } from './stub.ts'

const news: Readonly<Record<string, UpstreamNews>> = {
  'list_changed of tools': { kind: 'list_changed', list: 'tools' },
  'list_changed of resources': { kind: 'list_changed', list: 'resources' },
  resumed: { kind: 'resumed' },
}

async function following() {
  const stub = await startStub(tool('send'))
  stub.discovery({ capabilities: { tools: { listChanged: true }, prompts: {}, resources: { listChanged: true, subscribe: true } } })
  const scene = await bench({ acme: stub })
  await scene.approve('acme')
  return { stub, ...scene, running: await scene.catalog() }
}

describe('an upstream that tells changes', () => {
  test('is listened to for the lists it tells changes of, once', async () => {
    const { listening, running } = await following()
    expect(listening).toMatchObject([
      { alias: 'acme', filter: { tools: true, prompts: false, resources: true, uris: [], taskIds: [] }, closed: false },
    ])
    running.suspect('acme', 'shared')
    await new Promise(resolve => setTimeout(resolve, 1_100))
    expect(listening).toHaveLength(1)
  })

  test.each(Object.entries(news))('is looked at soon after %s', async (_, said) => {
    const { stub, listening, running, endpoint } = await following()
    stub.tools(tool('send', { title: 'changed' }))
    listening[0]?.onNews(said)
    await eventually(() => shown(running, endpoint).length === 0)
  })

  test('is not looked at for a resource that was updated', async () => {
    const { stub, listening } = await following()
    const before = stub.asked.length
    listening[0]?.onNews({ kind: 'resource_updated', uri: 'file:///a' })
    await new Promise(resolve => setTimeout(resolve, 1_100))
    expect(stub.asked).toHaveLength(before)
  })

  test('is listened to anew when it tells changes of other lists, and no more when of none', async () => {
    const { stub, listening, running } = await following()
    stub.discovery({ capabilities: { tools: { listChanged: true } } })
    running.suspect('acme', 'shared')
    await eventually(() => listening.length === 2)
    expect(listening.map(({ closed, filter }) => [closed, filter.resources])).toEqual([
      [true, true],
      [false, false],
    ])
    stub.discovery({ capabilities: { tools: {} } })
    running.suspect('acme', 'shared')
    await eventually(() => listening[1]?.closed === true)
    expect(listening).toHaveLength(2)
  })

  test('is let go of with the catalog', async () => {
    const { listening, running } = await following()
    await running.close()
    expect(listening).toMatchObject([{ closed: true }])
  })

  test('is listened to by the revision that follows, of what it never said before', async () => {
    const { catalog, listening, running } = await following()
    await running.close()
    await catalog({ previous: running })
    await eventually(() => listening.length === 2)
    expect(listening.at(-1)?.closed).toBe(false)
  })
})

test('an upstream that tells no changes is not listened to', async () => {
  const stub = await startStub(tool('send'))
  stub.items('prompt', prompt('greet'))
  const { catalog, listening } = await bench({ acme: stub })
  await catalog()
  expect(listening).toEqual([])
})

describe('a change of what an endpoint shows is told', () => {
  const pins = { onFirstUse: 'pending', pollMs: 20, maxStaleMs: 60_000, signers: [] } as const

  test('after a decision, a drift, an item that is gone, and not for what nobody is shown', async () => {
    const stub = await startStub(tool('send'))
    stub.items('prompt', prompt('greet'))
    const { catalog, approve, endpoint, changes } = await bench({ acme: stub })
    const running = await catalog({ pins })
    expect(changes()).toBe(0)
    await approve('acme')
    await eventually(() => shown(running, endpoint, 'prompt').length === 1)
    expect(changes()).toBe(1)
    stub.items('prompt', prompt('greet'), prompt('pending'))
    await eventually(() => running.states()[0]?.pending === 1)
    expect(changes()).toBe(1)
    stub.items('prompt', prompt('greet', { title: 'T' }))
    await eventually(() => shown(running, endpoint, 'prompt').length === 0)
    expect(changes()).toBe(2)
    stub.tools()
    await eventually(() => shown(running, endpoint).length === 0)
    expect(changes()).toBe(3)
  })

  test('not by ten looks at what stays as it is, nor by another order (B103)', async () => {
    const stub = await startStub(tool('a'), tool('b'))
    const { catalog, approve, changes } = await bench({ acme: stub })
    await approve('acme')
    await catalog({ pins })
    const before = changes()
    const asked = stub.asked.length
    stub.tools(tool('b'), tool('a'))
    await eventually(() => stub.asked.length > asked + 10)
    expect(changes()).toBe(before)
  })

  test('once for twenty upstreams that change in one turn', async () => {
    const stubs = Object.fromEntries(
      await Promise.all(Array.from({ length: 20 }, async (_, index) => [`u${index}`, await startStub(tool('send'))] as const)),
    )
    const { catalog, approve, changes, endpoint, upstreams } = await bench(stubs)
    for (const alias of Object.keys(stubs)) await approve(alias)
    const pages = new Map(
      await Promise.all([...upstreams].map(async ([alias, { url }]) => [alias, await fetchList(url, 'tool', undefined)] as const)),
    )
    let release = (): void => undefined
    const gate = new Promise<void>(resolve => {
      release = resolve
    })
    let waiting = 0
    const running = await catalog({
      fetchList: async alias => {
        waiting += 1
        if (waiting === pages.size) release()
        await gate
        return pages.get(alias) ?? fetchList('', 'tool', undefined)
      },
    })
    expect(shown(running, endpoint)).toHaveLength(20)
    expect(changes()).toBe(1)
  })

  test('when time takes it away, and when it is back', async () => {
    const stub = await startStub(tool('send'))
    const { catalog, approve, endpoint, events, changes } = await bench({ acme: stub })
    await approve('acme')
    const running = await catalog({ pins: { onFirstUse: 'pending', pollMs: 60_000, maxStaleMs: 50, signers: [] } })
    const before = changes()
    stub.answer(() => 500)
    running.suspect('acme', 'shared')
    await eventually(() => changes() > before)
    expect(shown(running, endpoint)).toEqual([])
    expect(events.map(({ name }) => name)).toContain('upstream.expired')
    stub.tools(tool('send'))
    await eventually(() => shown(running, endpoint).length === 1)
    expect(changes()).toBe(before + 2)
  })

  test('also of one list alone, which is then what has expired', async () => {
    const stub = await startStub(tool('send'))
    stub.items('prompt', prompt('greet'))
    const { catalog, approve, endpoint, events, changes } = await bench({ acme: stub })
    await approve('acme')
    const running = await catalog({ pins: { onFirstUse: 'pending', pollMs: 60_000, maxStaleMs: 50, signers: [] } })
    const before = changes()
    stub.answerList('prompt', () => 500)
    running.suspect('acme', 'shared')
    await eventually(() => changes() > before)
    expect(shown(running, endpoint, 'prompt')).toEqual([])
    expect(shown(running, endpoint)).toEqual(['acme__send'])
    expect(running.states()[0]?.snapshot).toBe('stale')
    expect(events).toContainEqual({ name: 'upstream.expired', facts: { alias: 'acme', kind: 'prompt' } })
  })

  test('no more once the catalog is closed', async () => {
    const stub = await startStub(tool('send'))
    const { catalog, approve, changes, events } = await bench({ acme: stub })
    await approve('acme')
    const running = await catalog({ pins: { onFirstUse: 'pending', pollMs: 60_000, maxStaleMs: 2_000, signers: [] } })
    stub.answer(() => 500)
    running.suspect('acme', 'shared')
    await eventually(() => running.states()[0]?.snapshot === 'stale')
    const before = [changes(), events.length]
    await running.close()
    await new Promise(resolve => setTimeout(resolve, 2_200))
    expect([changes(), events.length]).toEqual(before)
  })
})

describe('a policy reload goes on with every kind', () => {
  test('and tells again only what is news', async () => {
    const stub = await startStub(tool('send'))
    stub.items('prompt', prompt('greet'))
    stub.items('resource')
    stub.discovery({ instructions: 'x' })
    const { catalog, approve, endpoint, events } = await bench({ acme: stub })
    await approve('acme')
    const first = await catalog()
    await first.close()
    const told = events.length
    stub.discovery(500)
    const second = await catalog({ previous: first })
    expect([shown(second, endpoint), shown(second, endpoint, 'prompt')]).toEqual([['acme__send'], ['acme__greet']])
    expect(second.profile(endpoint, ANYONE)).toMatchObject({ prompts: true, resources: true, instructions: [{ text: 'x' }] })
    await eventually(() => second.states()[0]?.snapshot === 'stale')
    expect(events.slice(told).map(({ name }) => name)).toEqual(['upstream.stale'])
    const third = await catalog({ previous: second })
    await new Promise(resolve => setTimeout(resolve, 100))
    expect(third.states()[0]?.snapshot).toBe('stale')
    expect(events.slice(told).map(({ name }) => name)).toEqual(['upstream.stale'])
  })

  test('with a list that cannot be read as one that cannot be read', async () => {
    const stub = await startStub(tool('send'))
    stub.items('prompt', prompt('greet'))
    const { catalog, approve, endpoint, events } = await bench({ acme: stub })
    await approve('acme')
    const pins = { onFirstUse: 'pending', pollMs: 20, maxStaleMs: 60_000, signers: [] } as const
    const first = await catalog({ pins })
    stub.answerList('prompt', () => 500)
    await eventually(() => first.states()[0]?.snapshot === 'stale')
    await first.close()
    const second = await catalog({ previous: first, pins })
    expect(shown(second, endpoint, 'prompt')).toEqual(['acme__greet'])
    stub.items('prompt', prompt('greet'))
    await eventually(() => second.states()[0]?.snapshot === 'fresh')
    const told = events.map(({ name }) => name).filter(name => name.startsWith('upstream.'))
    expect(told).toEqual(['upstream.stale', 'upstream.recovered'])
  })
})
