import { randomBytes } from 'node:crypto'
import { parseCapabilities } from '../../src/mcp/index.ts'
import { createCancellation } from '../../src/sessions/cancellation.ts'
import type { Session } from '../../src/sessions/session.ts'
import { createStreams } from '../../src/sessions/stream-log.ts'
import { createMemoryStore, createSealer, createStoreKeys, type Store, StoreFull, StoreUnavailable } from '../../src/store/index.ts'
import { createTestClock, type TestClock } from '../support/clock.ts'

export const SECRET = randomBytes(32)
const keys = createStoreKeys(SECRET)

export function sessionOf(facts: Partial<Session> = {}): Session {
  return {
    protocolVersion: '2025-11-25',
    capabilities: parseCapabilities({}),
    name: 'session-one',
    owner: 'ann',
    expiresAtMs: Number.MAX_SAFE_INTEGER,
    logLevel: undefined,
    uris: [],
    ...facts,
  }
}

/** A process's way to the store that they share. */
export interface Way {
  readonly store: Store
  /** From now on: nothing comes through, or only there and not back, or there is no room. */
  fail: 'not' | 'lost' | 'deaf' | 'full'
  /** Verbs that were asked for. */
  readonly asked: string[]
}

export function wayTo(shared: Store): Way {
  const way: Way = {
    fail: 'not',
    asked: [],
    store: new Proxy(shared, {
      get(target, verb: keyof Store) {
        if (verb === 'watch') return (key: string, run: () => void) => target.watch(key, () => way.fail === 'not' && run())
        return (...parameters: never[]) => {
          way.asked.push(verb)
          if (way.fail === 'lost') return Promise.reject(new StoreUnavailable('lost'))
          if (way.fail === 'full' && (verb === 'append' || verb === 'setField')) return Promise.reject(new StoreFull('full'))
          const answer = (target[verb] as (...all: never[]) => unknown)(...parameters)
          return way.fail === 'deaf' ? Promise.reject(new StoreUnavailable('no answer')) : answer
        }
      },
    }),
  }
  return way
}

export interface Process {
  readonly way: Way
  readonly streams: ReturnType<typeof createStreams>
  readonly cancellation: ReturnType<typeof createCancellation>
}

export function openProcess(shared: Store, clock: TestClock, secret = SECRET): Process {
  const way = wayTo(shared)
  const { store } = way
  const ownKeys = secret === SECRET ? keys : createStoreKeys(secret)
  return {
    way,
    streams: createStreams({ clock, store, keys: ownKeys, sealer: createSealer(secret) }),
    cancellation: createCancellation({ clock, store, keys: ownKeys }),
  }
}

export function twoProcesses() {
  const clock = createTestClock()
  const shared = createMemoryStore({ clock })
  return { clock, shared, a: openProcess(shared, clock), b: openProcess(shared, clock) }
}
