/*
 * B113: a client that disconnected in the middle of an answer, or opened its GET stream a second time, left a rejection behind that nobody
 * awaited; it ended the process, and with it every other client. Here clients of sessions leave before the headers, between two events and just
 * as the result arrives, and open their stream again while the old one is still tracked, two hundred calls of others under way meanwhile.
 */
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createGate, eventually } from '../support/eventually.ts'
import { type Scene, startScene } from '../support/scene.ts'
import { openSession } from '../support/session.ts'
import { askTool, hear } from '../support/session-events.ts'

const OTHERS = 200
const META = { progressToken: 'p' }

let scene: Scene
let others = createGate()
let result = createGate()

beforeAll(async () => {
  scene = await startScene({
    limits: 'listsPerMinute: 10000, requestsPerMinute: 100000, subscriptions: 1000',
    upstreamYaml: '    maxConnections: 512',
    onCall: async ({ message: { id, params } }, response) => {
      const { kind } = params.arguments as { kind?: string }
      if (kind === undefined) {
        await others.opened
        return { resultType: 'complete', content: [{ type: 'text', text: 'done' }] }
      }
      if (kind === 'headers') return new Promise(() => {})
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const token = (params._meta as { progressToken?: unknown }).progressToken
      const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: token, progress: 1 } }
      response.write(`data: ${JSON.stringify(progress)}\n\n`)
      if (kind === 'between') return undefined
      await result.opened
      response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete', content: [] } })}\n\n`)
    },
    serve: { streamLingerMs: 200 },
  })
})
afterAll(() => scene.close())

it('B113 clients that leave at every moment end nobody else’s call, and reject nothing that nobody awaits', async () => {
  others = createGate()
  result = createGate()
  const rejected: unknown[] = []
  const note = (error: unknown): void => void rejected.push(error)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))

  const { gateway, upstream } = scene
  const session = await openSession(gateway)
  const before = upstream.calls.length
  const patient = Array.from({ length: OTHERS }, (_, id) =>
    session.send('tools/call', { name: 'acme__read', arguments: {} }, { id: id + 1_000 }),
  )
  await eventually(() => upstream.calls.length === before + OTHERS)

  // Before the headers.
  for (let id = 0; id < 10; id += 1) {
    const started = upstream.calls.length
    const cut = new Promise<() => void>(resolve => {
      void askTool(gateway, session, 'acme__read', { kind: 'headers' }, { id, onSent: resolve }).catch(() => {})
    })
    if (id % 2 === 0) await eventually(() => upstream.calls.length > started)
    ;(await cut)()
  }
  // Between two events; some before and some after another stream took over, some cancelled as well.
  for (let id = 10; id < 20; id += 1) {
    const stream = await askTool(gateway, session, 'acme__read', { kind: 'between' }, { id, meta: META })
    await stream.message()
    if (id % 3 === 0) (await hear(gateway, session, { lastEventId: stream.lastId })).cut()
    stream.cut()
    if (id % 2 === 0) await session.notify('notifications/cancelled', { requestId: id })
  }
  // Just as the result arrives.
  const leaving = await Promise.all(
    Array.from({ length: 10 }, (_, id) => askTool(gateway, session, 'acme__read', { kind: 'result' }, { id: id + 20, meta: META })),
  )
  await Promise.all(leaving.map(stream => stream.message()))
  result.open()
  leaving.forEach((stream, index) => {
    if (index % 2 === 0) stream.cut()
    else setImmediate(() => stream.cut())
  })
  // The session's own stream, again and again, the last one before still tracked.
  for (let time = 0; time < 20; time += 1) {
    const stream = await hear(gateway, session)
    expect(stream.status).toBe(200)
    if (time % 2 === 0) stream.cut()
  }

  others.open()
  const answers = await Promise.all(patient)
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(answers.every(({ json }) => json.result?.content?.[0]?.text === 'done')).toBe(true)
  expect(new Set(answers.map(({ json }) => json.id)).size).toBe(OTHERS)
  // Every call of those who left is over and written down (five of them may have left before there was one), and the session is as it was.
  await eventually(() => gateway.trail.requests().filter(({ method }) => method === 'tools/call').length >= OTHERS + 25)
  expect((await session.send('ping')).json.result).toEqual({})
  const last = await hear(gateway, session)
  await last.next()
  last.cut()
  expect(rejected).toEqual([])
})
