import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ReadingPace } from '../../src/upstream/reading-pace.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('reads at once what comes at its leisure', () => {
  const pace = new ReadingPace()
  let messages = 0
  for (let second = 0; second < 10; second++) {
    expect(pace.read(100, () => 1)).toBeUndefined()
    messages += 1
    vi.advanceTimersByTime(1_000)
  }
  expect(messages).toBe(10)
  expect(vi.getTimerCount()).toBe(0)
})

it('lets no more than two thousand messages a second through, however many subscriptions bring them', async () => {
  const pace = new ReadingPace()
  let messages = 0
  const pour = async (): Promise<void> => {
    for (;;) {
      const later = pace.read(10_000, () => {
        messages += 100
        return 100
      })
      if (later !== undefined) await later
    }
  }
  for (let subscription = 0; subscription < 20; subscription++) void pour()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(messages).toBeGreaterThan(18_000)
  expect(messages).toBeLessThan(21_000)
})

it('takes a chunk that was too much from the turns that follow', async () => {
  const pace = new ReadingPace()
  pace.read(65_536, () => 2_000)
  const read = vi.fn(() => 1)
  const later = pace.read(10, read)
  await vi.advanceTimersByTimeAsync(749)
  expect(read).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  await later
  expect(read).toHaveBeenCalledOnce()
})

it('counts bytes that hold no message', async () => {
  const pace = new ReadingPace()
  let bytes = 0
  const pour = async (): Promise<void> => {
    for (;;) {
      const later = pace.read(65_536, () => {
        bytes += 65_536
        return 0
      })
      if (later !== undefined) await later
    }
  }
  void pour()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(bytes).toBeLessThan(16 * 1024 * 1024)
})

it('keeps the order, and a fault is its own chunk’s', async () => {
  const pace = new ReadingPace()
  const order: number[] = []
  pace.read(0, () => 512)
  const first = pace.read(0, () => {
    throw new Error('not a message')
  })
  const rest = [2, 3].map(place => pace.read(0, () => order.push(place)))
  const failed = expect(first).rejects.toThrow('not a message')
  await vi.advanceTimersByTimeAsync(250)
  await failed
  await Promise.all(rest)
  expect(order).toEqual([2, 3])
})
