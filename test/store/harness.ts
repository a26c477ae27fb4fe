import { afterAll, beforeAll } from 'vitest'
import { createMemoryStore, createRedisStore, type Store } from '../../src/store/index.ts'
import { createTestClock } from '../support/clock.ts'
import { eventually, eventuallyHolds } from '../support/eventually.ts'
import { type RedisServer, startRedis } from '../support/redis.ts'

export interface Subject {
  readonly store: Store
  /** Lets this much of the store's time pass: at once in memory, really in Redis. Keep it short. */
  pass(ms: number): Promise<void>
  /** Resolves when watchers of this key hear of what happens, and have run once for what happened before. */
  heard(key: string): Promise<void>
}

export const KINDS = ['memory', 'redis'] as const

let serial = 0
/** A key no other test uses. */
export const freshKey = (): string => `key-${++serial}`

export const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** Resolves when the store takes commands. */
export const untilReady = (store: Store): Promise<void> => eventuallyHolds(() => store.check())

/** Of tests that are not about how long a store is waited for: a machine that is busy takes longer than the product waits. */
export const PATIENT = { commandTimeoutMs: 30_000 }
/** Of tests of a store that does not answer. */
export const HASTY = { commandTimeoutMs: 1_000 }
/** So long that no test sees one: what is heard was told. */
export const NEVER_MS = 360_000_000

async function heard(client: RedisServer['client'], key: string): Promise<void> {
  await eventually(async () => ((await client.call('PUBSUB', 'NUMSUB', `wicketgate:news:${key}`)) as [string, number])[1] > 0)
  // The answer to its subscription was written before the one to this; one turn, and it has been read.
  await sleep(10)
}

/** A Redis of one's own, and a store in it that is ready. */
export async function startRedisStore(options: Partial<Parameters<typeof createRedisStore>[0]> = {}) {
  const redis = await startRedis()
  const store = createRedisStore({ url: redis.url, ...PATIENT, ...options })
  await untilReady(store)
  const close = async (): Promise<void> => {
    await store.close()
    await redis.stop()
  }
  return { redis, store, close }
}

/** One store of the kind for the whole suite; `subject` is set before the first test. */
export const withStore = (kind: (typeof KINDS)[number]): { subject: () => Subject } => {
  let subject: Subject
  let close = (): Promise<void> => subject.store.close()
  beforeAll(async () => {
    if (kind === 'memory') {
      const clock = createTestClock()
      subject = { store: createMemoryStore({ clock }), pass: async ms => clock.advance(ms), heard: () => sleep(0) }
      return
    }
    const { redis, store, ...own } = await startRedisStore({ pollMs: NEVER_MS })
    close = own.close
    subject = { store, pass: sleep, heard: key => heard(redis.client, key) }
  })
  afterAll(() => close())
  return { subject: () => subject }
}
