import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { Share } from '../../src/subscriptions/share.ts'

/** A clock that moves on by what work is said to take, and by the time that passes. */
function clockOfWork() {
  let workMs = 0
  return {
    now: () => systemClock.now(),
    monotonicMs: () => systemClock.monotonicMs() + workMs,
    take(ms: number) {
      workMs += ms
    },
  }
}

describe('a share', () => {
  it('does at once what is little', () => {
    const share = new Share(systemClock)
    for (let index = 0; index < 20; index++) expect(share.run(() => index)).toBe(index)
  })

  it('does what is much with pauses, in the order it came', async () => {
    const clock = clockOfWork()
    const share = new Share(clock)
    const done: number[] = []
    const piece = (index: number) => () => {
      clock.take(6)
      done.push(index)
    }
    const later = [1, 2, 3, 4].map(index => share.run(piece(index)))
    expect(done).toEqual([1, 2])
    await new Promise(setImmediate)
    expect(done).toEqual([1, 2])
    await Promise.all(later)
    expect(done).toEqual([1, 2, 3, 4])
  })

  it('goes on behind a piece that fails', async () => {
    const clock = clockOfWork()
    const share = new Share(clock)
    void share.run(() => clock.take(11))
    const failed = share.run(() => {
      throw new Error('a fault')
    })
    const next = share.run(() => 'next')
    await expect(failed).rejects.toThrow('a fault')
    expect(await next).toBe('next')
    expect(() =>
      new Share(clock).run(() => {
        throw new Error('at once')
      }),
    ).toThrow('at once')
  })

  it('lets tasks be asked for one after the other', async () => {
    const share = new Share(systemClock)
    const asked: number[] = []
    const turns = [1, 2, 3].map(async turn => {
      await share.readTurn()
      asked.push(turn)
    })
    await turns[0]
    await new Promise(setImmediate)
    expect(asked).toEqual([1])
    await Promise.all(turns)
    expect(asked).toEqual([1, 2, 3])
  })
})
