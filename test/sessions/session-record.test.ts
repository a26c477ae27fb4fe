import { randomBytes } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { parseCapabilities } from '../../src/mcp/index.ts'
import { createSessions, type Session } from '../../src/sessions/index.ts'
import { createMemoryStore, createSealer, createStoreKeys, type Store, StoreFull, StoreUnavailable } from '../../src/store/index.ts'
import { endpointOf, principalOf } from '../state/room.ts'
import { createTestClock, type TestClock } from '../support/clock.ts'
import { eventuallyHolds } from '../support/eventually.ts'

const SECRET = randomBytes(32)
const DAY_MS = 86_400_000
const HELLO = { protocolVersion: '2025-11-25', capabilities: parseCapabilities({}) }
const endpoint = endpointOf()
const ann = principalOf()

interface Process {
  readonly sessions: ReturnType<typeof createSessions>
  readonly enter: (id: string) => Promise<Session>
}
function openProcess(store: Store, clock: TestClock, secrets: readonly Uint8Array[] = [SECRET]): Process {
  const [secret = SECRET, ...previous] = secrets
  const sessions = createSessions({ secrets, clock, store, keys: createStoreKeys(secret), sealer: createSealer(secret, previous) })
  return { sessions, enter: id => sessions.enter(endpoint, ann, id) }
}

function twoProcesses() {
  const clock = createTestClock()
  const store = createMemoryStore({ clock })
  const [a, b] = [openProcess(store, clock), openProcess(store, clock)]
  return { clock, store, a, b, id: a.sessions.open(endpoint, ann, HELLO).id }
}

describe('what is said in a session', () => {
  it('is known to every process: the level, and what it wants to hear of', async () => {
    const { a, b, id } = twoProcesses()
    expect(await b.enter(id)).toMatchObject({ ...HELLO, logLevel: undefined, uris: [] })
    const session = await a.enter(id)
    await a.sessions.setLevel(session, 'warning')
    await a.sessions.subscribe(session, 'acme+doc://one')
    await b.sessions.subscribe(await b.enter(id), 'acme+doc://two')
    const { logLevel, uris } = await b.enter(id)
    expect([logLevel, [...uris].sort()]).toEqual(['warning', ['acme+doc://one', 'acme+doc://two']])
    await b.sessions.unsubscribe(session, 'acme+doc://one')
    await b.sessions.unsubscribe(session, 'acme+doc://never')
    await b.sessions.setLevel(session, 'debug')
    expect(await a.enter(id)).toMatchObject({ logLevel: 'debug', uris: ['acme+doc://two'] })
  })

  it('stays when the secret is replaced in order, and can be taken back then', async () => {
    const { a, store, clock, id } = twoProcesses()
    await a.sessions.subscribe(await a.enter(id), 'acme+doc://one')
    await a.sessions.setLevel(await a.enter(id), 'warning')
    const [other, stranger] = [randomBytes(32), randomBytes(32)]
    const now = openProcess(store, clock, [other, SECRET])
    const before = openProcess(store, clock, [SECRET, other])
    expect(await now.enter(id)).toMatchObject({ logLevel: 'warning', uris: ['acme+doc://one'] })
    await now.sessions.subscribe(await now.enter(id), 'acme+doc://one')
    await now.sessions.subscribe(await now.enter(id), 'acme+doc://two')
    expect([...(await before.enter(id)).uris].sort()).toEqual(['acme+doc://one', 'acme+doc://two'])
    await now.sessions.unsubscribe(await now.enter(id), 'acme+doc://one')
    expect((await before.enter(id)).uris).toEqual(['acme+doc://two'])
    await expect(openProcess(store, clock, [stranger]).enter(id)).rejects.toMatchObject({ code: 'SESSION_UNKNOWN' })
  })

  it('stays in its session', async () => {
    const { a, id } = twoProcesses()
    const { id: other } = a.sessions.open(endpoint, ann, HELLO)
    await a.sessions.setLevel(await a.enter(id), 'warning')
    expect((await a.enter(other)).logLevel).toBeUndefined()
  })

  it('cannot be read, or guessed at, by whoever reads the store', async () => {
    const { a, store, id } = twoProcesses()
    const seen: (string | Uint8Array)[] = []
    const setField = vi.spyOn(store, 'setField')
    await a.sessions.subscribe(await a.enter(id), 'acme+doc://secret')
    for (const [key, field, value, , owner] of setField.mock.calls) seen.push(key, field, value ?? '', owner)
    for (const part of seen) expect(Buffer.from(part).toString('latin1')).not.toMatch(/doc|secret|ann/)
    for (const part of seen) expect(id).not.toContain(Buffer.from(part).toString('latin1'))
  })

  it('is a hundred resources at most', async () => {
    const { a, id } = twoProcesses()
    for (let index = 0; index < 100; index++) await a.sessions.subscribe(await a.enter(id), `acme+doc://${index}`)
    const session = await a.enter(id)
    await expect(a.sessions.subscribe(session, 'acme+doc://100')).rejects.toMatchObject({ code: 'MCP_PARAMS_INVALID' })
    await a.sessions.subscribe(session, 'acme+doc://99')
    await a.sessions.end(session)
    await expect(a.enter(id)).rejects.toMatchObject({ code: 'SESSION_UNKNOWN', detail: { reason: 'ended' } })
  })

  it('is kept as long as the session goes on', async () => {
    const { a, store, clock, id } = twoProcesses()
    const setField = vi.spyOn(store, 'setField')
    clock.advance(DAY_MS / 2)
    await a.sessions.setLevel(await a.enter(id), 'info')
    expect(setField.mock.calls[0]?.[3]).toBe(DAY_MS / 2)
    clock.advance(DAY_MS / 2 - 1)
    expect((await a.enter(id)).logLevel).toBe('info')
  })
})

describe('a session that has ended', () => {
  it('has ended on every process, and under every secret', async () => {
    const { a, b, store, clock, id } = twoProcesses()
    await a.sessions.end(await b.enter(id))
    for (const { enter } of [a, b, openProcess(store, clock, [randomBytes(32), SECRET])]) {
      await expect(enter(id)).rejects.toMatchObject({ code: 'SESSION_UNKNOWN', open: {}, detail: { reason: 'ended' } })
    }
  })

  it('is told of to whoever watches it, as are its subscriptions, and the end of its time', async () => {
    const { a, b, id } = twoProcesses()
    const session = await a.enter(id)
    const seen: unknown[] = []
    const stop = b.sessions.watch(session, now => seen.push(now?.uris))
    await a.sessions.subscribe(session, 'acme+doc://one')
    await eventuallyHolds(() => expect(seen.at(-1)).toEqual(['acme+doc://one']))
    const subscribed = await a.enter(id)
    stop()
    const stopAgain = b.sessions.watch(subscribed, now => seen.push(now?.uris))
    await a.sessions.unsubscribe(subscribed, 'acme+doc://one')
    await eventuallyHolds(() => expect(seen.at(-1)).toEqual([]))
    await a.sessions.end(session)
    await eventuallyHolds(() => expect(seen.at(-1)).toBeUndefined())
    stopAgain()
    const ended = vi.fn()
    b.sessions.watch({ ...session, name: 'another', expiresAtMs: 0 }, ended)()
    b.sessions.watch({ ...session, name: 'a-third', expiresAtMs: 0 }, ended)
    await eventuallyHolds(() => expect(ended).toHaveBeenCalledWith(undefined))
  })
})

describe('while the store is lost', () => {
  const lost = (): Store => {
    const fail = () => Promise.reject(new StoreUnavailable('ECONNREFUSED'))
    return Object.assign(createMemoryStore({ clock: createTestClock() }), { fields: fail, setField: fail })
  }

  it('a session goes on by its id', async () => {
    const { sessions, enter } = openProcess(lost(), createTestClock())
    const session = await enter(sessions.open(endpoint, ann, HELLO).id)
    expect(session).toMatchObject({ ...HELLO, logLevel: undefined, uris: [] })
  })

  it('it cannot be ended, and nothing changed in it', async () => {
    const { sessions, enter } = openProcess(lost(), createTestClock())
    const session = await enter(sessions.open(endpoint, ann, HELLO).id)
    for (const change of [
      () => sessions.end(session),
      () => sessions.setLevel(session, 'info'),
      () => sessions.subscribe(session, 'a:b'),
      () => sessions.unsubscribe(session, 'a:b'),
    ]) {
      await expect(change()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', open: { notProcessed: true } })
    }
  })

  it('a store that has no room for more of one person is as one that is lost', async () => {
    const full = Object.assign(createMemoryStore({ clock: createTestClock() }), {
      setField: () => Promise.reject(new StoreFull('full')),
    })
    const { sessions, enter } = openProcess(full, createTestClock())
    const session = await enter(sessions.open(endpoint, ann, HELLO).id)
    await expect(sessions.setLevel(session, 'info')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
  })
})
