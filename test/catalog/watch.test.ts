import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createWatch, pollDelayMs } from '../../src/catalog/watch.ts'
import { systemClock } from '../../src/core/clock.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }))
afterEach(() => vi.useRealTimers())

function watching(refresh: (mayGoOn: () => boolean) => Promise<number>, pollMs = 60_000, isWhole = () => true, characters = 0) {
  const times: number[] = []
  const failures: unknown[] = []
  const origin = performance.now()
  const watch = createWatch({
    refresh: mayGoOn => {
      times.push(Math.round(performance.now() - origin))
      return refresh(mayGoOn).then(ttlMs => ({ ttlMs, isWhole: isWhole() }))
    },
    onFailure: error => failures.push(error),
    characters: () => characters,
    pollMs,
    clock: systemClock,
    random: () => 1,
  })
  return { watch, times, failures }
}

test.each([
  [0, 600_000, 600_000],
  [60_000, 600_000, 60_000],
  [1, 600_000, 5_000],
  [900_000, 600_000, 600_000],
  [1, 50, 50],
])('a ttlMs of %d with a poll of %d ms is read again after %d ms', (ttlMs, pollMs, expected) => {
  expect(pollDelayMs(ttlMs, pollMs)).toBe(expected)
})

describe('a watch', () => {
  test('reads again after min(ttlMs, pollMs), and jitter only shortens that', async () => {
    const { watch, times } = watching(() => Promise.resolve(20_000))
    await watch.start()
    await vi.advanceTimersByTimeAsync(41_000)
    expect(times).toEqual([0, 20_000, 40_000])
    watch.close()
  })

  test('rests for longer after it has read much, whatever hints come and however short the ttlMs, but no longer than the poll interval', async () => {
    const { watch, times } = watching(
      () => Promise.resolve(5_000),
      60_000,
      () => true,
      5_120_000,
    )
    await watch.start()
    for (let second = 0; second < 45; second += 1) {
      watch.suspect()
      await vi.advanceTimersByTimeAsync(1_000)
    }
    expect(times).toEqual([0, 20_000, 40_000])
    watch.close()
    const patient = watching(
      () => Promise.resolve(0),
      3_000,
      () => true,
      5_120_000,
    )
    await patient.watch.start()
    await vi.advanceTimersByTimeAsync(6_000)
    expect(patient.times).toEqual([0, 3_000, 6_000])
    patient.watch.close()
  })

  test('backs off while the upstream is down, up to the poll interval, and goes back when it is not', async () => {
    let isUp = false
    const { watch, times, failures } = watching(() => (isUp ? Promise.resolve(0) : Promise.reject(new Error('down'))), 3_000)
    await watch.start()
    await vi.advanceTimersByTimeAsync(9_000)
    expect(times).toEqual([0, 500, 1_500, 3_500, 6_500])
    expect(failures).toHaveLength(5)
    isUp = true
    await vi.advanceTimersByTimeAsync(4_000)
    expect(times.slice(5)).toEqual([9_500, 12_500])
    watch.close()
  })

  test('tries a part that could not be read again soon, ever more slowly, but no later than the rest is good for', async () => {
    let isWhole = false
    const { watch, times, failures } = watching(
      () => Promise.resolve(5_000),
      60_000,
      () => isWhole,
    )
    await watch.start()
    await vi.advanceTimersByTimeAsync(17_600)
    expect(times).toEqual([0, 500, 1_500, 3_500, 7_500, 12_500, 17_500])
    expect(failures).toEqual([])
    isWhole = true
    await vi.advanceTimersByTimeAsync(10_000)
    expect(times.slice(7)).toEqual([22_500, 27_500])
    watch.close()
  })

  test('is not made to ask more than once a second by any number of hints', async () => {
    const { watch, times } = watching(() => Promise.resolve(0))
    await watch.start()
    for (let hint = 0; hint < 500; hint += 1) {
      watch.suspect()
      await vi.advanceTimersByTimeAsync(10)
    }
    expect(times).toEqual([0, 1_000, 2_000, 3_000, 4_000, 5_000])
    watch.close()
  })

  test('looks once more after a hint that came while it was looking', async () => {
    let finish = (_: number) => {}
    const { watch, times } = watching(() => new Promise(resolve => (finish = resolve)))
    const first = watch.start()
    watch.suspect()
    finish(0)
    await first
    await vi.advanceTimersByTimeAsync(1_500)
    expect(times).toEqual([0, 1_000])
    watch.close()
  })

  test('never looks twice at once', async () => {
    const { watch, times } = watching(() => new Promise(() => undefined))
    void watch.start()
    void watch.start()
    watch.suspect()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(times).toEqual([0])
    watch.close()
  })

  test('gives up on a list that never ends, and tells the reader to stop', async () => {
    let mayStillGoOn = () => true
    const { watch, times, failures } = watching(mayGoOn => {
      mayStillGoOn = mayGoOn
      return new Promise(() => undefined)
    })
    const first = watch.start()
    expect(mayStillGoOn()).toBe(true)
    await vi.advanceTimersByTimeAsync(120_001)
    await first
    expect(failures).toEqual([expect.objectContaining({ message: 'the pages took too long' })])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(times).toHaveLength(2)
    watch.close()
  })

  test('is silent once it is closed', async () => {
    const { watch, times } = watching(() => Promise.resolve(0))
    await watch.start()
    watch.close()
    watch.suspect()
    await vi.advanceTimersByTimeAsync(600_000)
    expect(times).toEqual([0])
  })
})
