import { afterEach, describe, expect, it } from 'vitest'
import { createGate, eventually } from '../support/eventually.ts'
import type { TestGateway } from '../support/gateway.ts'
import { GOOD_ARGUMENTS } from '../support/scene.ts'
import { inSession, openSession } from '../support/session.ts'
import { askTool, hear } from '../support/session-events.ts'
import { startTwoGateways, type TwoGateways, type TwoGatewaysOptions } from '../support/two-gateways.ts'
import type { OnCall } from '../support/upstream-stub.ts'

let gateways: TwoGateways
const open = async (options: TwoGatewaysOptions = {}): Promise<TwoGateways> => {
  gateways = await startTwoGateways(options)
  return gateways
}
afterEach(() => gateways.close())

const calls = ({ trail }: TestGateway) => trail.requests().filter(({ method }) => method === 'tools/call')

/** A server that never answers; `left` counts the requests that were given up. */
function silent({ streams }: { readonly streams: boolean }): { readonly onCall: OnCall; readonly left: () => number } {
  let left = 0
  return {
    left: () => left,
    onCall: ({ message: { params } }, response) => {
      response.once('close', () => {
        left += 1
      })
      if (!streams) return
      const token = (params._meta as { progressToken?: unknown }).progressToken
      const text = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: token, progress: 0 } }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: ${JSON.stringify(text)}\n\n`)
    },
  }
}

describe('notifications/cancelled', () => {
  it.each(['the same process', 'another process'])(
    'ends a read, whose server is told and whose client hears nothing more: on %s',
    async where => {
      const { onCall, left } = silent({ streams: true })
      const { a, b } = await open({ onCall })
      const session = await openSession(a)
      const at = where === 'another process' ? b : a
      const stream = await askTool(a, session, 'acme__read', { id: 1 }, { id: 'mine', meta: { progressToken: 'p' } })
      await stream.next()
      await stream.next()
      const there = inSession(at, session.id)
      expect((await there.notify('notifications/cancelled', { requestId: 'mine', reason: 'SENTINEL-REASON' })).status).toBe(202)
      expect(await stream.rest()).toEqual([])
      expect(await stream.ended()).toBe('whole')
      await eventually(() => left() === 1)
      await eventually(() => calls(a).length === 1)
      expect(calls(a)).toMatchObject([{ outcome: 'CALLER_GONE', cancelled: true }])
      expect(a.trail.sink.lines.join()).not.toContain('SENTINEL')
      // Nothing is left to come back for.
      expect((await hear(at, session, { lastEventId: stream.lastId })).status).toBe(204)
    },
  )

  it.each([
    ['an event stream with nothing in it', 'application/json, text/event-stream', 200],
    ['an empty 202', 'application/json', 202],
  ])('of a request that has no answer yet makes that %s', async (_, accept, status) => {
    const { onCall, left } = silent({ streams: false })
    const { a, b, upstream } = await open({ onCall })
    const session = await openSession(a)
    const asked = askTool(a, session, 'acme__read', { id: 1 }, { headers: { accept } })
    await eventually(() => upstream.calls.length === 1)
    await inSession(b, session.id).notify('notifications/cancelled', { requestId: 1 })
    const stream = await asked
    expect(stream.status).toBe(status)
    expect(await stream.rest()).toEqual([])
    await eventually(() => left() === 1)
  })

  it('does not take an effect back: it is waited for, and its outcome written down', async () => {
    const gate = createGate()
    const { a, upstream } = await open({
      onCall: async () => {
        await gate.opened
        return { resultType: 'complete', content: [] }
      },
    })
    const session = await openSession(a)
    const asked = askTool(a, session, 'acme__send', GOOD_ARGUMENTS, { id: 7 })
    await eventually(() => upstream.calls.length === 1)
    await session.notify('notifications/cancelled', { requestId: 7 })
    expect(await (await asked).rest()).toEqual([])
    expect(calls(a)).toEqual([])
    gate.open()
    await eventually(() => calls(a).length === 1)
    expect(calls(a)).toMatchObject([{ outcome: 'OK', effectStatus: 'committed', cancelled: true }])
  })

  it.each([
    ['a request that nobody made', 99],
    ['another id that looks alike', '1'],
    ['no id', undefined],
    ['nonsense', { id: 1 }],
  ])('of %s is accepted and changes nothing', async (_, requestId) => {
    const gate = createGate()
    const { a, b, upstream } = await open({
      onCall: async () => {
        await gate.opened
        return { resultType: 'complete', content: [{ type: 'text', text: 'done' }] }
      },
    })
    const session = await openSession(a)
    const asked = session.call('acme__read', { id: 1 })
    await eventually(() => upstream.calls.length === 1)
    for (const at of [a, b]) {
      const there = inSession(at, session.id)
      expect((await there.notify('notifications/cancelled', requestId === undefined ? {} : { requestId })).status).toBe(202)
    }
    await new Promise(resolve => setTimeout(resolve, 200))
    gate.open()
    expect((await asked).json.result?.content).toEqual([{ type: 'text', text: 'done' }])
  })

  it('of another session with the same ids changes nothing in this one', async () => {
    const gate = createGate()
    const { a, b, upstream } = await open({
      onCall: async () => {
        await gate.opened
        return { resultType: 'complete', content: [] }
      },
    })
    const [one, other] = [await openSession(a), await openSession(b)]
    const asked = one.call('acme__read', { id: 1 })
    await eventually(() => upstream.calls.length === 1)
    await other.notify('notifications/cancelled', { requestId: 1 })
    await inSession(a, other.id).notify('notifications/cancelled', { requestId: 1 })
    await new Promise(resolve => setTimeout(resolve, 200))
    gate.open()
    expect((await asked).json.result).toBeDefined()
  })

  it('B75 of an id under which several run is nobody’s: each keeps its own answer', async () => {
    const gate = createGate()
    const { a, upstream } = await open({
      onCall: async ({ message: { params } }) => {
        await gate.opened
        return { resultType: 'complete', content: [{ type: 'text', text: JSON.stringify(params.arguments) }] }
      },
    })
    const session = await openSession(a)
    const asked = Array.from({ length: 50 }, (_, id) => session.call('acme__read', { id }))
    await eventually(() => upstream.calls.length === 50)
    await session.notify('notifications/cancelled', { requestId: 1 })
    gate.open()
    const answers = await Promise.all(asked)
    expect(answers.map(({ json }) => [json.id, json.result?.content?.[0]?.text])).toEqual(
      Array.from({ length: 50 }, (_, id) => [1, `{"id":${id}}`]),
    )
    expect(new Set(upstream.calls.map(({ message }) => message.id)).size).toBe(50)
  })

  it('reaches the next request under that id only when it is meant', async () => {
    const { onCall, left } = silent({ streams: false })
    const { a, b, upstream } = await open({ onCall })
    const session = await openSession(a)
    const first = askTool(a, session, 'acme__read', { id: 1 })
    await eventually(() => upstream.calls.length === 1)
    await inSession(b, session.id).notify('notifications/cancelled', { requestId: 1 })
    await (await first).rest()
    const second = askTool(a, session, 'acme__read', { id: 2 })
    await eventually(() => upstream.calls.length === 2)
    await new Promise(resolve => setTimeout(resolve, 1_500))
    expect(left()).toBe(1)
    await session.notify('notifications/cancelled', { requestId: 1 })
    expect((await second).status).toBe(200)
    await eventually(() => left() === 2)
  })

  it('without a store reaches what runs in the same process', async () => {
    const { onCall, left } = silent({ streams: false })
    const { a, b, upstream, redis } = await open({ onCall })
    const session = await openSession(a)
    const asked = askTool(a, session, 'acme__read', { id: 1 })
    await eventually(() => upstream.calls.length === 1)
    await redis.kill()
    expect((await inSession(b, session.id).notify('notifications/cancelled', { requestId: 1 })).status).toBe(202)
    expect(left()).toBe(0)
    await session.notify('notifications/cancelled', { requestId: 1 })
    await (await asked).rest()
    await eventually(() => left() === 1)
  })
})
