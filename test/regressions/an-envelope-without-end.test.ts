/*
 * A request of less than a megabyte held the event loop for a tenth of a second where sixty thousand members stood in its `_meta`, its
 * `params`, or among the arguments a completion knows so far: each was folded, compared and put together anew.
 * So: an envelope has a few thousand members at most, and what has more names than anybody declared is refused for that alone.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import { type Scene, startScene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene({
    policy: `  read: { effect: read, allow: [{ scopes: [tools:read] }] }
prompts:
  review: { allow: [{ scopes: [tools:read] }] }`,
    stub: { prompts: [{ name: 'review', arguments: [{ name: 'x' }] }] },
    onCall: () => ({ resultType: 'complete', messages: [], completion: { values: [] } }),
  })
})
afterAll(() => scene.close())

const many = (count: number, value = 'v'): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`Key${index}`, value]))

it.each([
  ['_meta', many(4_100), 400, many(4_000), 200],
  ['params', many(4_100), 400, many(4_000), 200],
])('refuses a %s that has more members than are compared', async (place, tooMany, refused, enough, served) => {
  const send = (members: JsonObject) =>
    place === '_meta'
      ? scene.gateway.send('prompts/get', { name: 'acme__review' }, { meta: members })
      : scene.gateway.send('prompts/get', { ...members, name: 'acme__review' })
  expect((await send(tooMany)).status).toBe(refused)
  expect((await send(enough)).status).toBe(served)
})

it('refuses a completion that knows more arguments than anything has', async () => {
  const complete = (context: JsonObject) =>
    scene.gateway.send('completion/complete', {
      ref: { type: 'ref/prompt', name: 'acme__review' },
      argument: { name: 'x', value: '' },
      context: { arguments: context },
    })
  expect((await complete(many(1_001))).json.error).toMatchObject({ code: -32602, data: { code: 'MCP_PARAMS_INVALID' } })
  expect((await complete(many(900))).json.error?.message).toContain('has an argument that is not allowed; known are x')
})

it.each([
  ['its _meta', { messages: [], _meta: many(5_000) }],
  ['a block of it', { messages: [{ role: 'user', content: { type: 'text', text: '', ...many(5_000) } }] }],
])('refuses an answer with more members in %s than are compared', async (_, result) => {
  const { onCall } = scene.upstream
  scene.upstream.onCall = () => ({ resultType: 'complete', ...result })
  const { json } = await scene.gateway.send('prompts/get', { name: 'acme__review' })
  expect(json.error?.data).toMatchObject({ code: 'UPSTREAM_INVALID' })
  scene.upstream.onCall = onCall
})

it('says of too many arguments of a prompt that some are not allowed', async () => {
  const { json } = await scene.gateway.send('prompts/get', { name: 'acme__review', arguments: { ...many(1_100), X: 'v' } })
  expect(json.error?.message).toMatch(/not fit this prompt\.\n- \/ has an argument that is not allowed; known are x$/)
})
