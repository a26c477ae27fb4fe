import { describe, expect, it } from 'vitest'
import { networkOf } from '../../src/limits/address-limits.ts'
import { createLimits } from '../../src/limits/index.ts'
import { createMemoryStore } from '../../src/store/index.ts'
import { createTestClock } from '../support/clock.ts'
import { refusalOf } from '../support/refusal.ts'
import { CONFIG, keys, principal } from './room.ts'

const room = () => {
  const clock = createTestClock()
  return { clock, limits: createLimits({ store: createMemoryStore({ clock }), keys, config: CONFIG, clock }) }
}

describe('lists', () => {
  it('are limited by principal, whichever token and client asks', () => {
    const { limits, clock } = room()
    for (let index = 0; index < 3; index += 1) limits.admitList(principal({ clientId: `c${index}` }), 'tools/list')
    const refusal = refusalOf(() => limits.admitList(principal(), 'tools/list'))
    expect(refusal.code).toBe('LIMITS_LIST_EXCEEDED')
    expect(refusal.open).toEqual({ retryAfterMs: 20_000, notProcessed: true })
    limits.admitList(principal({ subject: 'bob' }), 'tools/list')
    clock.advance(20_000)
    limits.admitList(principal(), 'tools/list')
  })

  it('count server/discover too, and refuse it with 503, never a 4xx', () => {
    const { limits } = room()
    for (let index = 0; index < 3; index += 1) limits.admitList(principal(), 'tools/list')
    expect(refusalOf(() => limits.admitList(principal(), 'server/discover')).open).toEqual({
      retryAfterMs: 20_000,
      notProcessed: true,
      status: 503,
      rpc: -32603,
    })
  })
})

describe('small requests', () => {
  it('are limited by person, whichever client asks and whatever is asked, and apart from lists', () => {
    const { limits, clock } = room()
    limits.admitRequest(principal({ clientId: 'c1' }), 'completion/complete')
    limits.admitRequest(principal({ clientId: 'c2' }), 'tasks/get')
    const refusal = refusalOf(() => limits.admitRequest(principal(), 'subscriptions/listen'))
    expect(refusal.code).toBe('LIMITS_LIST_EXCEEDED')
    expect(refusal.open).toEqual({ retryAfterMs: 30_000, notProcessed: true })
    limits.admitList(principal(), 'tools/list')
    limits.admitRequest(principal({ subject: 'bob' }), 'tasks/get')
    clock.advance(30_000)
    limits.admitRequest(principal(), 'tasks/get')
  })
})

describe('addresses', () => {
  it('are told to wait after too many failed authentications, each for itself, until time has passed', () => {
    const { limits, clock } = room()
    for (let index = 0; index < 5; index += 1) limits.countFailedAuthentication('192.0.2.1')
    const refusal = refusalOf(() => limits.countFailedAuthentication('192.0.2.1'))
    expect(refusal.code).toBe('LIMITS_ADDRESS')
    expect(refusal.open.retryAfterMs).toBe(12_000)
    limits.countFailedAuthentication('192.0.2.2')
    clock.advance(12_000)
    limits.countFailedAuthentication('192.0.2.1')
  })

  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0db8:0001:0002::9', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:db8:1::3:4:5:6', '2001:db8:1:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::1', '0:0:0:0'],
    ['::', '0:0:0:0'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0'],
    ['1:2:3:4:5:6:7::', '1:2:3:4'],
    ['a unix socket', 'a unix socket'],
  ])('%s belong to %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})
