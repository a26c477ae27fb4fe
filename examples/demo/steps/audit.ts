import { deepEqual, equal } from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { readTrail } from '../audit-trail.ts'
import type { Demo } from '../start.ts'

/** One record for each request, and in none of them a token, a key, or a text that was an argument. */
export async function leavesATrail({ callers, tickets, trail }: Demo): Promise<string> {
  let text = await trail()
  // A record is written when its request is over, together with those of the next 20 ms.
  for (let round = 0; requestsIn(text) < callers.requests && round < 100; round++) {
    await pause(20)
    text = await trail()
  }
  equal(requestsIn(text), callers.requests)
  deepEqual(
    [...callers.said, tickets.credential].filter(said => text.includes(said)),
    [],
  )
  return `${callers.requests} requests, ${callers.requests} records`
}

const requestsIn = (text: string): number => readTrail(text).filter(({ kind }) => kind === 'request').length
