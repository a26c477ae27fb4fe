/*
 * The health path was let past the first hook whatever the method, and the handler for what is not found ran behind the body. So
 * `POST /healthz` from anybody met an error handler without a record: 500 with the words of a TypeError, and no line in the trail;
 * and a stranger's body, up to a megabyte, was buffered for every path that does not exist, as long as it took to arrive.
 * So: every request but the probe itself is recorded and refused in our words, and before its body.
 */
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Scene, startScene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())

it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD'])('%s /healthz is nothing, and recorded', async method => {
  const before = scene.gateway.trail.requests().length
  const answer = await fetch(`${scene.gateway.origin}/healthz`, { method })
  expect(answer.status).toBe(404)
  if (method !== 'HEAD') expect(await answer.json()).toMatchObject({ error: { code: 'HTTP_NOT_FOUND' } })
  expect(scene.gateway.trail.requests()).toHaveLength(before + 1)
  expect(scene.gateway.trail.last()).toMatchObject({ outcome: 'HTTP_NOT_FOUND', httpMethod: method })
})

it('the probe itself is answered', async () => {
  expect(await (await fetch(`${scene.gateway.origin}/healthz`)).json()).toEqual({ status: 'ok' })
})

it.each(['/nothing', '/healthz', '/.well-known/nothing'])('does not wait for the body of a stranger at %s', async path => {
  const { hostname, port, host } = new URL(scene.gateway.origin)
  const socket = connect(Number(port), hostname)
  const answer = new Promise<string>(resolve => socket.once('data', data => resolve(data.toString('latin1'))))
  socket.write(`POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{`)
  expect(await answer).toMatch(/^HTTP\/1\.1 404 /)
  socket.destroy()
})
