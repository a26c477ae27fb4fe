import type { Clock } from '../core/clock.ts'
import { type CellState, createCells } from '../store/index.ts'

const MAX_PARTIES = 10_000
const MINUTE_MS = 60_000

/** Counts what each party does, in this process only, where a refusal must cost next to nothing: so many in a minute, all at once if need be. */
export function createMinuteCells(perMinute: number, clock: Clock): (party: string) => CellState {
  const cells = createCells({ clock, max: MAX_PARTIES, whenFull: 'evict' })
  return key => cells.take({ key, emissionMs: MINUTE_MS / perMinute, burst: perMinute, cost: 1 })
}
