import { afterEach, describe, expect, it } from 'vitest'
import { openSession } from '../support/session.ts'
import { endSession } from '../support/session-events.ts'
import { startTwoGateways, type TwoGateways } from '../support/two-gateways.ts'

/*
 * A client sends 140 `resources/subscribe` at once, each for another URI, to two processes.
 * Each of them looks how many there are, finds room below 100, and writes: the limit holds nobody.
 * The session's record in the store is full then (128 fields).
 * That the session has ended is a field like the others: DELETE is 503, on every process, for a day.
 * Whoever has the id goes on with it, though its owner wanted it to be over.
 */

const POLICY = `  read: { effect: read, allow: [{ scopes: [tools:read] }] }
resources:
  "file:///*": { allow: [{ scopes: [tools:read] }] }`
const RESOURCES = Array.from({ length: 140 }, (_, index) => ({ name: `r${index}`, uri: `file:///r${index}` }))

let two: TwoGateways
afterEach(() => two.close())

describe('a session with as many subscriptions as its record holds', () => {
  it('has no more than a session may have, and can be ended', async () => {
    const limits = 'listsPerMinute: 10000, requestsPerMinute: 10000'
    two = await startTwoGateways({ stub: { resources: RESOURCES }, policy: POLICY, limits })
    const session = await openSession(two.a)
    const subscribe = (index: number) => session.send('resources/subscribe', { uri: `acme+file:///r${index}` }, { id: index })
    const answers = await Promise.all(RESOURCES.map((_, index) => subscribe(index)))
    const taken = answers.filter(({ json }) => json.error === undefined)
    expect(taken.length).toBeLessThanOrEqual(100)
    expect(answers.length - taken.length).toBeGreaterThanOrEqual(40)

    expect(await endSession(two.b, session)).toMatchObject({ status: 204 })
    expect((await session.send('ping')).status).toBe(404)
  })

  it('can be ended also where its record is full all the same', async () => {
    two = await startTwoGateways({ stub: { resources: RESOURCES }, policy: POLICY })
    const session = await openSession(two.a)
    await session.send('resources/subscribe', { uri: 'acme+file:///r0' })
    const [key = ''] = await two.redis.client.keys('*:fields:*')
    for (let index = await two.redis.client.hlen(key); index < 128; index += 1) await two.redis.client.hset(key, `uri:${index}`, 'x')

    expect(await endSession(two.b, session)).toMatchObject({ status: 204 })
    expect((await session.send('ping')).status).toBe(404)
  })
})
