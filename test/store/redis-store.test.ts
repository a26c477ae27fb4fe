import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRedisStore, MAX_MESSAGE_BYTES, type Store, StoreFull, StoreUnavailable } from '../../src/store/index.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import type { RedisServer } from '../support/redis.ts'
import { freshKey, PATIENT, sleep, startRedisStore, untilReady } from './harness.ts'

const HOUR_MS = 3_600_000
const request = () => ({ key: freshKey(), fingerprint: 'f', leaseMs: HOUR_MS, ttlMs: HOUR_MS, owner: 'ann' })
const bytes = Buffer.from('x')
const cell = () => ({ key: freshKey(), emissionMs: HOUR_MS, burst: 100, cost: 1 })

describe('the store in Redis', () => {
  let server: RedisServer
  let store: Store
  let close: () => Promise<void>
  beforeAll(async () => {
    ;({ redis: server, store, close } = await startRedisStore({ prefix: 'test' }))
  })
  afterAll(() => close())

  it('goes on after SCRIPT FLUSH, alone and in a pipeline', async () => {
    await store.take(cell())
    await store.begin(request())
    await server.client.script('FLUSH')
    expect((await store.take(cell())).allowed).toBe(true)
    await server.client.script('FLUSH')
    const states = await Promise.all(Array.from({ length: 20 }, () => store.begin(request())))
    expect(states.every(({ state }) => state === 'begun')).toBe(true)
    await server.client.script('FLUSH')
    const key = freshKey()
    await store.setField(key, 'a', bytes, HOUR_MS, 'ann')
    expect(await store.append(key, bytes, HOUR_MS, 'ann')).toBe(0)
  })

  it('sends what is decided at the same moment together', async () => {
    await Promise.all(Array.from({ length: 4 }, () => store.take(cell())))
    const reads = async () => Number(/total_reads_processed:(\d+)/.exec(await server.client.info('stats'))?.[1])
    const before = await reads()
    await Promise.all(Array.from({ length: 64 }, () => store.take(cell())))
    expect((await reads()) - before).toBeLessThan(16)
  })

  it('declares its one key, under the prefix and with a hash tag', async () => {
    const { key } = request()
    await store.begin({ ...request(), key })
    expect(await server.client.exists(`test:record:{${key}}`)).toBe(1)
  })

  it('gives every key a time to live', async () => {
    await store.take(cell())
    const { key, ...rest } = request()
    const result = await store.begin({ key, ...rest })
    if (result.state === 'begun') await store.dispatch(key, result.fence, HOUR_MS)
    await store.spend(freshKey(), HOUR_MS, 'ann')
    await store.setField(freshKey(), 'a', bytes, HOUR_MS, 'ann')
    await store.append(freshKey(), bytes, HOUR_MS, 'ann')
    await expect(store.append(freshKey(), Buffer.alloc(MAX_MESSAGE_BYTES + 1), HOUR_MS, 'ann')).rejects.toBeInstanceOf(StoreFull)
    for (const name of await server.client.keys('*')) expect(await server.client.pttl(name), name).toBeGreaterThan(0)
  })

  it('refuses what is too large without sending it', async () => {
    const read = async () => Number(/total_net_input_bytes:(\d+)/.exec(await server.client.info('stats'))?.[1])
    const before = await read()
    const large = Buffer.alloc(MAX_MESSAGE_BYTES + 1)
    await expect(store.append(freshKey(), large, HOUR_MS, 'ann')).rejects.toBeInstanceOf(StoreFull)
    await expect(store.setField(freshKey(), 'a', large, HOUR_MS, 'ann')).rejects.toBeInstanceOf(StoreFull)
    expect((await read()) - before).toBeLessThan(MAX_MESSAGE_BYTES)
  })

  it('lets no owner fill the server, and others go on', async () => {
    const bounded = createRedisStore({ url: server.url, prefix: 'bounded', maxSharedBytes: 100_000, ...PATIENT })
    await untilReady(bounded)
    const append = (owner: string) => bounded.append(freshKey(), Buffer.alloc(10_000), HOUR_MS, owner)
    for (let index = 0; index < 7; index += 1) await append('greedy')
    await expect(append('greedy')).rejects.toBeInstanceOf(StoreFull)
    await expect(bounded.setField(freshKey(), 'a', Buffer.alloc(10_000), HOUR_MS, 'greedy')).rejects.toBeInstanceOf(StoreFull)
    await append('another')
    expect(await server.client.keys('bounded:*')).toHaveLength(8)
    await bounded.close()
  })

  it('checks integers again in Lua', async () => {
    const { TAKE, BEGIN, SETTLE, SET_FIELD, APPEND } = await import('../../src/store/redis-scripts.ts')
    for (const [script, ...args] of [
      [TAKE, '1.5', '1', '1'],
      [TAKE, '1', '1', '2'],
      [TAKE, 'x', '1', '1'],
      [TAKE, '0', '1', '1'],
      [BEGIN, 'f', '-1', '1'],
      [BEGIN, 'f', '1', '1e300'],
      [SETTLE, 'd', '0', '1'],
      [SETTLE, 'd', '1', 'inf'],
      [SET_FIELD, 'channel', '0', 'field', 'value'],
      [SET_FIELD, 'channel', '1.5', 'field'],
      [APPEND, 'channel', '0', 'message'],
      [APPEND, 'channel', 'nan', 'message'],
    ] as const) {
      await expect(server.client.eval(script, 1, 'test:lua', ...args), args.join(' ')).rejects.toThrow()
    }
  })

  it('gives StoreUnavailable for anything the server refuses', async () => {
    const { key, ...rest } = request()
    await server.client.set(`test:record:{${key}}`, 'not a hash')
    await expect(store.begin({ key, ...rest })).rejects.toBeInstanceOf(StoreUnavailable)
    for (const kind of ['fields', 'log']) await server.client.set(`test:${kind}:{${key}}`, 'neither a hash nor a list')
    await expect(store.setField(key, 'a', bytes, HOUR_MS, 'ann')).rejects.toBeInstanceOf(StoreUnavailable)
    await expect(store.fields(key)).rejects.toBeInstanceOf(StoreUnavailable)
    await expect(store.append(key, bytes, HOUR_MS, 'ann')).rejects.toBeInstanceOf(StoreUnavailable)
    await expect(store.read(key, 0)).rejects.toBeInstanceOf(StoreUnavailable)
  })

  //
  it('is unfit while the server may evict records', async () => {
    await server.client.config('SET', 'maxmemory-policy', 'allkeys-lru')
    await expect(store.check()).rejects.toThrow(/allkeys-lru.*noeviction/)
    await server.client.config('SET', 'maxmemory-policy', 'noeviction')
    await expect(store.check()).resolves.toBeUndefined()
  })

  it('learns the eviction policy without CONFIG, and says so when it cannot', async () => {
    await server.client.call('ACL', 'SETUSER', 'default', '-config')
    await server.client.call('CONFIG', 'GET', 'maxmemory').then(
      () => expect.unreachable(),
      error => expect(String(error)).toContain('NOPERM'),
    )
    await expect(store.check()).resolves.toBeUndefined()
    await server.client.call('ACL', 'SETUSER', 'default', '-info')
    await expect(store.check()).rejects.toThrow(/cannot be read/)
    await server.client.call('ACL', 'SETUSER', 'default', '+@all')
  })

  //
  it('fails before a stopped server resumes, at once when it is known to be lost, and recovers by itself', async () => {
    const store = createRedisStore({ url: server.url, prefix: 'test' })
    await untilReady(store)
    server.pause()
    const spend = () => store.spend(freshKey(), HOUR_MS, 'ann')
    const lost = await Promise.allSettled([
      store.take(cell()),
      store.begin(request()),
      spend(),
      store.setField(freshKey(), 'a', bytes, HOUR_MS, 'ann'),
      store.fields(freshKey()),
      store.append(freshKey(), bytes, HOUR_MS, 'ann'),
      store.read(freshKey(), 0),
      sleep(20).then(() => store.take(cell())),
    ])
    for (const result of lost) expect(result.status === 'rejected' && result.reason).toBeInstanceOf(StoreUnavailable)
    // The silent connection is closed; from then on nobody waits for it.
    await expect.poll(() => store.take(cell()).catch(error => error.message)).toMatch(/^no connection/)
    server.resume()
    await eventuallyHolds(async () => expect((await store.take(cell())).allowed).toBe(true))
    await store.close()
  })

  it('fails while the server is dead and recovers when there is a new one', async () => {
    await server.kill()
    await expect(store.take(cell())).rejects.toBeInstanceOf(StoreUnavailable)
    await expect(store.check()).rejects.toBeInstanceOf(StoreUnavailable)
    await server.restart()
    await untilReady(store)
    expect((await store.begin(request())).state).toBe('begun')
  })
})

describe('a store in Redis that is not there', () => {
  it('can be made, says why it is unavailable, and can be closed', async () => {
    const store = createRedisStore({ url: 'unix:/nonexistent/redis.sock' })
    await expect.poll(() => store.check().catch(error => error.message)).toMatch(/no connection: .*ENOENT/)
    await expect(store.take(cell())).rejects.toBeInstanceOf(StoreUnavailable)
    await store.close()
  })

  it.each(['http://x', 'redis+sentinel://host', 'redis+sentinel://host/name/x'])('refuses the URL %s', url => {
    expect(() => createRedisStore({ url })).toThrow(RangeError)
  })

  it.each([0, Number.NaN])('refuses a command timeout of %d ms', commandTimeoutMs => {
    expect(() => createRedisStore({ url: 'unix:/x', commandTimeoutMs })).toThrow(RangeError)
  })
})
