/*
 * `--stream-hold-seconds` sends clients away whose call takes long; they come back for the rest. One that has thirty calls under way did as
 * it was told, and fourteen of them were cancelled: no more than sixteen calls of one person go on without their client, and who leaves
 * beyond that has cancelled. It had not left.
 * Now nobody is sent away for whose call there is no such place: its connection is held on, until there is one.
 */
import { expect, it } from 'vitest'
import { createGate, eventually, eventuallyHolds } from '../support/eventually.ts'
import { startScene } from '../support/scene.ts'
import { openSession } from '../support/session.ts'
import { listenTo } from '../support/session-stream.ts'
import { text } from '../support/upstream-stub.ts'

const CALLS = 30
const PLACES = 16

it('a client that is sent away has cancelled nothing, however many calls it has under way', async () => {
  const gate = createGate()
  const scene = await startScene({
    onCall: async () => {
      await gate.opened
      return text('done')
    },
    serve: { streamOpenAfterMs: 10, streamHoldMs: 200 },
    limits: 'listsPerMinute: 10000, subscriptions: 100',
  })
  const { gateway } = scene
  try {
    const session = await openSession(gateway)
    const calls = await Promise.all(
      Array.from({ length: CALLS }, (_, index) =>
        listenTo(gateway, session.id, { id: index + 1, method: 'tools/call', params: { name: 'acme__read', arguments: { id: 1 } } }),
      ),
    )
    const away = new Set<number>()
    for (const [index, call] of calls.entries()) void call.ended.then(() => away.add(index))
    await eventually(() => away.size === PLACES)
    // Another round, for those that stay.
    await new Promise(resolve => setTimeout(resolve, 500))
    expect(away.size).toBe(PLACES)
    const back = calls.map((call, index) =>
      away.has(index) ? listenTo(gateway, session.id, undefined, { lastEventId: call.lastEventId ?? '' }) : call,
    )
    await Promise.all(back)
    gate.open()
    for (const [index, stream] of back.entries()) {
      expect(await (await stream).next()).toMatchObject({ id: index + 1, result: { content: [{ text: 'done' }] } })
    }
    const records = () => gateway.trail.requests().filter(({ method }) => method === 'tools/call')
    await eventuallyHolds(() => expect(records().map(({ outcome }) => outcome)).toEqual(Array.from({ length: CALLS }, () => 'OK')))
    expect(scene.upstream.calls).toHaveLength(CALLS)
  } finally {
    gate.open()
    await scene.close()
  }
})
