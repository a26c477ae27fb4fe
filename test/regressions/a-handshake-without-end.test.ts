/*
 * A server answered `initialize`, and then `tools/list`, with an event stream that said nothing but comments, one every second.
 * A stream may go on for an hour, so the handshake did: everybody who called that server waited behind it without a word, and so
 * did the look at its lists, and the end of the process.
 * So: what is asked outside any call has the time of a plain answer, in whatever form it comes.
 */
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Upstream } from '../../src/upstream/index.ts'
import { beginStream, type LegacyStub, type OnLegacy, startLegacyStub } from '../support/legacy-stub.ts'
import { configOf, createCaller, createRoom, intentOf } from '../upstream/room.ts'

let stub: LegacyStub
let room: Upstream
beforeEach(async () => {
  stub = await startLegacyStub()
  room = createRoom(configOf(stub.url, { era: 'legacy', timeoutMs: 1_500 }))
})
afterEach(async () => {
  await room.abort()
  await stub.close()
})

const chatter: OnLegacy = (_seen, response) => {
  beginStream(response)
  const timer = setInterval(() => response.write(': still here\n\n'), 50)
  response.on('close', () => clearInterval(timer))
}
const faultOf = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error)

it('waits for a handshake, and for a list, no longer than for any answer', async () => {
  stub.on.set('initialize', chatter)
  expect(await faultOf(room.send(intentOf(), createCaller()))).toMatchObject({ code: 'UPSTREAM_TIMEOUT', open: { notProcessed: true } })
  stub.on.delete('initialize')
  stub.on.set('tools/list', chatter)
  expect(await faultOf(room.fetchList('tickets', 'tool', undefined, 'shared'))).toMatchObject({ code: 'UPSTREAM_TIMEOUT' })
  stub.on.delete('tools/list')
  expect((await room.send(intentOf(), createCaller())).answer.kind).toBe('result')
})
