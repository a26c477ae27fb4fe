import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createGate, eventually } from '../support/eventually.ts'
import type { OnCall } from '../support/upstream-stub.ts'
import { eventHead, final, PROGRESS, progress, startWire, type WireScene, writeEvent } from './scene.ts'

let scene: WireScene
let onCall: OnCall
let upstreamSide: ServerResponse | undefined
const unhandled: unknown[] = []
const noteUnhandled = (error: unknown): void => void unhandled.push(error)
beforeAll(async () => {
  process.on('unhandledRejection', noteUnhandled)
  process.on('uncaughtException', noteUnhandled)
  scene = await startWire(
    (request, response) => {
      upstreamSide = response
      return onCall(request, response)
    },
    { serve: { streamKeepAliveMs: 5 } },
  )
})
afterAll(async () => {
  await scene.close()
  process.off('unhandledRejection', noteUnhandled)
  process.off('uncaughtException', noteUnhandled)
})
beforeEach(() => {
  upstreamSide = undefined
  scene.upstream.calls.length = 0
})

/** Calls and closes the connection as soon as the upstream has the call. */
async function leaveWhileItRuns(tool: 'read' | 'write'): Promise<void> {
  let leave = (): void => {}
  const call = scene.stream(tool, { onSent: go => (leave = go) }).catch(() => undefined)
  await eventually(() => upstreamSide !== undefined)
  leave()
  await call
}

const metrics = async (): Promise<string> => (await fetch(`${scene.gateway.gateway.adminAddress}/metrics`)).text()

const lastRecord = async (outcome: string): Promise<Record<string, unknown>> => {
  await eventually(() => scene.gateway.trail.requests().at(-1)?.outcome === outcome)
  return scene.gateway.trail.last()
}

describe('a caller that leaves before the answer', () => {
  it('cancels a read: its connection to the upstream is closed [REQ-CANCEL-DISCONNECT]', async () => {
    onCall = () => undefined
    await leaveWhileItRuns('read')
    await eventually(() => upstreamSide?.closed === true)
    expect(await lastRecord('CALLER_GONE')).toMatchObject({ cancelled: true, upstreamName: 'read', effectStatus: 'none' })
  })

  it('does not cancel a write: it is heard to its end and its outcome recorded', async () => {
    const gate = createGate()
    const before = scene.gateway.trail.requests().length
    onCall = async ({ message }, response) => {
      await gate.opened
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(final(message.id)))
    }
    await leaveWhileItRuns('write')
    // No record yet: it waits for the outcome.
    await new Promise(setImmediate)
    expect(scene.gateway.trail.requests()).toHaveLength(before)
    expect(upstreamSide?.closed).toBe(false)
    gate.open()
    await eventually(() => scene.gateway.trail.requests().length > before)
    expect(scene.gateway.trail.last()).toMatchObject({ upstreamName: 'write', cancelled: true, effectStatus: 'committed' })
    expect(scene.upstream.calls).toHaveLength(1)
  })

  it('does not cancel a write whose upstream answers with a stream', async () => {
    const gate = createGate()
    const before = scene.gateway.trail.requests().length
    onCall = async ({ message }, response) => {
      await gate.opened
      eventHead(response)
      for (let step = 1; step <= 50; step++) writeEvent(response, progress(message.id, step))
      writeEvent(response, final(message.id))
      response.end()
    }
    let leave = (): void => {}
    const call = scene.stream('write', { meta: PROGRESS, onSent: go => (leave = go) }).catch(() => undefined)
    await eventually(() => upstreamSide !== undefined)
    leave()
    await call
    gate.open()
    await eventually(() => scene.gateway.trail.requests().length > before)
    expect(scene.gateway.trail.last()).toMatchObject({ cancelled: true, effectStatus: 'committed' })
  })
})

describe('a caller that leaves in mid-stream', () => {
  it.each([
    ['read', 'none'],
    ['write', 'committed'],
  ] as const)('from a %s: its effect is recorded as %s', async (tool, effectStatus) => {
    const gate = createGate()
    const before = scene.gateway.trail.requests().length
    onCall = async ({ message }, response) => {
      eventHead(response)
      writeEvent(response, progress(message.id, 1))
      await gate.opened
      writeEvent(response, progress(message.id, 2))
      writeEvent(response, final(message.id))
      response.end()
    }
    const call = await scene.stream(tool, { meta: PROGRESS })
    await call.next()
    call.leave()
    await eventually(async () => /^wicketgate_streams_open(\{[^}]*\})? 0$/m.test(await metrics()))
    if (tool === 'read') await eventually(() => upstreamSide?.closed === true)
    gate.open()
    await eventually(() => scene.gateway.trail.requests().length > before)
    expect(scene.gateway.trail.last()).toMatchObject({ upstreamName: tool, cancelled: true, effectStatus })
  })
})

// B113
describe('callers that leave at any moment', () => {
  it('disturb nobody: 200 other calls complete, and nothing goes unhandled', async () => {
    onCall = async ({ message }, response) => {
      eventHead(response)
      await new Promise(setImmediate)
      writeEvent(response, progress(message.id, 1))
      await new Promise(setImmediate)
      writeEvent(response, progress(message.id, 2))
      writeEvent(response, final(message.id))
      if (message.id % 3 === 0) response.end()
      else setTimeout(() => response.end(), message.id % 7)
    }
    const staying = Array.from({ length: 200 }, async () => (await scene.stream('read', { meta: PROGRESS })).rest())
    const leaving = Array.from({ length: 120 }, async (_, index) => {
      const tool = index % 2 === 0 ? 'read' : 'write'
      if (index % 4 < 2)
        return scene.stream(tool, { meta: PROGRESS, onSent: leave => setTimeout(leave, index % 11) }).catch(() => undefined)
      const call = await scene.stream(tool, { meta: PROGRESS })
      for (let read = 0; read < index % 4; read++) await call.next()
      call.leave()
      return undefined
    })
    const answers = await Promise.all(staying)
    await Promise.all(leaving)
    for (const events of answers) {
      expect(events).toHaveLength(3)
      expect(events.at(-1)).toMatchObject({ id: 1, result: { content: [{ text: 'done' }] } })
    }
    expect(unhandled).toEqual([])
    expect((await scene.gateway.send('server/discover')).status).toBe(200)
  })

  it('also when they take long to read the end', async () => {
    onCall = ({ message }, response) => {
      eventHead(response)
      writeEvent(response, final(message.id, 'x'.repeat(900_000)))
      response.end()
    }
    const call = await scene.stream('read')
    call.pause()
    // Long enough for several keep-alives to fall due after the end was written.
    await new Promise(resolve => setTimeout(resolve, 60))
    call.resume()
    expect(await call.rest()).toHaveLength(1)
    expect(unhandled).toEqual([])
  })
})
