/*
 * B105: sessions of clients that never said goodbye were kept for ever, or taken out of a list and their streams left open, and memory climbed
 * until the process died. Here the streams of sessions are dropped at every stage, hundreds of times: afterwards as much is held as before, and
 * a stream that was open all the while has not been taken for one of those.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { TOOLS } from '../support/scene.ts'
import { openSession, type TestSession } from '../support/session.ts'
import { askTool, hear } from '../support/session-events.ts'
import { startTwoGateways, type TwoGateways } from '../support/two-gateways.ts'

const STREAMS = 150
const META = { progressToken: 'p' }

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

let gateways: TwoGateways
beforeAll(async () => {
  gateways = await startTwoGateways({
    limits: 'listsPerMinute: 1000000, requestsPerMinute: 1000000, subscriptions: 10000',
    serve: { streamLingerMs: 50 },
    onCall: ({ message: { params } }, response) => {
      const token = (params._meta as { progressToken?: unknown }).progressToken
      const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: token, progress: 1 } }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: ${JSON.stringify(progress)}\n\n`)
    },
  })
})
afterAll(() => gateways.close())

/** Streams that are opened and dropped: of sessions, of calls, and of those who came back. */
async function drop(session: TestSession, token: string): Promise<void> {
  const { a, b } = gateways
  for (let index = 0; index < STREAMS; index += 10) {
    await Promise.all(
      Array.from({ length: 10 }, async (_, part) => {
        const own = await hear(a, session, { token })
        const call = await askTool(a, session, 'acme__read', { id: 1 }, { id: `${index + part}`, meta: META, token })
        await call.message()
        if (part % 2 === 0) (await hear(b, session, { lastEventId: call.lastId, token })).cut()
        call.cut()
        own.cut()
      }),
    )
  }
}

/** Bytes that are held when nothing is under way any more. */
async function heldBytes(): Promise<number> {
  await eventually(() => gateways.upstream.calls.length === calls())
  gateways.upstream.calls.length = 0
  gateways.upstream.listens.length = 0
  for (const { trail } of [gateways.a, gateways.b]) trail.sink.clear()
  for (let time = 0; time < 3; time += 1) {
    await new Promise(resolve => setTimeout(resolve, 100))
    collect()
  }
  return process.memoryUsage().heapUsed
}

const calls = (): number => gateways.a.trail.requests().filter(({ method }) => method === 'tools/call').length

it('B105 what was dropped is let go of, and a stream that is in use stays open', async () => {
  const { a } = gateways
  // One: what is remembered of tokens is another matter.
  const token = a.token()
  const [dropped, kept] = [await openSession(a), await openSession(a)]
  const stream = await hear(a, kept)
  await stream.next()
  await drop(dropped, token)
  const before = await heldBytes()
  for (let round = 0; round < 3; round += 1) await drop(dropped, token)
  const after = await heldBytes()
  expect((after - before) / (3 * STREAMS)).toBeLessThan(4_096)
  // It has heard nothing all the while, and hears of what happens now.
  gateways.upstream.tools = TOOLS.slice(1)
  a.gateway.rooms().catalog.suspect('acme', 'shared')
  expect(await stream.message()).toMatchObject({ method: 'notifications/tools/list_changed' })
  stream.cut()
})
