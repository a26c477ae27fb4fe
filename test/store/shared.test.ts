import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  MAX_FIELDS,
  MAX_LOG_BYTES,
  MAX_MESSAGE_BYTES,
  MAX_MESSAGES,
  type Store,
  StoreFull,
  StoreUnavailable,
} from '../../src/store/index.ts'
import { freshKey, KINDS, withStore } from './harness.ts'

const HOUR_MS = 3_600_000
const SOON_MS = 20
/** Long enough to do something in, however busy the machine is. */
const WHILE_MS = 1_500
const bytes = (text: string): Buffer => Buffer.from(text)
const large = Buffer.alloc(MAX_MESSAGE_BYTES, 7)

const fieldsOf = async (store: Store, key: string): Promise<Record<string, string>> =>
  Object.fromEntries([...(await store.fields(key))].map(([field, value]) => [field, Buffer.from(value).toString()]))
const textsOf = async (store: Store, key: string, from = 0): Promise<string[]> =>
  (await store.read(key, from)).map(message => Buffer.from(message).toString())

describe.each(KINDS)('what processes share, in %s', kind => {
  const { subject } = withStore(kind)
  const set = (key: string, field: string, value: string | Uint8Array | undefined, ttlMs = HOUR_MS) =>
    subject().store.setField(key, field, typeof value === 'string' ? bytes(value) : value, ttlMs, 'ann')
  const append = (key: string, message: string | Uint8Array, ttlMs = HOUR_MS) =>
    subject().store.append(key, typeof message === 'string' ? bytes(message) : message, ttlMs, 'ann')

  describe('fields', () => {
    it('are set one by one, replaced and removed', async () => {
      const { store } = subject()
      const key = freshKey()
      expect(await fieldsOf(store, key)).toEqual({})
      await set(key, 'a', '1')
      await set(key, 'b', '2')
      await set(key, 'a', '3')
      expect(await fieldsOf(store, key)).toEqual({ a: '3', b: '2' })
      await set(key, 'a', undefined)
      await set(key, 'never there', undefined)
      expect(await fieldsOf(store, key)).toEqual({ b: '2' })
      await set(key, 'b', undefined)
      expect(await fieldsOf(store, key)).toEqual({})
      await set(key, 'c', '')
      expect(await fieldsOf(store, key)).toEqual({ c: '' })
    })
    it('come back byte for byte, whatever they are called', async () => {
      const { store } = subject()
      const field = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      await fc.assert(
        fc.asyncProperty(fc.dictionary(field, fc.uint8Array({ maxLength: 50 }), { maxKeys: 5 }), async record => {
          const key = freshKey()
          for (const [name, value] of Object.entries(record)) await set(key, name, value)
          const kept = [...(await store.fields(key))].map(([name, value]) => [name, Buffer.from(value).toString('hex')])
          expect(new Map(kept as [string, string][])).toEqual(
            new Map(Object.entries(record).map(([name, value]) => [name, Buffer.from(value).toString('hex')])),
          )
        }),
        { numRuns: 50 },
      )
    })
    it('given away can be changed without changing what is kept', async () => {
      const { store } = subject()
      const key = freshKey()
      await set(key, 'a', '1')
      const fields = (await store.fields(key)) as Map<string, Uint8Array>
      fields.clear()
      expect(await fieldsOf(store, key)).toEqual({ a: '1' })
    })
    it('live as long as the last one set says, all of them', async () => {
      const { store, pass } = subject()
      const key = freshKey()
      await set(key, 'a', '1', WHILE_MS)
      await set(key, 'b', '2', HOUR_MS)
      await pass(WHILE_MS + 20)
      expect(await fieldsOf(store, key)).toEqual({ a: '1', b: '2' })
      await set(key, 'a', undefined, SOON_MS)
      await pass(2 * SOON_MS)
      expect(await fieldsOf(store, key)).toEqual({})
    })
    it('are so many at most, and one that is there can still be replaced and removed', async () => {
      const { store } = subject()
      const key = freshKey()
      for (let index = 0; index < MAX_FIELDS; index += 1) await set(key, `f${index}`, 'x')
      await expect(set(key, 'one more', 'x')).rejects.toBeInstanceOf(StoreFull)
      await set(key, 'f0', 'y')
      expect((await fieldsOf(store, key)).f0).toBe('y')
      await set(key, 'f0', undefined)
      await set(key, 'one more', 'x')
      expect((await store.fields(key)).size).toBe(MAX_FIELDS)
    })
    it('are so large at most, one and all together', async () => {
      const { store } = subject()
      const key = freshKey()
      await expect(set(key, 'a', Buffer.alloc(MAX_MESSAGE_BYTES + 1))).rejects.toBeInstanceOf(StoreFull)
      await set(key, 'a', large)
      await set(key, 'a', large)
      await set(key, 'b', large.subarray(10))
      await expect(set(key, 'c', large)).rejects.toBeInstanceOf(StoreFull)
      expect([...(await store.fields(key)).keys()].sort()).toEqual(['a', 'b'])
      await set(key, 'a', undefined)
      await set(key, 'c', large)
    })
    it('of one record are changed by many at once, and none is lost', async () => {
      const key = freshKey()
      await Promise.all(Array.from({ length: 50 }, (_, index) => set(key, `f${index}`, String(index))))
      expect((await subject().store.fields(key)).size).toBe(50)
    })
  })

  describe('messages', () => {
    it('stand in the order of their places, and are read from any of them on', async () => {
      const { store } = subject()
      const key = freshKey()
      expect(await textsOf(store, key)).toEqual([])
      expect([await append(key, 'a'), await append(key, ''), await append(key, 'c')]).toEqual([0, 1, 2])
      expect(await textsOf(store, key)).toEqual(['a', '', 'c'])
      expect(await textsOf(store, key, 1)).toEqual(['', 'c'])
      expect(await textsOf(store, key, 3)).toEqual([])
      expect(await textsOf(store, key, 1000)).toEqual([])
    })
    it('appended by many at once have one place each', async () => {
      const key = freshKey()
      const places = await Promise.all(Array.from({ length: 50 }, (_, index) => append(key, String(index))))
      expect(new Set(places)).toEqual(new Set(Array.from({ length: 50 }, (_, index) => index)))
      const texts = await textsOf(subject().store, key)
      for (const [index, place] of places.entries()) expect(texts[place]).toBe(String(index))
    })
    it('come back byte for byte', async () => {
      const key = freshKey()
      await append(key, Buffer.from([0, 0xff, 0xfe, 0x0a, 0x0d]))
      expect(Buffer.from((await subject().store.read(key, 0))[0] ?? []).toString('hex')).toBe('00fffe0a0d')
    })
    it('live until the last one has had its time', async () => {
      const { store, pass } = subject()
      const key = freshKey()
      await append(key, 'a', WHILE_MS)
      await append(key, 'b', HOUR_MS)
      await pass(WHILE_MS + 20)
      expect(await textsOf(store, key)).toEqual(['a', 'b'])
      await append(key, 'c', SOON_MS)
      await pass(2 * SOON_MS)
      expect(await textsOf(store, key)).toEqual([])
      expect(await append(key, 'anew')).toBe(0)
    })
    it('are so large at most, one and all together, and what is refused changes nothing', async () => {
      const { store } = subject()
      const key = freshKey()
      await expect(append(key, Buffer.alloc(MAX_MESSAGE_BYTES + 1))).rejects.toBeInstanceOf(StoreFull)
      expect(MAX_LOG_BYTES).toBe(2 * MAX_MESSAGE_BYTES)
      expect([await append(key, large), await append(key, large)]).toEqual([0, 1])
      await expect(append(key, 'x')).rejects.toBeInstanceOf(StoreFull)
      expect(await append(key, '')).toBe(2)
      expect(await store.read(key, 2)).toHaveLength(1)
    })
    it('are so many at most', async () => {
      const { store } = subject()
      const key = freshKey()
      for (let from = 0; from < MAX_MESSAGES; from += 256) {
        await Promise.all(Array.from({ length: 256 }, () => append(key, 'x')))
      }
      await expect(append(key, 'x')).rejects.toBeInstanceOf(StoreFull)
      expect(await store.read(key, MAX_MESSAGES - 1)).toHaveLength(1)
    })
    it('and fields under one key are apart', async () => {
      const { store } = subject()
      const key = freshKey()
      await append(key, 'message')
      await set(key, 'a', '1')
      expect([await textsOf(store, key), await fieldsOf(store, key)]).toEqual([['message'], { a: '1' }])
    })
  })

  it.each([0, -1, 1.5, Number.NaN])('takes no life of %d ms, and no such place', async odd => {
    const { store } = subject()
    await expect(set(freshKey(), 'a', '1', odd)).rejects.toBeInstanceOf(RangeError)
    await expect(append(freshKey(), 'a', odd)).rejects.toBeInstanceOf(RangeError)
    if (odd !== 0) await expect(store.read(freshKey(), odd)).rejects.toBeInstanceOf(RangeError)
  })

  it('being full is a way of being unavailable', () => {
    expect(new StoreFull('x')).toBeInstanceOf(StoreUnavailable)
  })

  describe('a watcher', () => {
    const watched = (key: string) => {
      const seen: string[] = []
      const { store } = subject()
      const stop = store.watch(key, () => void textsOf(store, key).then(texts => seen.push(texts.join())))
      return { seen, stop }
    }
    it('hears of messages and of fields under its key, and of nothing else', async () => {
      const { store } = subject()
      const [key, other] = [freshKey(), freshKey()]
      let runs = 0
      const stop = store.watch(key, () => {
        runs += 1
      })
      await subject().heard(key)
      let before = runs
      await append(key, 'a')
      await expect.poll(() => runs).toBe(before + 1)
      await set(key, 'f', '1')
      await expect.poll(() => runs).toBe(before + 2)
      await set(key, 'f', undefined)
      await expect.poll(() => runs).toBe(before + 3)
      before = runs
      await append(other, 'a')
      await set(other, 'f', '1')
      await new Promise(resolve => setTimeout(resolve, 50))
      expect(runs).toBe(before)
      stop()
    })
    it('finds what it heard of', async () => {
      const key = freshKey()
      const { seen, stop } = watched(key)
      await append(key, 'a')
      await expect.poll(() => seen.at(-1)).toBe('a')
      await append(key, 'b')
      await expect.poll(() => seen.at(-1)).toBe('a,b')
      stop()
    })
    it('that has ended hears nothing, and others of the same key go on', async () => {
      const { store } = subject()
      const key = freshKey()
      const ended = watched(key)
      const other = watched(key)
      await append(key, 'a')
      await expect.poll(() => [ended.seen.at(-1), other.seen.at(-1)]).toEqual(['a', 'a'])
      ended.stop()
      ended.stop()
      ended.seen.length = 0
      await append(key, 'b')
      await expect.poll(() => other.seen.at(-1)).toBe('a,b')
      expect(ended.seen).toEqual([])
      other.stop()
      const again = watched(key)
      await append(key, 'c')
      await expect.poll(() => again.seen.at(-1)).toBe('a,b,c')
      again.stop()
      expect(await store.read(key, 0)).toHaveLength(3)
    })
    it('is not run in the middle of the call that it is told of', async () => {
      const key = freshKey()
      let runs = 0
      const stop = subject().store.watch(key, () => {
        runs += 1
      })
      await subject().heard(key)
      const before = runs
      const done = append(key, 'a')
      expect(runs).toBe(before)
      await done
      await expect.poll(() => runs).toBeGreaterThan(before)
      stop()
    })
    it('may end others, and watch anew, while it runs', async () => {
      const { store } = subject()
      const key = freshKey()
      const ran: string[] = []
      let stopOther = (): void => {}
      const stop = store.watch(key, () => {
        if (ran.length > 0) return
        ran.push('first')
        stopOther()
        store.watch(key, () => ran.push('new'))
      })
      stopOther = store.watch(key, () => ran.push('other'))
      await append(key, 'a')
      await expect.poll(() => ran[0]).toBe('first')
      await append(key, 'b')
      await expect.poll(() => ran).toContain('new')
      expect(ran).not.toContain('other')
      stop()
    })
    it('of any key can be there ten thousand times', async () => {
      const { store } = subject()
      const heard = new Set<string>()
      const stops: (() => void)[] = []
      const keys = Array.from({ length: 10_000 }, freshKey)
      for (const key of keys) stops.push(store.watch(key, () => heard.add(key)))
      for (const key of keys.slice(0, 200)) await subject().heard(key)
      heard.clear()
      for (const key of keys.slice(0, 200)) await append(key, 'a')
      await expect.poll(() => keys.slice(0, 200).every(key => heard.has(key))).toBe(true)
      for (const stop of stops) stop()
    })
  })
})
