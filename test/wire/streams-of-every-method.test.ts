import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createGate, eventually } from '../support/eventually.ts'
import { ask, asked, finalOf, METHODS, startSceneOfAll } from '../support/every-method.ts'
import type { Scene } from '../support/scene.ts'
import type { OnCall } from '../support/upstream-stub.ts'
import { eventHead, PROGRESS, progress, writeEvent } from './scene.ts'

let scene: Scene
let onCall: OnCall
beforeAll(async () => {
  scene = await startSceneOfAll({ onCall: (request, response) => onCall(request, response) })
})
afterAll(() => scene.close())
beforeEach(() => {
  scene.upstream.calls.length = 0
})

describe('callers that all say id 1 and progress token "p"', () => {
  // B75, A-83
  it('each get their own answer and their own progress, whatever they ask for', async () => {
    const held: (() => void)[] = []
    onCall = ({ message }, response) => {
      held.push(() => {
        const who = asked(message.method).whoseOf(message.params)
        eventHead(response)
        writeEvent(response, progress((message.params._meta as { progressToken: unknown }).progressToken, 1, who))
        setImmediate(() => {
          writeEvent(response, finalOf(message.method, message.id, who))
          response.end()
        })
      })
      if (held.length === 50) for (const answer of held.splice(0).reverse()) answer()
    }
    const tokens = ['ann', 'bob'].map(sub => scene.gateway.token('tools:read', { sub }))
    const calls = Array.from({ length: 50 }, async (_, index) => {
      const who = `caller${index}`
      const call = await ask(scene, METHODS[index % METHODS.length] as string, who, {
        id: 1,
        token: tokens[index % 2] as string,
        meta: PROGRESS,
      })
      return { who, answers: await call.rest() }
    })
    for (const { who, answers } of await Promise.all(calls)) {
      expect(answers).toHaveLength(2)
      expect(answers[0]).toMatchObject({ params: { progressToken: 'p', message: who } })
      expect(answers[1]).toMatchObject({ id: 1, result: expect.anything() })
      const said = JSON.stringify(answers[1]).match(/caller\d+/g) ?? []
      expect([...new Set(said)]).toEqual([who])
    }
    expect(new Set(scene.upstream.calls.map(({ message }) => message.id)).size).toBe(50)
  })
})

describe.each(METHODS)('%s', method => {
  it('is answered event by event, each before the upstream has written the next', async () => {
    const steps = [createGate(), createGate()] as const
    onCall = async ({ message }, response) => {
      eventHead(response)
      writeEvent(response, progress(message.id, 1))
      await steps[0].opened
      writeEvent(response, progress(message.id, 2))
      await steps[1].opened
      writeEvent(response, finalOf(method, message.id, 'a'))
      response.end()
    }
    const call = await ask(scene, method, 'a', { id: 'x', meta: PROGRESS })
    expect(call.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
    expect(await call.next()).toMatchObject({ params: { progressToken: 'p', progress: 1 } })
    steps[0].open()
    expect(await call.next()).toMatchObject({ params: { progressToken: 'p', progress: 2 } })
    steps[1].open()
    expect(await call.next()).toMatchObject({ id: 'x', result: { resultType: 'complete' } })
    expect(await call.rest()).toEqual([])
  })

  //
  const sins: Readonly<Record<string, (id: number) => object[]>> = {
    'a foreign id': id => [finalOf(method, id + 1, 'a')],
    'two finals': id => [finalOf(method, id, 'a'), finalOf(method, id, 'b')],
    'a request of its own': () => [{ jsonrpc: '2.0', id: 1, method: 'sampling/createMessage', params: {} }],
    'progress under another token': () => [progress('somebody else’s', 1)],
    'a batch': id => [[finalOf(method, id, 'a')]],
  }
  it.each(Object.keys(sins))('that brings %s ends in one error, and nothing of it is passed on', async sin => {
    let upstreamSide: ServerResponse | undefined
    onCall = ({ message }, response) => {
      upstreamSide = response
      eventHead(response)
      for (const event of sins[sin]?.(message.id) ?? []) writeEvent(response, event)
    }
    const events = await (await ask(scene, method, 'a', { id: 'mine', meta: PROGRESS })).rest()
    expect(events).toEqual([expect.objectContaining({ id: 'mine', error: expect.objectContaining({ code: -32603 }) })])
    await eventually(() => upstreamSide?.closed === true)
  })

  it('that loses its upstream in mid-stream ends in an error with its id', async () => {
    onCall = ({ message }, response) => {
      eventHead(response)
      response.write(`data: ${JSON.stringify(progress(message.id, 1))}\n\ndata: {"jsonrpc"`, () => response.socket?.destroy())
    }
    const events = await (await ask(scene, method, 'a', { id: 'mine', meta: PROGRESS })).rest()
    expect(events).toHaveLength(2)
    expect(events[1]).toMatchObject({ id: 'mine', error: { code: -32603, data: { code: 'UPSTREAM_INVALID' } } })
    expect(events[1]).not.toHaveProperty('error.data.effect')
  })

  it('that loses its upstream before an answer is a 502', async () => {
    onCall = (_request, response) => void response.socket?.destroy()
    const call = await ask(scene, method, 'a', { id: 'mine' })
    expect(call.status).toBe(502)
    expect(JSON.parse(await call.text())).toMatchObject({ id: 'mine', error: { code: -32603 } })
  })

  it('whose caller leaves is cancelled at the upstream', async () => {
    let upstreamSide: ServerResponse | undefined
    onCall = (_request, response) => {
      upstreamSide = response
      eventHead(response)
    }
    const call = await ask(scene, method, 'a')
    await eventually(() => upstreamSide !== undefined)
    call.leave()
    await eventually(() => upstreamSide?.closed === true)
    await eventually(() => scene.gateway.trail.requests().at(-1)?.outcome === 'CALLER_GONE')
    expect(scene.gateway.trail.last()).toMatchObject({ method, cancelled: true })
  })
})
