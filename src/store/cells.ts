import type { Clock } from '../core/clock.ts'
import { type Cell, type CellState, StoreUnavailable } from './contract.ts'
import { parseRate, takeFrom } from './rate.ts'

/** Rate-limit cells in this process's memory: synchronous, and bounded whatever callers do. */
export interface Cells {
  take(cell: Cell): CellState
  readonly size: number
}

const SWEEP_PER_TAKE = 8
const FULL_SWEEP_EVERY_MS = 1000

/**
 * An idle cell is a full one, so dropping it changes nothing. When `max` cells are all in use, `refuse` throws StoreUnavailable for a new
 * one (a limit must hold), `evict` drops the one longest unused (where losing a count does no harm that a new address would not do).
 */
export function createCells(options: { readonly clock: Clock; readonly max: number; readonly whenFull: 'refuse' | 'evict' }): Cells {
  const { clock, max, whenFull } = options
  // Least recently taken first: every take moves its cell to the end.
  const tats = new Map<string, number>()
  let nextFullSweepMs = Number.NEGATIVE_INFINITY

  const sweep = (nowUs: number, most: number): void => {
    let looked = 0
    for (const [key, tatUs] of tats) {
      if (tatUs <= nowUs) tats.delete(key)
      looked += 1
      if (looked >= most) return
    }
  }

  const makeRoom = (nowUs: number): void => {
    if (whenFull === 'evict') {
      for (const key of tats.keys()) {
        tats.delete(key)
        return
      }
    }
    const nowMs = clock.monotonicMs()
    if (nowMs >= nextFullSweepMs) {
      nextFullSweepMs = nowMs + FULL_SWEEP_EVERY_MS
      sweep(nowUs, max)
    }
    if (tats.size >= max) throw new StoreUnavailable('every rate-limit cell in memory is in use')
  }

  return {
    take(cell) {
      const rate = parseRate(cell)
      const nowUs = Math.floor(clock.monotonicMs() * 1000)
      const before = tats.get(cell.key)
      const { tatUs, state } = takeFrom(before, nowUs, rate)
      if (before === undefined) {
        sweep(nowUs, SWEEP_PER_TAKE)
        if (tats.size >= max) makeRoom(nowUs)
      } else {
        tats.delete(cell.key)
      }
      tats.set(cell.key, tatUs)
      return state
    },
    get size() {
      return tats.size
    },
  }
}
