import { describe, expect, it } from 'vitest'
import { createCells, createMemoryStore, StoreFull, StoreUnavailable } from '../../src/store/index.ts'
import { createTestClock } from '../support/clock.ts'
import { freshKey } from './harness.ts'

const request = (owner = 'ann') => ({ key: freshKey(), fingerprint: 'f', leaseMs: 1000, ttlMs: 1000, owner })
const cell = (over = {}) => ({ key: freshKey(), emissionMs: 1000, burst: 1, cost: 1, ...over })

describe('the store in memory', () => {
  it('refuses a new record when every one it may hold is live, and forgets none', async () => {
    const clock = createTestClock()
    const store = createMemoryStore({ clock, maxRecords: 10 })
    const requests = Array.from({ length: 10 }, (_, index) => request(`owner-${index}`))
    for (const one of requests) {
      const result = await store.begin(one)
      if (result.state === 'begun') await store.commit(one.key, result.fence, undefined, 5000)
    }
    await expect(store.begin(request())).rejects.toBeInstanceOf(StoreFull)
    await expect(store.spend(freshKey(), 1000, 'ann')).rejects.toBeInstanceOf(StoreFull)
    for (const one of requests) expect((await store.begin(one)).state).toBe('committed')
    clock.advance(5000)
    expect((await store.begin(request())).state).toBe('begun')
  })

  it('leaves room for others however much one of them takes, and gives back what it took', async () => {
    const clock = createTestClock()
    const store = createMemoryStore({ clock, maxRecords: 100 })
    const takeAll = async (owner: string): Promise<number> => {
      for (let taken = 0; ; taken += 1) {
        try {
          if (taken % 2 === 0) await store.begin(request(owner))
          else await store.spend(freshKey(), 1000, owner)
        } catch (error) {
          expect(error).toBeInstanceOf(StoreFull)
          return taken
        }
      }
    }
    expect([await takeAll('greedy'), await takeAll('another'), await takeAll('third')]).toEqual([80, 16, 4])
    clock.advance(1000)
    expect(await takeAll('greedy')).toBe(80)
    expect(await store.spend(freshKey(), 1000, 'quiet')).toBe(true)
  })

  it('drops what expired while others come', async () => {
    const clock = createTestClock()
    const store = createMemoryStore({ clock, maxRecords: 100 })
    for (let index = 0; index < 1000; index += 1) {
      expect((await store.begin(request())).state).toBe('begun')
      clock.advance(50)
    }
  })

  it('keeps commits but not their answers beyond its budget of bytes, and gives the room back', async () => {
    const clock = createTestClock()
    const store = createMemoryStore({ clock, maxAnswerBytes: 1000 })
    const commit = async (bytes: number) => {
      const one = request()
      const result = await store.begin(one)
      if (result.state === 'begun') await store.commit(one.key, result.fence, Buffer.alloc(bytes), 500)
      const replay = await store.begin(one)
      return replay.state === 'committed' ? replay.answer?.byteLength : replay.state
    }
    expect([await commit(600), await commit(600), await commit(400)]).toEqual([600, undefined, 400])
    clock.advance(500)
    for (let index = 0; index < 3; index += 1) await store.begin(request())
    expect(await commit(1000)).toBe(1000)
  })

  it('bounds what processes would share by count and by bytes, leaves room for others, and gives back what expired', async () => {
    const clock = createTestClock()
    const store = createMemoryStore({ clock, maxShared: 10, maxSharedBytes: 10_000 })
    const fill = async (owner: string, bytes: number): Promise<number> => {
      for (let taken = 0; ; taken += 1) {
        try {
          if (taken % 2 === 0) await store.append(freshKey(), Buffer.alloc(bytes), 1000, owner)
          else await store.setField(freshKey(), '', Buffer.alloc(bytes), 1000, owner)
        } catch (error) {
          expect(error).toBeInstanceOf(StoreFull)
          return taken
        }
      }
    }
    expect([await fill('greedy', 1), await fill('another', 1)]).toEqual([8, 2])
    clock.advance(1000)
    expect([await fill('greedy', 2000), await fill('another', 500), await fill('third', 10)]).toEqual([4, 3, 3])
    clock.advance(1000)
    expect(await fill('greedy', 2000)).toBe(4)
    clock.advance(1000)

    const key = freshKey()
    const set = (bytes: number | undefined) => store.setField(key, '', bytes === undefined ? undefined : Buffer.alloc(bytes), 1000, 'ann')
    for (let round = 0; round < 100; round += 1) {
      await set(7000)
      await set(100)
      await set(round % 2 === 0 ? undefined : 6000)
    }
    await expect(set(9000)).rejects.toBeInstanceOf(StoreFull)
    expect((await store.fields(key)).get('')?.byteLength).toBe(6000)
    const log = freshKey()
    await store.append(log, Buffer.alloc(1500), 1000, 'ann')
    await expect(store.append(log, Buffer.alloc(1500), 1000, 'ann')).rejects.toBeInstanceOf(StoreFull)
    expect(await store.read(log, 0)).toHaveLength(1)
  })
})

describe('cells in memory', () => {
  it('refuse a new one when all are in use, and make room as soon as one is idle', () => {
    const clock = createTestClock()
    const cells = createCells({ clock, max: 100, whenFull: 'refuse' })
    for (let index = 0; index < 100; index += 1) cells.take(cell({ emissionMs: index === 99 ? 10 : 60_000 }))
    expect(() => cells.take(cell())).toThrow(StoreUnavailable)
    clock.advance(1500)
    expect(cells.take(cell()).allowed).toBe(true)
    expect(cells.size).toBe(100)
  })

  it('evict the one longest unused when told so', () => {
    const cells = createCells({ clock: createTestClock(), max: 2, whenFull: 'evict' })
    const [first, second] = [cell(), cell()]
    cells.take(first)
    cells.take(second)
    cells.take(first)
    cells.take(cell())
    expect(cells.take(first).allowed).toBe(false)
    expect(cells.take(second).allowed).toBe(true)
  })

  it('stay bounded under a million callers', () => {
    const clock = createTestClock()
    const cells = createCells({ clock, max: 1000, whenFull: 'evict' })
    for (let index = 0; index < 1_000_000; index += 1) cells.take(cell({ key: String(index) }))
    expect(cells.size).toBeLessThanOrEqual(1000)
  })
})
