import type { Clock } from '../core/clock.ts'
import type { LimitsConfig } from '../core/configuration.ts'
import { Refusal } from '../core/errors.ts'
import type { Principal } from '../core/model.ts'
import { personOf } from '../core/person.ts'
import { createMinuteCells } from './minute-cells.ts'

/**
 * What is limited by principal whatever policy says of single items: lists and discovery, and apart from them what comes with every key
 * press or poll. Counted in each process for itself and not in the store: they cost this process its time, so that is what the limits
 * protect, and a lost store never costs anybody the list.
 */
export function createRequestLimits({ listsPerMinute, requestsPerMinute }: LimitsConfig, clock: Clock) {
  return {
    admitList: createMinuteLimit(listsPerMinute, clock),
    admitRequest: createMinuteLimit(requestsPerMinute, clock),
  }
}

function createMinuteLimit(perMinute: number, clock: Clock): (principal: Principal, method: string) => void {
  const take = createMinuteCells(perMinute, clock)
  const keys = new WeakMap<Principal, string>()

  return (principal, method) => {
    let key = keys.get(principal)
    if (key === undefined) {
      key = personOf(principal)
      keys.set(principal, key)
    }
    const { allowed, retryAfterMs } = take(key)
    if (allowed) return
    // A 4xx on server/discover silently downgrades the client to the 2025 protocol for good; 5xx makes it try again.
    const asUnavailable = method === 'server/discover' ? { status: 503, rpc: -32603 } : {}
    throw new Refusal('LIMITS_LIST_EXCEEDED', { retryAfterMs, notProcessed: true, ...asUnavailable }, { method })
  }
}
