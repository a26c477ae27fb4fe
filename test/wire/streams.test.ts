import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createGate, eventually } from '../support/eventually.ts'
import type { OnCall, SeenRequest } from '../support/upstream-stub.ts'
import { eventHead, final, PROGRESS, progress, startWire, type WireScene, writeEvent } from './scene.ts'

let scene: WireScene
let onCall: OnCall
beforeAll(async () => {
  scene = await startWire((request, response) => onCall(request, response))
})
afterAll(() => scene.close())
beforeEach(() => {
  scene.upstream.calls.length = 0
})

type Told = Readonly<Record<string, unknown>>
const errorOf = (message: Record<string, unknown> | undefined): Told => message?.error as Told

describe('an event stream', () => {
  it('reaches the caller event by event, each before the upstream has written the next', async () => {
    const steps = [createGate(), createGate(), createGate(), createGate()] as const
    onCall = async ({ message }, response) => {
      eventHead(response)
      await steps[0].opened
      writeEvent(response, progress(message.id, 1))
      await steps[1].opened
      writeEvent(response, progress(message.id, 2, 'half'))
      await steps[2].opened
      response.write(': a comment\n\n')
      writeEvent(response, final(message.id))
      await steps[3].opened
      response.end()
    }
    const call = await scene.stream('read', { id: 'x', meta: PROGRESS })
    // The headers are here, and nothing else has been written.
    expect(call.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    expect(call.seen).not.toContain('data:')
    steps[0].open()
    expect(await call.next()).toEqual({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 'p', progress: 1 } })
    steps[1].open()
    expect(await call.next()).toMatchObject({ params: { progressToken: 'p', progress: 2, message: 'half' } })
    steps[2].open()
    // The final response does not wait for an upstream that keeps its stream open.
    expect(await call.next()).toMatchObject({ id: 'x', result: { resultType: 'complete', content: [{ text: 'done' }] } })
    expect(await call.rest()).toEqual([])
    steps[3].open()
    expect(call.seen).not.toMatch(/^(id|event|retry):/m)
    expect(call.seen).not.toContain('a comment')
    // Headers that had waited for something to send with them would have waited for this.
    expect(call.seen).not.toContain('keep-alive')
  })

  it('with hidden characters in what is told on the way is marked, and the record counts them', async () => {
    onCall = ({ message }, response) => {
      eventHead(response)
      writeEvent(response, progress(message.id, 1, 'half\u200b done'))
      writeEvent(response, final(message.id))
      response.end()
    }
    const call = await scene.stream('read', { meta: PROGRESS })
    const mark = { 'dev.wicketgate/hiddenCharacters': { count: 1, escaped: false } }
    expect(await call.next()).toMatchObject({ params: { progressToken: 'p', progress: 1, message: 'half\u200b done', _meta: mark } })
    expect(await call.next()).toMatchObject({ result: { content: [{ text: 'done' }] } })
    expect(scene.gateway.trail.last()).toMatchObject({ outcome: 'OK', hiddenCharacters: 1 })
  })

  it('is kept alive by comments while nothing happens, and counted while it is open', async () => {
    const gate = createGate()
    onCall = async ({ message }, response) => {
      eventHead(response)
      await gate.opened
      writeEvent(response, final(message.id))
      response.end()
    }
    const lively = await startWire((request, response) => onCall(request, response), { serve: { streamKeepAliveMs: 20 } })
    onTestFinished(() => lively.close())
    const open = async (): Promise<string> => (await fetch(`${lively.gateway.gateway.adminAddress}/metrics`)).text()
    const call = await lively.stream('read')
    await eventually(() => (call.seen.match(/^: keep-alive$/gm) ?? []).length >= 2)
    expect(await open()).toMatch(/^wicketgate_streams_open(\{[^}]*\})? 1$/m)
    gate.open()
    expect(await call.rest()).toHaveLength(1)
    await eventually(async () => /^wicketgate_streams_open(\{[^}]*\})? 0$/m.test(await open()))
  })

  it('is answered as plain JSON to a caller that does not take events', async () => {
    onCall = ({ message }, response) => {
      eventHead(response)
      writeEvent(response, progress(message.id, 1))
      writeEvent(response, final(message.id))
      response.end()
    }
    const answer = await scene.gateway.call('acme__read', {}, { headers: { accept: 'application/json' }, meta: PROGRESS })
    expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/)
    expect(answer.json.result).toMatchObject({ content: [{ text: 'done' }] })
  })
})

// B39
describe('a stream cut anywhere', () => {
  const ends = { LF: '\n', CRLF: '\r\n', CR: '\r' } as const
  const textOf = (id: unknown, end: string): Buffer => {
    const data = JSON.stringify(final(id, 'grüße €'))
    const [head, tail] = [data.slice(0, data.indexOf(',')), data.slice(data.indexOf(','))]
    return Buffer.from(
      `\ufeff: comment${end}event: message${end}id: 7${end}retry: 99999999${end}data:${JSON.stringify(progress(id, 1))}${end}${end}data: ${head}${end}data:${tail}${end}${end}`,
    )
  }
  it.each(Object.keys(ends) as (keyof typeof ends)[])('with %s line ends, byte by byte, gives each event once', async name => {
    onCall = async ({ message }, response) => {
      eventHead(response)
      response.socket?.setNoDelay(true)
      for (const byte of textOf(message.id, ends[name])) {
        response.write(Buffer.of(byte))
        await new Promise(setImmediate)
      }
      response.end()
    }
    const call = await scene.stream('read', { meta: PROGRESS })
    const events = await call.rest()
    expect(events).toHaveLength(2)
    expect(events[1]).toMatchObject({ id: 1, result: { content: [{ text: 'grüße €' }] } })
  })

  it('before its last blank line has no final response', async () => {
    onCall = ({ message }, response) => {
      eventHead(response)
      response.end(`data: ${JSON.stringify(final(message.id))}\n`)
    }
    const [event] = await (await scene.stream('read', { id: 'mine' })).rest()
    expect(event).toMatchObject({ id: 'mine', error: { code: -32603 } })
  })
})

describe('a stream that breaks the protocol ends in one error under the caller’s id, and nothing of it is passed on', () => {
  //
  const sins: Readonly<Record<string, (id: number) => object[]>> = {
    'a foreign id': id => [final(id + 1)],
    'the id as text': id => [final(String(id))],
    'two finals': id => [final(id, 'one'), final(id, 'two')],
    'a notification after the final': id => [final(id), progress(id, 9)],
    'a request of its own': () => [{ jsonrpc: '2.0', id: 1, method: 'sampling/createMessage', params: {} }],
    'progress under another token': () => [progress('somebody else’s', 1)],
    'progress under the caller’s own token': () => [progress('p', 1)],
    'a batch': id => [[final(id)]],
    'a result and an error': id => [{ ...final(id), error: { code: 1, message: 'x' } }],
    'a change notification': () => [{ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }],
    'an unknown notification': () => [{ jsonrpc: '2.0', method: 'notifications/whatever', params: { secret: 1 } }],
  }
  it.each(Object.keys(sins))('%s [REQ-STREAM-RELATED] [REQ-STREAM-NO-REQUEST]', async sin => {
    let upstreamSide: ServerResponse | undefined
    onCall = ({ message }, response) => {
      upstreamSide = response
      eventHead(response)
      for (const event of sins[sin]?.(message.id) ?? []) writeEvent(response, event)
      // The stream stays open: the gateway has to end it.
    }
    const events = await (await scene.stream('write', { id: 'mine', meta: PROGRESS })).rest()
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({ jsonrpc: '2.0', id: 'mine', error: { code: -32603 } })
    expect(errorOf(events[0]).data).toMatchObject({ code: 'UPSTREAM_INVALID', effect: 'unknown' })
    await eventually(() => upstreamSide?.closed === true)
    expect(scene.gateway.trail.last()).toMatchObject({ outcome: 'UPSTREAM_INVALID', effectStatus: 'unknown', status: 200 })
  })

  it('progress that nobody asked for', async () => {
    onCall = ({ message }, response) => {
      eventHead(response)
      writeEvent(response, progress(message.id, 1))
    }
    const events = await (await scene.stream('read')).rest()
    expect(events).toEqual([expect.objectContaining({ id: 1, error: expect.objectContaining({ code: -32603 }) })])
  })

  //
  it('text that looks like framing stays text', async () => {
    const evil = '\r\n\r\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\r\n\r\n'
    onCall = ({ message }, response) => {
      eventHead(response)
      response.write('event: message\nretry: 99999999\nid: 1\n')
      writeEvent(response, final(message.id, evil))
      response.end()
    }
    const call = await scene.stream('read')
    const events = await call.rest()
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({ id: 1, result: { content: [{ text: evil }] } })
    expect(call.seen.match(/^data:/gm)).toHaveLength(1)
    expect(call.seen).not.toMatch(/^(id|event|retry):/m)
  })
})

describe('an upstream that dies', () => {
  type Death = (request: SeenRequest, response: ServerResponse) => void
  const beforeHeaders: Death = (_request, response) => void response.socket?.destroy()
  const afterHeaders: Death = (_request, response) => {
    eventHead(response)
    setImmediate(() => response.socket?.destroy())
  }
  const inMidStream: Death = ({ message }, response) => {
    eventHead(response)
    response.write(`data: ${JSON.stringify(progress(message.id, 1))}\n\ndata: {"jsonrpc"`, () => response.socket?.destroy())
  }
  const withoutFinal: Death = (_request, response) => {
    eventHead(response)
    response.end()
  }

  it('before its headers is a 502, and the effect is unknown', async () => {
    onCall = beforeHeaders
    const answer = await scene.gateway.call('acme__write', {}, { id: 'mine' })
    expect(answer.status).toBe(502)
    expect(answer.json).toMatchObject({ id: 'mine', error: { code: -32603, data: { code: 'UPSTREAM_INVALID', effect: 'unknown' } } })
    expect(scene.upstream.calls).toHaveLength(1)
  })

  it.each([
    ['after its headers', afterHeaders, 0],
    ['in mid-stream', inMidStream, 1],
    ['without a final response', withoutFinal, 0],
  ] as const)('%s is an error event with the caller’s id', async (_name, death, notifications) => {
    onCall = death
    const call = await scene.stream('write', { id: 'mine', meta: PROGRESS })
    const events = await call.rest()
    expect(events).toHaveLength(notifications + 1)
    expect(events.at(-1)).toMatchObject({ id: 'mine', error: { code: -32603 } })
    expect(errorOf(events.at(-1)).data).toMatchObject({ code: 'UPSTREAM_INVALID', effect: 'unknown' })
    expect(scene.upstream.calls).toHaveLength(1)
  })

  it('after its final response has taken nothing from it', async () => {
    onCall = ({ message }, response) => {
      eventHead(response)
      response.write(`data: ${JSON.stringify(final(message.id))}\n\n`, () => response.socket?.resetAndDestroy())
    }
    const events = await (await scene.stream('write')).rest()
    expect(events).toEqual([expect.objectContaining({ id: 1, result: expect.anything() })])
    expect(scene.gateway.trail.last()).toMatchObject({ outcome: 'OK', effectStatus: 'committed' })
  })
})
