import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionOf, twoProcesses } from './streams.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate'] }))
afterEach(() => vi.useRealTimers())

const settle = (ms = 0) => vi.advanceTimersByTimeAsync(ms)
const here = sessionOf()

/** Two processes, and something that runs on the first. */
function begin(id: string | number = 1) {
  const scene = twoProcesses()
  const told: (string | number)[] = []
  const run = (of: string | number, session = here) => scene.a.cancellation.onCancel(session, of, () => told.push(of))
  return { ...scene, told, run, stop: run(id) }
}

describe('a cancellation', () => {
  it('finds its request on the same process at once, and asks no store', async () => {
    const { a, told } = begin()
    await settle()
    const before = a.way.asked.length
    await a.cancellation.cancel(here, 1)
    expect(told).toEqual([1])
    expect(a.way.asked.length).toBe(before)
    await a.cancellation.cancel(here, 1)
    expect(told).toEqual([1])
  })

  it('finds it on another process, once, and is taken away there', async () => {
    const { b, told, run } = begin()
    await settle()
    await b.cancellation.cancel(here, 1)
    await settle()
    expect(told).toEqual([1])
    // The id is used again, which no client should.
    run(1)
    await b.cancellation.cancel(here, 'another')
    await settle()
    expect(told).toEqual([1])
  })

  it('finds it behind many that came too late, as those of a client do that cancels what has just ended', async () => {
    const { b, told } = begin()
    await settle()
    for (let late = 0; late < 300; late += 1) await b.cancellation.cancel(here, 1_000 + late)
    await b.cancellation.cancel(here, 1)
    await settle()
    expect(told).toEqual([1])
  })

  it.each([
    [1, '1'],
    ['1', 1],
    ['a', 'A'],
    [1, 2],
  ])('of %j is not that of %j', async (running, cancelled) => {
    const { a, b, told } = begin(running)
    await settle()
    await b.cancellation.cancel(here, cancelled)
    await a.cancellation.cancel(here, cancelled)
    await settle()
    expect(told).toEqual([])
  })

  it('of another session is not of this one', async () => {
    const { a, b, told } = begin()
    const other = sessionOf({ name: 'session-two' })
    await a.cancellation.cancel(other, 1)
    await b.cancellation.cancel(other, 1)
    await settle()
    expect(told).toEqual([])
  })

  it('that came before its request began is of one before it', async () => {
    const { b, clock, told, run, stop } = begin()
    stop()
    await b.cancellation.cancel(here, 7)
    clock.advance(2_000)
    run(7)
    await settle(5_000)
    expect(told).toEqual([])
  })

  it('that comes with its request, by a clock that is a little behind, is of that', async () => {
    const { b, clock, told, run } = begin()
    await b.cancellation.cancel(here, 7)
    clock.advance(500)
    run(7)
    await settle()
    expect(told).toEqual([7])
  })

  it('of an id under which several run is passed over', async () => {
    const { a, b, told, run } = begin()
    const stop = run(1)
    await settle()
    await a.cancellation.cancel(here, 1)
    await b.cancellation.cancel(here, 1)
    await settle()
    expect(told).toEqual([])
    stop()
    await a.cancellation.cancel(here, 1)
    expect(told).toEqual([1])
  })

  it('of what is over changes nothing', async () => {
    const { a, b, told, stop } = begin()
    stop()
    await a.cancellation.cancel(here, 1)
    await b.cancellation.cancel(here, 1)
    await settle()
    expect(told).toEqual([])
  })

  it('is passed over while the store is lost, and nobody learns of it', async () => {
    const { b, told } = begin()
    b.way.fail = 'lost'
    await expect(b.cancellation.cancel(here, 1)).resolves.toBeUndefined()
    b.way.fail = 'full'
    await expect(b.cancellation.cancel(here, 1)).resolves.toBeUndefined()
    await settle()
    expect(told).toEqual([])
  })

  it('leaves nothing behind: a session is listened to for half a minute after its last request', async () => {
    const { a, stop, run } = begin()
    stop()
    await settle(20_000)
    run(2)()
    expect(vi.getTimerCount()).toBe(1)
    await settle(29_000)
    expect(vi.getTimerCount()).toBe(1)
    await settle(2_000)
    expect(vi.getTimerCount()).toBe(0)
    // And is listened to again.
    run(3)
    await a.cancellation.cancel(here, 3)
    await settle()
  })
})
