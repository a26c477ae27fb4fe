/*
 * A person types the URL of a server with a slash at the end, or without. Clients compare the `resource` of the metadata with
 * what was typed; a server that answers both spellings with the same document makes them stop before the login, with a message
 * that nobody understands. A redirect from one to the other loses the body, or the Authorization header.
 * So: the spelling that is configured is there, with a document of that spelling; the other one is plainly not, in JSON.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())

const get = (path: string) =>
  scene.raw({ line: `GET ${path} HTTP/1.1`, headers: { Authorization: undefined, 'Content-Length': '0' }, body: '' })

it('B09 the configured spelling has a document that says exactly that', async () => {
  expect((await get('/.well-known/oauth-protected-resource/mcp')).json).toMatchObject({ resource: scene.gateway.url })
})

it('B09 the other spelling is not there: no redirect, and no document of the first', async () => {
  for (const send of [() => get('/.well-known/oauth-protected-resource/mcp/'), () => scene.raw({ line: 'POST /mcp/ HTTP/1.1' })]) {
    const answer = await expectRefused(scene, 'HTTP_NOT_FOUND', send)
    expect(answer.headers.get('location')).toBeNull()
  }
})
