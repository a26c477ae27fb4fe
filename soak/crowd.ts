import { setTimeout as sleep } from 'node:timers/promises'
import { doSomething } from './calls.ts'
import type { Reckoning } from './reckoning.ts'
import { LegacySession } from './session.ts'

const OPENING_AT_ONCE = 20
const NEWS = 'acme+file:///news'

/** Sessions that do things, and some of which hold their own stream too. */
export interface Crowd {
  readonly listening: readonly LegacySession[]
  /** No more is begun; resolves when nothing is under way. */
  settle(): Promise<void>
  /** Ends every session. */
  leave(): Promise<void>
}

export interface CrowdOptions {
  readonly url: string
  readonly token: (person: string) => string
  readonly sessions: number
  readonly streams: number
  /** Between two things of one session, on average. */
  readonly pauseMs: number
  readonly reckoning: Reckoning
}

const PEOPLE = 50

export async function gather(options: CrowdOptions): Promise<Crowd> {
  const { url, token, sessions: count, streams, pauseMs, reckoning } = options
  const sessions = Array.from({ length: count }, (_, index) => new LegacySession(url, token(`person-${index % PEOPLE}`)))
  const opening = sessions.values()
  await Promise.all(
    Array.from({ length: OPENING_AT_ONCE }, async () => {
      for (const session of opening) await session.open()
    }),
  )
  const listening = sessions.slice(0, streams)
  const streaming = listening.map(async session => {
    while ((await session.request('resources/subscribe', { uri: NEWS })).kind !== 'answer') await sleep(500)
    await session.listen()
  })
  let isOver = false
  const working = sessions.map(async session => {
    await sleep(Math.random() * pauseMs)
    while (!isOver) {
      await doSomething(session, reckoning)
      await sleep((0.5 + Math.random()) * pauseMs)
    }
  })
  return {
    listening,
    async settle() {
      isOver = true
      await Promise.all(working)
    },
    async leave() {
      await Promise.all(sessions.map(session => session.close()))
      await Promise.all(streaming)
    },
  }
}
