import { afterEach, describe, expect, it } from 'vitest'
import { createTurns } from '../../src/store/index.ts'
import { createGate } from '../support/eventually.ts'
import { startRedisStore } from './harness.ts'

describe('turns', () => {
  it('are taken one after the other by one owner, also behind what fails, and at once by others', async () => {
    const turns = createTurns()
    const gate = createGate()
    const begun: string[] = []
    const first = turns.take('ann', async () => {
      begun.push('first')
      await gate.opened
      throw new Error('fails')
    })
    const second = turns.take('ann', async () => begun.push('second'))
    await turns.take('bob', async () => begun.push('another'))
    expect(begun).toEqual(['first', 'another'])
    gate.open()
    await expect(first).rejects.toThrow('fails')
    expect(await second).toBe(3)
    expect(await turns.take('ann', async () => 'free')).toBe('free')
  })
})

describe('what is large in Redis', () => {
  let stop = async (): Promise<void> => {}
  afterEach(() => stop())

  it('is not all sent before what others ask', async () => {
    const { store, close } = await startRedisStore()
    stop = close
    const settled: string[] = []
    const note = (name: string) => (): void => void settled.push(name)
    const large = ['a', 'b', 'c'].map(key => store.append(key, Buffer.alloc(4_000_000), 10_000, 'greedy').then(note('large')))
    const field = store.setField('d', 'field', Buffer.alloc(1_000_000), 10_000, 'greedy').then(note('large'))
    // They are on their way by then, if they are.
    for (let turn = 0; turn < 3; turn += 1) await new Promise(resolve => setImmediate(resolve))
    const another = store.fields('e').then(note('another'))
    await Promise.all([...large, field, another])
    expect(settled).toHaveLength(5)
    expect(settled.indexOf('another')).toBeLessThan(2)
  })

  it('is bounded for each who lays it down, however much is free', async () => {
    const { store, close } = await startRedisStore({ maxOwnerBytes: 2_500_000 })
    stop = close
    const lay = (key: string, owner: string) => store.append(key, Buffer.alloc(1_000_000), 10_000, owner)
    await Promise.all([lay('a', 'greedy'), lay('b', 'greedy')])
    await expect(lay('c', 'greedy')).rejects.toThrow('all that this caller may lay down')
    await lay('c', 'another')
  })
})
