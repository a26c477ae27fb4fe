import type { Cell, CellState } from './contract.ts'

/** A cell's rate in whole microseconds: what both stores count in, so that both give the same answers. */
export interface Rate {
  readonly emissionUs: number
  readonly burst: number
  readonly cost: number
}

/** Twelve years; with the time of day on top everything stays exact in a double, which is also what Lua counts in. */
const MAX_SPAN_US = 4e14

function isWhole(value: number, low: number, high: number): boolean {
  return Number.isSafeInteger(value) && value >= low && value <= high
}

/** The store's time unit: rounded up, so that rounding never grants more than policy says. RangeError: a fault of ours, not of the store. */
export function parseRate(cell: Cell): Rate {
  const emissionUs = Math.max(1, Math.ceil(cell.emissionMs * 1000 - 1e-6))
  const { burst, cost } = cell
  if (!isWhole(emissionUs, 1, MAX_SPAN_US) || !isWhole(burst, 1, MAX_SPAN_US / emissionUs) || !isWhole(cost, 1, burst)) {
    throw new RangeError('a rate needs an emission interval above 0, a whole burst of 1 or more and a whole cost within it')
  }
  return { emissionUs, burst, cost }
}

/**
 * The generic cell rate algorithm. `tatUs` is the theoretical arrival time: when the cell will be full again.
 * It is clamped to what this rate can reach, so a clock that jumped back or a rate that was lowered cannot lock a caller out.
 */
export function takeFrom(tatUs: number | undefined, nowUs: number, rate: Rate): { readonly tatUs: number; readonly state: CellState } {
  const spanUs = rate.emissionUs * rate.burst
  const from = Math.min(Math.max(tatUs ?? nowUs, nowUs), nowUs + spanUs)
  const next = from + rate.emissionUs * rate.cost
  const waitUs = next - spanUs - nowUs
  const allowed = waitUs <= 0
  const tat = allowed ? next : from
  return { tatUs: tat, state: toCellState(allowed, Math.floor((nowUs + spanUs - tat) / rate.emissionUs), waitUs, tat - nowUs) }
}

export function toCellState(allowed: boolean, remaining: number, waitUs: number, resetUs: number): CellState {
  return {
    allowed,
    remaining,
    retryAfterMs: allowed ? 0 : Math.ceil(waitUs / 1000),
    resetMs: Math.ceil(resetUs / 1000),
  }
}
