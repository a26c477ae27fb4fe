import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createRedisStore, type Store, StoreUnavailable } from '../../src/store/index.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { type RedisServer, startRedis } from '../support/redis.ts'
import { freshKey, NEVER_MS, PATIENT, sleep, untilReady } from './harness.ts'

const HOUR_MS = 3_600_000

let server: RedisServer
const opened: Store[] = []
beforeAll(async () => {
  server = await startRedis()
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map(store => store.close()))
})
afterAll(() => server.stop())

const open = async (pollMs: number, patience: { readonly commandTimeoutMs?: number } = PATIENT): Promise<Store> => {
  const store = createRedisStore({ url: server.url, pollMs, ...patience })
  opened.push(store)
  await untilReady(store)
  return store
}

const append = (store: Store, key: string, text: string) => store.append(key, Buffer.from(text), HOUR_MS, 'ann')

/** What a process knows of the messages under a key, as it learns of them. */
const follow = (store: Store, key: string) => {
  const known = { texts: '', runs: 0 }
  const stop = store.watch(key, () => {
    known.runs += 1
    store.read(key, 0).then(
      messages => {
        known.texts = messages.map(message => Buffer.from(message).toString()).join()
      },
      error => expect(error).toBeInstanceOf(StoreUnavailable),
    )
  })
  return { known, stop }
}

const channels = async (): Promise<unknown[]> => (await server.client.call('PUBSUB', 'CHANNELS', '*')) as unknown[]
const listeners = async (): Promise<number> =>
  ((await server.client.call('CLIENT', 'LIST', 'TYPE', 'pubsub')) as string).split('\n').filter(line => line !== '').length
const settled = async (expected: number): Promise<void> => {
  await expect.poll(async () => (await channels()).length).toBe(expected)
  await sleep(30)
}

describe('two processes with one Redis', () => {
  it('hear of each other at once', async () => {
    const [here, there] = [await open(NEVER_MS), await open(NEVER_MS)]
    const key = freshKey()
    const { known, stop } = follow(here, key)
    await settled(1)
    await append(there, key, 'a')
    await expect.poll(() => known.texts).toBe('a')
    const before = known.runs
    await there.setField(key, 'f', Buffer.of(1), HOUR_MS, 'ann')
    await expect.poll(() => known.runs).toBe(before + 1)
    stop()
  })

  it('find what was said between the beginning of a watch and its being heard by the server', async () => {
    const [here, there] = [await open(NEVER_MS), await open(NEVER_MS)]
    for (let round = 0; round < 50; round += 1) {
      const key = freshKey()
      const written = append(there, key, 'a')
      const { known, stop } = follow(here, key)
      await written
      await expect.poll(() => known.texts).toBe('a')
      stop()
    }
  })

  it('take a second connection when there is something to watch, and leave no channel behind', async () => {
    const store = await open(NEVER_MS)
    await expect.poll(listeners).toBe(0)
    const stops = Array.from({ length: 2000 }, () => follow(store, freshKey()).stop)
    await settled(2000)
    expect(await listeners()).toBe(1)
    for (const stop of stops) stop()
    await settled(0)
    const { stop } = follow(store, freshKey())
    stop()
    await sleep(30)
    expect(await channels()).toEqual([])
  })

  it('that stop and begin to watch a key in one breath hear of it', async () => {
    const [here, there] = [await open(NEVER_MS), await open(NEVER_MS)]
    const key = freshKey()
    follow(here, key).stop()
    const first = follow(here, key)
    await settled(1)
    first.stop()
    const { known } = follow(here, key)
    await sleep(50)
    await append(there, key, 'a')
    await expect.poll(() => known.texts).toBe('a')
  })

  it('connect anew when the listening connection is cut, and find what was said meanwhile', async () => {
    const [here, there] = [await open(NEVER_MS), await open(NEVER_MS)]
    const key = freshKey()
    const { known } = follow(here, key)
    await settled(1)
    await server.client.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
    await append(there, key, 'a')
    await expect.poll(() => known.texts).toBe('a')
    await settled(1)
    await append(there, key, 'b')
    await expect.poll(() => known.texts).toBe('a,b')
  })

  it('hear of each other after a Redis that was killed has begun anew', async () => {
    const [here, there] = [await open(NEVER_MS), await open(NEVER_MS)]
    const key = freshKey()
    const { known } = follow(here, key)
    await settled(1)
    await server.kill()
    await expect(append(there, key, 'lost')).rejects.toBeInstanceOf(StoreUnavailable)
    await server.restart()
    await Promise.all([untilReady(here), untilReady(there)])
    await append(there, key, 'a')
    await expect.poll(() => known.texts).toBe('a')
    await settled(1)
    await append(there, key, 'b')
    await expect.poll(() => known.texts).toBe('a,b')
  })

  it('find out that the listening connection has gone silent, and hear again', async () => {
    const [here, there] = [await open(200, {}), await open(200, {})]
    const key = freshKey()
    const { known } = follow(here, key)
    await settled(1)
    server.pause()
    await expect(append(there, key, 'lost or not')).rejects.toBeInstanceOf(StoreUnavailable)
    await sleep(1500)
    server.resume()
    await Promise.all([untilReady(here), untilReady(there)])
    await eventuallyHolds(() => append(there, key, 'last'))
    await expect.poll(() => known.texts).toMatch(/last$/)
    await settled(1)
  })
})

describe('where no notice comes through', () => {
  it('a change is found all the same, a little later, and writing goes on', async () => {
    await server.client.call('ACL', 'SETUSER', 'default', 'resetchannels')
    try {
      const [here, there] = [await open(100), await open(100)]
      const key = freshKey()
      const { known, stop } = follow(here, key)
      await append(there, key, 'a')
      await expect.poll(() => known.texts).toBe('a')
      await append(there, key, 'b')
      await expect.poll(() => known.texts).toBe('a,b')
      stop()
      await sleep(20)
      const { runs } = known
      await sleep(200)
      expect(known.runs).toBe(runs)
    } finally {
      await server.client.call('ACL', 'SETUSER', 'default', 'allchannels')
    }
  })

  it('every watched key is looked at once in that time, however many there are', async () => {
    await server.client.call('ACL', 'SETUSER', 'default', 'resetchannels')
    try {
      const store = await open(200)
      for (const count of [1, 7, 300]) {
        const runs = new Map<string, number>()
        const stops = Array.from({ length: count }, freshKey).map(key => store.watch(key, () => runs.set(key, (runs.get(key) ?? 0) + 1)))
        await expect.poll(() => [...runs.values()].filter(times => times >= 4).length).toBe(count)
        expect(Math.max(...runs.values()) - Math.min(...runs.values())).toBeLessThanOrEqual(2)
        for (const stop of stops) stop()
      }
    } finally {
      await server.client.call('ACL', 'SETUSER', 'default', 'allchannels')
    }
  })

  it('a store that was never there tells its watchers nothing but to look, and can be closed', async () => {
    const store = createRedisStore({ url: 'unix:/nonexistent/redis.sock', pollMs: 100 })
    const { known } = follow(store, freshKey())
    await expect.poll(() => known.runs).toBeGreaterThan(3)
    await store.close()
    await sleep(50)
    const { runs } = known
    await sleep(150)
    expect(known.runs).toBe(runs)
  })
})
