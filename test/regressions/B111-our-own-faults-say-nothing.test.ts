/*
 * An exception inside a server reached the caller as it was: a connection string with its password, a path, a stack. When the
 * answer had already begun as an event stream, the same exception could not be answered at all any more: the stream was cut
 * without a final message, the client waited until its timeout, or the process ended.
 * So: whatever is thrown inside, before or after the stream began, the caller gets one fixed text and an id; the record has
 * that id, the class of the error and where in our code it came from; its message is nowhere; the process goes on.
 */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'
import { sendEvents } from '../support/upstream-stub.ts'

class SecretFault extends Error {
  override readonly name = 'SecretFault'
}
const fail = (): never => {
  throw new SecretFault('postgres://u:SENTINEL@db')
}

let scene: Scene
beforeEach(async () => {
  scene = await startScene()
})
afterEach(async () => {
  expect(scene.gateway.trail.sink.lines.join('\n')).not.toContain('SENTINEL')
  await scene.close()
})

it('B111 a fault before the call was sent is one fixed text', async () => {
  const { validation } = scene.gateway.gateway.rooms()
  const { checkCall } = validation
  validation.checkCall = fail
  const answer = await expectRefused(scene, 'INTERNAL', () => scene.raw(), { id: 1, detail: { error: 'SecretFault' } })
  expect(answer.text).not.toContain('SENTINEL')
  expect(answer.json.error?.data).toEqual({ code: 'INTERNAL', errorId: scene.gateway.trail.last().id })
  validation.checkCall = checkCall
  expect((await scene.raw()).status).toBe(200)
})

it('B63 B111 a fault after the stream began is its last event', async () => {
  const { validation } = scene.gateway.gateway.rooms()
  const { checkResult } = validation
  validation.checkResult = fail
  scene.upstream.onCall = ({ message }, response) => sendEvents(response, [{ jsonrpc: '2.0', id: message.id, result: { content: [] } }])
  const answer = await scene.raw()
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  const events = answer.text.split('\n\n').filter(Boolean)
  expect(events).toHaveLength(1)
  expect(JSON.parse(events[0]?.replace('data: ', '') ?? '')).toMatchObject({ id: 1, error: { code: -32603 } })
  expect(answer.text).not.toContain('SENTINEL')
  expect(scene.gateway.trail.last()).toMatchObject({
    outcome: 'INTERNAL',
    effectStatus: 'unknown',
    detail: { error: 'SecretFault', at: expect.any(String) },
  })
  validation.checkResult = checkResult
  expect((await scene.raw()).status).toBe(200)
})
