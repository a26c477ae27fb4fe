import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Answer } from '../../../src/core/model.ts'
import type { Upstream } from '../../../src/upstream/index.ts'
import { eventually } from '../../support/eventually.ts'
import { beginStream, type LegacySeen, type LegacyStub, legacyText, startLegacyStub, writeLegacyEvent } from '../../support/legacy-stub.ts'
import { freePort } from '../../support/ports.ts'
import { configOf, createCaller, createRoom, HEARING, intentOf } from '../room.ts'

let stub: LegacyStub
let room: Upstream

async function start(config: Parameters<typeof configOf>[1] = {}): Promise<void> {
  // One that is still ours when it has been let go of for a moment.
  stub = await startLegacyStub({ port: await freePort() })
  room = createRoom(configOf(stub.url, { era: 'legacy', ...config }))
}
beforeEach(() => start())
afterEach(async () => {
  await room.abort()
  await stub.close()
})

const send = (caller = createCaller()): Promise<Answer> => room.send(intentOf(HEARING), caller)
const fault = (caller = createCaller()): Promise<unknown> =>
  send(caller).then(
    () => expect.fail('answered'),
    (error: unknown) => error,
  )
const theCall = (): LegacySeen => stub.of('tools/call')[0] as LegacySeen
const progress = (seen: LegacySeen, value: number): object => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken: seen.message.params?._meta?.progressToken, progress: value },
})
const final = (seen: LegacySeen): object => ({ jsonrpc: '2.0', id: seen.message.id, result: legacyText('whole') })

/** The first piece of an answer, with ids and a short delay, and then nothing more. */
function begin(seen: LegacySeen, response: ServerResponse): void {
  beginStream(response)
  response.write('retry: 100\n')
  writeLegacyEvent(response, '', 'e0')
  writeLegacyEvent(response, progress(seen, 1), 'e1')
}

function cutShort(seen: LegacySeen, response: ServerResponse): void {
  begin(seen, response)
  response.end()
}

describe('the rest of an answer', () => {
  it.each(['closes', 'breaks'])('is asked for with GET behind the last event, when the stream %s (SEP-1699)', async how => {
    stub.onCall = (seen, response) => {
      begin(seen, response)
      if (how === 'closes') response.end()
      else setTimeout(() => response.destroy(), 20)
    }
    stub.on.set('GET', (_seen, response) => {
      beginStream(response)
      writeLegacyEvent(response, progress(theCall(), 2), 'e2')
      writeLegacyEvent(response, final(theCall()), 'e3')
      response.end()
    })
    const caller = createCaller()
    expect((await send(caller)).answer).toMatchObject({ kind: 'result', result: legacyText('whole') })
    expect(caller.heard.map(text => JSON.parse(text).params.progress)).toEqual([1, 2])
    expect(stub.of('GET').map(({ headers }) => headers)).toMatchObject([
      { accept: 'text/event-stream', 'last-event-id': 'e1', 'mcp-session-id': [...stub.sessions][0], 'mcp-protocol-version': '2025-11-25' },
    ])
    expect(stub.of('tools/call')).toHaveLength(1)
  })

  it('may come in as many pieces as the server likes', async () => {
    stub.onCall = cutShort
    stub.on.set('GET', (_seen, response) => {
      beginStream(response)
      const count = stub.of('GET').length
      writeLegacyEvent(response, count < 4 ? '' : final(theCall()), `g${count}`)
      response.end()
    })
    expect((await send()).answer.kind).toBe('result')
    expect(stub.of('GET').map(({ headers }) => headers['last-event-id'])).toEqual(['e1', 'g1', 'g2', 'g3'])
  })

  it.each<[string, (response: ServerResponse) => unknown]>([
    ['there is no such stream', response => response.writeHead(404).end()],
    ['it may not be asked for', response => response.writeHead(405).end()],
    ['something else comes', response => response.writeHead(200, { 'content-type': 'application/json' }).end('{}')],
  ])('is lost where %s, and the effect is unknown', async (_name, refuse) => {
    stub.onCall = cutShort
    stub.on.set('GET', (_seen, response) => void refuse(response))
    expect(await fault()).toMatchObject({ code: 'UPSTREAM_INVALID', open: { effect: 'unknown' }, detail: { reason: 'broken' } })
    expect(stub.of('tools/call')).toHaveLength(1)
    expect(stub.of('GET')).toHaveLength(1)
  })

  it('is not asked for where the server gave its events no ids, or one that is no header', async () => {
    stub.onCall = (seen, response) => {
      beginStream(response)
      writeLegacyEvent(response, progress(seen, 1), stub.of('tools/call').length === 1 ? undefined : 'ü\u0001')
      response.end()
    }
    expect(await fault()).toMatchObject({ detail: { reason: 'no_final_response' } })
    expect(await fault()).toMatchObject({ detail: { reason: 'no_final_response' } })
    expect(stub.of('GET')).toEqual([])
  })

  it('that never comes ends with the longest silence', async () => {
    await room.abort()
    await stub.close()
    await start({ streamIdleMs: 500 })
    stub.onCall = cutShort
    stub.on.set('GET', (_seen, response) => {
      beginStream(response)
      response.end()
    })
    expect(await fault()).toMatchObject({ code: 'UPSTREAM_TIMEOUT', open: { effect: 'unknown' } })
    await eventually(() => stub.of('notifications/cancelled').length === 1)
    const asked = stub.of('GET').length
    expect(asked).toBeGreaterThan(1)
    await new Promise(resolve => setTimeout(resolve, 300))
    expect(stub.of('GET')).toHaveLength(asked)
  })

  it('is not waited for when a reader leaves', async () => {
    const caller = createCaller()
    stub.onCall = cutShort
    stub.on.set('GET', (_seen, response) => {
      beginStream(response)
      response.end()
    })
    const answered = room.send(intentOf({ ...HEARING, effect: 'read' }), caller).catch((error: unknown) => error)
    await eventually(() => stub.of('GET').length > 0)
    caller.leave()
    expect(await answered).toMatchObject({ code: 'CALLER_GONE' })
    await eventually(() => stub.of('notifications/cancelled').length === 1)
  })

  it('of a server that is gone is given up', async () => {
    stub.onCall = cutShort
    const answered = fault()
    await eventually(() => stub.of('tools/call').length === 1)
    await stub.close()
    expect(await answered).toMatchObject({ code: 'UPSTREAM_INVALID', open: { effect: 'unknown' }, detail: { reason: 'broken' } })
    stub = await startLegacyStub()
  })

  it('is asked for again while the server is away for a moment', async () => {
    stub.onCall = cutShort
    const port = Number(new URL(stub.url).port)
    const answered = send()
    await eventually(() => stub.of('tools/call').length === 1)
    const call = theCall()
    await stub.close()
    // Longer than the delay that it asked for: the first to ask again finds nobody.
    await new Promise(resolve => setTimeout(resolve, 350))
    const second = await startLegacyStub({ port })
    second.on.set('GET', (_seen, response) => {
      beginStream(response)
      writeLegacyEvent(response, final(call), 'e9')
      response.end()
    })
    stub = second
    expect((await answered).answer).toMatchObject({ kind: 'result', result: legacyText('whole') })
    expect(second.of('tools/call')).toEqual([])
  })

  it('has one measure for all its streams, however many there are', async () => {
    await room.abort()
    await stub.close()
    await start({ maxResponseBytes: 1_000 })
    stub.onCall = cutShort
    stub.on.set('GET', (_seen, response) => {
      beginStream(response)
      response.write(`: ${'x'.repeat(30_000)}\n`)
      writeLegacyEvent(response, '', `e${stub.of('GET').length}`)
      response.end()
    })
    expect(await fault()).toMatchObject({ code: 'UPSTREAM_INVALID', detail: { reason: 'too_large' } })
    expect(stub.of('GET').length).toBeLessThan(4)
  })
})
