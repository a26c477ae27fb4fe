import type { Clock } from '../core/clock.ts'
import type { LimitsConfig } from '../core/configuration.ts'
import { Refusal } from '../core/errors.ts'
import type { Principal } from '../core/model.ts'
import { createCells } from '../store/index.ts'
import { partsOf } from './parties.ts'

const MAX_PRINCIPALS = 10_000
const MINUTE_MS = 60_000

/**
 * Lists and discovery by principal. Counted in each process for itself and not in the store: they are answered from this process's memory,
 * so that is what the limit protects, and a lost store never costs anybody the list.
 */
export function createListLimits({ listsPerMinute }: LimitsConfig, clock: Clock) {
  const cells = createCells({ clock, max: MAX_PRINCIPALS, whenFull: 'evict' })
  const keys = new WeakMap<Principal, string>()
  const emissionMs = MINUTE_MS / listsPerMinute

  return {
    admitList(principal: Principal, method: string): void {
      let key = keys.get(principal)
      if (key === undefined) {
        key = JSON.stringify(partsOf(principal, 'principal'))
        keys.set(principal, key)
      }
      const { allowed, retryAfterMs } = cells.take({ key, emissionMs, burst: listsPerMinute, cost: 1 })
      if (allowed) return
      // A 4xx on server/discover silently downgrades the client to the 2025 protocol for good; 5xx makes it try again.
      const asUnavailable = method === 'server/discover' ? { status: 503, rpc: -32603 } : {}
      throw new Refusal('LIMITS_LIST_EXCEEDED', { retryAfterMs, notProcessed: true, ...asUnavailable }, { method })
    },
  }
}
