import { describe, expect, it } from 'vitest'
import { Refusal } from '../../src/core/errors.ts'
import { createMemoryStore, type Store } from '../../src/store/index.ts'
import { createTestClock } from '../support/clock.ts'
import { admitted, openRoom, sealed, stubUpstream } from './room.ts'

const untouched: Store = new Proxy(createMemoryStore({ clock: createTestClock() }), {
  get: () => {
    throw new Error('the store was asked')
  },
})

describe('a call without a key', () => {
  const { room } = openRoom(untouched)

  it.each([
    ['read', 'none'],
    ['write', 'committed'],
    ['destructive', 'committed'],
  ] as const)('that is a %s runs each time, and the store is never asked', async (effect, ended) => {
    const upstream = stubUpstream()
    for (let runs = 1; runs <= 2; runs += 1) {
      expect(await room.once(admitted({ effect }), upstream.run)).toMatchObject({ effect: ended, replayed: false })
      expect(upstream.runs()).toBe(runs)
    }
  })

  it('for a read does not even look at the key of a tool without policy', async () => {
    const upstream = stubUpstream()
    // Of a tool with policy, two keys that differ are refused.
    await room.once(admitted({ effect: 'read', idempotency: undefined, key: ['k1', 'k2'] }), upstream.run)
    expect(upstream.runs()).toBe(1)
  })

  it('that the upstream says it did not run had no effect', async () => {
    const answer = { kind: 'error', code: -32602, message: 'Unknown tool', dataText: undefined, ran: false } as const
    const settled = await room.once(admitted(), stubUpstream(() => sealed(answer)).run)
    expect(settled.effect).toBe('not_started')
  })

  it('that fails before it was sent says only what failed', async () => {
    const failure = new Refusal('AUDIT_UNAVAILABLE', { notProcessed: true })
    await expect(room.once(admitted(), () => Promise.reject(failure))).rejects.toBe(failure)
  })

  it.each([
    ['write', new Refusal('UPSTREAM_TIMEOUT'), 'unknown'],
    ['write', new Refusal('UPSTREAM_INVALID', { effect: 'committed' }), 'committed'],
    ['write', new Refusal('UPSTREAM_UNREACHABLE', { notProcessed: true }), undefined],
    ['write', new Error('a fault of ours'), 'unknown'],
    ['read', new Refusal('UPSTREAM_TIMEOUT'), undefined],
  ] as const)('that is a %s and fails after it was sent with %s tells effect %s', async (effect, failure, told) => {
    const error: unknown = await room
      .once(admitted({ effect }), stubUpstream(() => Promise.reject(failure)).run)
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Refusal)
    if (error instanceof Refusal) expect(error.open.effect).toBe(told)
  })
})
