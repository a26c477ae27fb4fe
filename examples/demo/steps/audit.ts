import { deepEqual, equal } from 'node:assert/strict'
import { readTrail } from '../audit-trail.ts'
import type { Demo } from '../start.ts'
import { until } from '../until.ts'

/** One record for each request, and in none of them a token, a key, or a text that was an argument. */
export async function leavesATrail({ callers, tickets, trail }: Demo): Promise<string> {
  let text = ''
  // A record is written when its request is over, together with those of the next 20 ms.
  await until(async () => {
    text = await trail()
    return requestsIn(text) >= callers.requests
  }, 20)
  equal(requestsIn(text), callers.requests)
  deepEqual(
    [...callers.said, tickets.credential].filter(said => text.includes(said)),
    [],
  )
  return `${callers.requests} requests, ${callers.requests} records`
}

const requestsIn = (text: string): number => readTrail(text).filter(({ kind }) => kind === 'request').length
