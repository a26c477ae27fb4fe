import { afterAll, beforeAll } from 'vitest'
import { createMemoryStore, createRedisStore, type Store } from '../../src/store/index.ts'
import { createTestClock } from '../support/clock.ts'
import { type RedisServer, startRedis } from '../support/redis.ts'

export interface Subject {
  readonly store: Store
  /** Lets this much of the store's time pass: at once in memory, really in Redis. Keep it short. */
  pass(ms: number): Promise<void>
}

export const KINDS = ['memory', 'redis'] as const

let serial = 0
/** A key no other test uses. */
export const freshKey = (): string => `key-${++serial}`

export const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** Resolves when the store takes commands. */
export const untilReady = async (store: Store): Promise<void> => {
  for (let tries = 0; ; tries += 1) {
    try {
      return await store.check()
    } catch (error) {
      if (tries > 300) throw error
      await sleep(20)
    }
  }
}

/** One store of the kind for the whole suite; `subject` is set before the first test. */
export const withStore = (kind: (typeof KINDS)[number]): { subject: () => Subject } => {
  let subject: Subject
  let server: RedisServer | undefined
  beforeAll(async () => {
    if (kind === 'memory') {
      const clock = createTestClock()
      subject = { store: createMemoryStore({ clock }), pass: async ms => clock.advance(ms) }
      return
    }
    server = await startRedis()
    const store = createRedisStore({ url: server.url })
    await untilReady(store)
    subject = { store, pass: sleep }
  })
  afterAll(async () => {
    await subject.store.close()
    await server?.stop()
  })
  return { subject: () => subject }
}
