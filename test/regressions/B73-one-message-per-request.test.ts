/*
 * An array of messages was accepted where the protocol allows one. Policy looked at the first, or at none; the denied call
 * behind the allowed one was made. Two objects one after the other, or a byte order mark before the first, are the same trick
 * played on parsers that stop early or skip.
 * So: one JSON object, nothing before and nothing behind it, in one media type; everything else is refused whole and nothing
 * reaches a server.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())

const denied = () => scene.body({ id: 2 }, { name: 'acme__wipe', arguments: {} })

it.each([
  ['an allowed and a denied call', () => `[${scene.body()},${denied()}]`],
  ['one allowed call', () => `[${scene.body()}]`],
  ['nothing', () => '[]'],
])('B73 a batch of %s is no request', async (_, body) => {
  await expectRefused(scene, 'MCP_INVALID_REQUEST', () => scene.raw({ body: body() }))
})

it.each([
  ['two objects', () => scene.body() + denied()],
  ['two lines', () => `${scene.body()}\n${denied()}`],
  ['a byte order mark', () => `\ufeff${scene.body()}`],
])('B73 %s are no JSON', async (_, body) => {
  await expectRefused(scene, 'MCP_PARSE', () => scene.raw({ body: body() }))
})

it('B73 another media type is refused, the charset that JSON has is fine', async () => {
  await expectRefused(scene, 'HTTP_MEDIA_TYPE', () => scene.raw({ headers: { 'Content-Type': 'text/plain' } }))
  expect((await scene.raw({ headers: { 'Content-Type': 'application/json; charset=utf-8' } })).status).toBe(200)
})
