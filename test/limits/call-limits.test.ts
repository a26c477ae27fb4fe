import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LimitPolicy, LimitsConfig } from '../../src/core/configuration.ts'
import { createLimits } from '../../src/limits/index.ts'
import { createMemoryStore, createRedisStore, type Store } from '../../src/store/index.ts'
import { HASTY, PATIENT, startRedisStore, untilReady } from '../store/harness.ts'
import { createTestClock } from '../support/clock.ts'
import type { RedisServer } from '../support/redis.ts'
import { refusalIn } from '../support/refusal.ts'
import { type CallSetting, CONFIG, keys, LIMIT, principal, resumedCall } from './room.ts'

const room = (over: { store?: Store; config?: Partial<LimitsConfig> } = {}) => {
  const clock = createTestClock()
  const store = over.store ?? createMemoryStore({ clock })
  const limits = createLimits({ store, keys, config: { ...CONFIG, ...over.config }, clock })
  return { clock, admit: async (setting: CallSetting) => limits.admit(resumedCall(setting)) }
}

const limited = (over: Partial<LimitPolicy> = {}) => ({ limit: { ...LIMIT, ...over } })

describe('a call', () => {
  it('without a limit in policy never meets the store', async () => {
    const store = new Proxy(createMemoryStore({ clock: createTestClock() }), {
      get: () => {
        throw new Error('the store was asked')
      },
    })
    expect((await room({ store }).admit({})).limit).toBeUndefined()
  })

  it('under its limit is admitted and told what is left', async () => {
    const { admit } = room()
    expect((await admit({ policy: limited() })).limit).toEqual({
      address: 'tools/tickets.yaml#/tools/create/limit',
      remaining: 2,
      resetMs: 20_000,
      degraded: false,
    })
    expect((await admit({ policy: limited() })).limit?.remaining).toBe(1)
  })

  it('over its limit is refused in words and numbers, and admitted when it has waited', async () => {
    const { admit, clock } = room()
    for (let index = 0; index < 3; index += 1) await admit({ policy: limited() })
    clock.advance(8000)
    const { code, open } = await refusalIn(admit({ policy: limited() }))
    expect(code).toBe('LIMITS_EXCEEDED')
    expect(open).toEqual({ text: 'Too many calls of this tool; try again in 12 s.', retryAfterMs: 12_000, notProcessed: true })
    clock.advance(12_000)
    await admit({ policy: limited() })
  })

  it('over its limit is refused with 429 where policy says http', async () => {
    const { admit } = room({ config: { refusal: 'http' } })
    for (let index = 0; index < 3; index += 1) await admit({ policy: limited() })
    expect((await refusalIn(admit({ policy: limited() }))).open).toMatchObject({
      deliver: 'rpc',
      status: 429,
      rpc: 429,
      notProcessed: true,
    })
  })

  it('pays its cost', async () => {
    const { admit } = room()
    expect((await admit({ policy: limited({ cost: 2 }) })).limit?.remaining).toBe(0)
    expect((await refusalIn(admit({ policy: limited({ cost: 2 }) }))).code).toBe('LIMITS_EXCEEDED')
  })

  it('is judged by the policy of today, also for a principal and a tool that are known', async () => {
    const { admit } = room()
    const known: CallSetting = { principal: principal(), approved: resumedCall().checked.grant.item }
    for (let index = 0; index < 3; index += 1) await admit({ ...known, policy: limited() })
    expect((await admit({ ...known, policy: limited({ by: 'tool' }) })).limit?.remaining).toBe(2)
    expect((await refusalIn(admit({ ...known, policy: limited() }))).code).toBe('LIMITS_EXCEEDED')
  })

  const ann = principal()
  it.each<[by: LimitPolicy['by'], what: string, other: CallSetting, shared: boolean]>([
    ['principal', 'another token of the same person', { principal: principal() }, true],
    //
    ['principal', 'the same person with another client', { principal: principal({ clientId: 'c2' }) }, true],
    ['principal', 'another person', { principal: principal({ subject: 'bob' }) }, false],
    ['principal', 'the same subject of another issuer', { principal: principal({ issuer: 'https://other.test' }) }, false],
    ['principal', 'the same subject in another tenant', { principal: principal({ tenant: 'globex' }) }, false],
    ['principal', 'another tool', { tool: 'delete' }, false],
    ['principal', 'the same tool name of another upstream', { alias: 'crm' }, false],
    ['client', 'another person with the same client', { principal: principal({ subject: 'bob' }) }, true],
    ['client', 'another client', { principal: principal({ clientId: 'c2' }) }, false],
    ['client', 'the same client id of another issuer', { principal: principal({ issuer: 'https://other.test' }) }, false],
    ['tenant', 'another person of the tenant', { principal: principal({ subject: 'bob', clientId: 'c9' }) }, true],
    ['tenant', 'another tenant', { principal: principal({ tenant: 'globex' }) }, false],
    ['tool', 'anybody', { principal: principal({ subject: 'eve', issuer: 'https://x.test', tenant: undefined }) }, true],
    ['tool', 'another tool', { tool: 'delete' }, false],
    ['tool', 'the prompt of that name', { kind: 'prompt', method: 'prompts/get' }, false],
    ['tool', 'the resource of that name', { kind: 'resource', method: 'resources/read' }, false],
  ])('by %s: %s', async (by, _what, other, shared) => {
    const { admit } = room()
    const policy = limited({ by })
    for (let index = 0; index < 3; index += 1) await admit({ policy, principal: ann })
    const attempt = admit({ policy, principal: ann, ...other })
    if (shared) expect((await refusalIn(attempt)).code).toBe('LIMITS_EXCEEDED')
    else expect((await attempt).limit?.remaining).toBe(2)
  })
})

describe('a resource', () => {
  const docs = { key: 'file:///docs/*', address: 'tools/tickets.yaml#/resources/0', ...limited() }
  const read = (tool: string, over: CallSetting = {}): CallSetting => ({
    method: 'resources/read',
    kind: 'resource',
    effect: 'read',
    policy: docs,
    tool,
    ...over,
  })

  //
  it('shares its limit with every other that the same entry is for, listed or not', async () => {
    const { admit } = room()
    const kinds = ['resource', 'resourceTemplate', 'resource'] as const
    for (const [index, kind] of kinds.entries()) await admit(read(`file:///docs/${index}`, { kind }))
    const refusal = await refusalIn(admit(read('file:///docs/new')))
    expect(refusal.open.text).toBe('Too many calls of this resource; try again in 20 s.')
    const notes = { ...docs, address: 'tools/tickets.yaml#/resources/1' }
    expect((await admit(read('file:///notes/1', { policy: notes }))).limit?.remaining).toBe(2)
    expect((await admit(read('file:///docs/1', { alias: 'wiki' }))).limit?.remaining).toBe(2)
    expect((await admit(read('file:///docs/1', { principal: principal({ subject: 'bob' }) }))).limit?.remaining).toBe(2)
  })
})

describe('what belongs to a limited item', () => {
  it.each(['completion/complete', 'tasks/get', 'tasks/update', 'tasks/cancel'] as const)(
    'but is %s takes nothing of its limit',
    async method => {
      const { admit } = room()
      for (let index = 0; index < 5; index += 1) expect((await admit({ method, policy: limited() })).limit).toBeUndefined()
      expect((await admit({ policy: limited() })).limit?.remaining).toBe(2)
    },
  )

  it('and is a later leg counts as the first did, and goes on as that leg', async () => {
    const { admit } = room()
    const leg = { number: 1, innerState: 's', jti: 'j', expiresAtMs: 1 }
    await admit({ policy: limited() })
    expect(await admit({ policy: limited(), leg })).toMatchObject({ leg, limit: { remaining: 1 } })
    expect((await admit({ leg })).leg).toBe(leg)
  })
})

//
describe('while Redis is lost', () => {
  let server: RedisServer
  let store: Store
  let close: () => Promise<void>
  beforeAll(async () => {
    ;({ redis: server, store, close } = await startRedisStore(HASTY))
  })
  afterAll(() => close())

  const outages: readonly (readonly [string, () => unknown, () => unknown])[] = [
    ['stopped', () => server.pause(), () => server.resume()],
    ['killed', () => server.kill(), () => server.restart()],
  ]
  it.each(outages)(
    '%s: effects are refused, reads go on with this process’s share, and all is well again by itself',
    async (how, lose, mend) => {
      const { admit } = room({ store })
      const policy = limited({ calls: 4, burst: 4 })
      const caller = principal({ subject: how })
      expect((await admit({ policy, principal: caller })).limit?.degraded).toBe(false)

      await lose()
      const refused = await refusalIn(admit({ policy, principal: caller }))
      expect(refused.code).toBe('STORE_UNAVAILABLE')
      expect(refused.open).toMatchObject({ notProcessed: true, retryAfterMs: 1000 })
      const read: CallSetting = { effect: 'read', policy, principal: caller }
      // Two processes share four: two for each.
      expect((await admit(read)).limit).toMatchObject({ degraded: true, remaining: 1 })
      expect((await admit(read)).limit).toMatchObject({ degraded: true, remaining: 0 })
      const over = await refusalIn(admit(read))
      expect(over.code).toBe('LIMITS_EXCEEDED')
      // Four a minute are one every 15 s, and for each of two processes one every 30 s.
      expect(over.open.retryAfterMs).toBe(30_000)
      await mend()

      await untilReady(store)
      expect((await admit({ policy, principal: caller })).limit?.degraded).toBe(false)
    },
  )

  it('shares one limit between two processes', async () => {
    const second = createRedisStore({ url: server.url, ...PATIENT })
    await untilReady(second)
    const rooms = [room({ store }), room({ store: second })]
    const policy = limited({ by: 'tool' })
    const results = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => rooms[index % 2]?.admit({ policy })))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    await second.close()
  })
})
