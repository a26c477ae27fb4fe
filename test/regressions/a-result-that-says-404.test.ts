/*
 * A server ran a call that writes and answered it, with its result and its id, under HTTP status 404. In a session that status means that
 * the session is over and nothing was done: a new one was begun and the call made again, and what came of it was reported as not
 * processed. Under a server that had just changed its era the same happened for 400 and 404.
 * So: who gives a result has done the work, whatever the status; the call is not repeated, and its effect is not known.
 */
import { afterEach, expect, it } from 'vitest'
import type { Upstream } from '../../src/upstream/index.ts'
import { type LegacyStub, legacyText, sendLegacyJson, startLegacyStub } from '../support/legacy-stub.ts'
import { configOf, createCaller, createRoom, intentOf } from '../upstream/room.ts'

let stub: LegacyStub
let room: Upstream
afterEach(async () => {
  await room.abort()
  await stub.close()
})

it.each([
  ['in a session', 'legacy', 404],
  ['of a server that was modern a moment ago', 'auto', 404],
  ['of a server that was modern a moment ago', 'auto', 400],
] as const)('is made once: %s (era %s, status %s)', async (_name, era, status) => {
  stub = await startLegacyStub()
  stub.on.set('tools/call', (seen, response) =>
    sendLegacyJson(response, status, { jsonrpc: '2.0', id: seen.message.id, result: legacyText('done') }),
  )
  if (era === 'auto') {
    stub.on.set('server/discover', (seen, response) => {
      stub.on.delete('server/discover')
      const result = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {}, ttlMs: 0, cacheScope: 'private' }
      sendLegacyJson(response, 200, { jsonrpc: '2.0', id: seen.message.id, result })
    })
  }
  room = createRoom(configOf(stub.url, { era }))
  const error = await room.send(intentOf(), createCaller()).catch((error: unknown) => error)
  expect(error).toMatchObject({ code: 'UPSTREAM_INVALID', open: { effect: 'unknown' } })
  expect(stub.of('tools/call')).toHaveLength(1)
})
