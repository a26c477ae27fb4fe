import { isIPv6 } from 'node:net'
import type { Clock } from '../core/clock.ts'
import type { LimitsConfig } from '../core/configuration.ts'
import { Refusal } from '../core/errors.ts'
import { createMinuteCells } from './minute-cells.ts'

/** Failed authentications by address, for want of a principal. */
export function createAddressLimits({ failedAuthPerMinute }: LimitsConfig, clock: Clock) {
  const take = createMinuteCells(failedAuthPerMinute, clock)
  return {
    countFailedAuthentication(address: string): void {
      const { allowed, retryAfterMs } = take(networkOf(address))
      if (!allowed) throw new Refusal('LIMITS_ADDRESS', { retryAfterMs, notProcessed: true })
    },
  }
}

/** What one party is given: an IPv4 address, or a whole IPv6 /64 (its owner has 2^64 addresses to try from). */
export function networkOf(address: string): string {
  const bare = address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address
  if (!isIPv6(bare)) return bare
  const [unzoned = ''] = bare.split('%')
  const [head = '', tail] = unzoned.split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const after = tail === '' ? 0 : tail.split(':').length + (tail.includes('.') ? 1 : 0)
    while (groups.length + after < 8) groups.push('0')
    groups.push(...tail.split(':'))
  }
  return groups
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')
}
