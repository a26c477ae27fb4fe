import type { Clock } from '../core/clock.ts'
import { createShares } from '../core/shares.ts'

/** What this process has laid down in a store that it does not own, and for how long. */
export interface Ledger {
  /** False, and nothing noted, when the owner may lay down no more. */
  note(owner: string, bytes: number, ttlMs: number): boolean
}

/** Ends are rounded up to it, so that there are few of them however many messages there are. */
const WINDOW_MS = 30_000

export interface LedgerOptions {
  readonly clock: Clock
  readonly maxBytes: number
  readonly maxOwnerBytes: number
}

/**
 * A share of a budget for each owner, as in memory. What was replaced, or lives on because something came after it, is counted as if it
 * were not: near enough for a bound, and nothing has to be asked.
 */
export function createLedger({ clock, maxBytes, maxOwnerBytes }: LedgerOptions): Ledger {
  const shares = createShares(maxBytes, maxOwnerBytes)
  const windows = new Map<number, Map<string, number>>()
  let sweptWindow = Number.NEGATIVE_INFINITY

  const sweep = (window: number): void => {
    if (window === sweptWindow) return
    sweptWindow = window
    for (const [end, owners] of windows) {
      if (end >= window) continue
      for (const [owner, bytes] of owners) shares.giveBack(owner, bytes)
      windows.delete(end)
    }
  }

  return {
    note(owner, bytes, ttlMs) {
      const nowMs = clock.monotonicMs()
      sweep(Math.floor(nowMs / WINDOW_MS))
      if (!shares.hasRoom(owner, bytes)) return false
      shares.take(owner, bytes)
      const end = Math.floor((nowMs + ttlMs) / WINDOW_MS)
      const owners = windows.get(end) ?? new Map<string, number>()
      owners.set(owner, (owners.get(owner) ?? 0) + bytes)
      windows.set(end, owners)
      return true
    },
  }
}
