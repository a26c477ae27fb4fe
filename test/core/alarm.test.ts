import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { setAlarm } from '../../src/core/alarm.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const heldBytes = (): number => {
  collect()
  return process.memoryUsage().heapUsed
}

describe('an alarm', () => {
  it('rings when it is time, and not when it was called off', async () => {
    const rung: string[] = []
    setAlarm(20, () => void rung.push('first'))
    setAlarm(-1, () => void rung.push('late'))
    setAlarm(10, () => void rung.push('never'))()
    setAlarm(Number.MAX_SAFE_INTEGER, () => void rung.push('far'))()
    setAlarm(Number.POSITIVE_INFINITY, () => void rung.push('never'))()
    await new Promise(resolve => setTimeout(resolve, 60))
    expect(rung).toEqual(['late', 'first'])
  })

  it('B105 that was called off is held by nothing, whatever its delay was', () => {
    const set = (count: number): void => {
      for (let index = 0; index < count; index += 1) setAlarm(1_000_000 + index, () => {})()
    }
    set(1_000)
    const before = heldBytes()
    set(50_000)
    expect(heldBytes() - before).toBeLessThan(1_000_000)
  })
})
