/*
 * One metadata document was served for every path: it named a fixed resource, whatever endpoint had been asked for. A strict
 * client compares the document's `resource` with the URL it is connecting to, finds another one, and refuses to begin OAuth.
 * The opposite fault is as bad: echoing whatever path was asked for makes any URL look like a resource of ours.
 * So: one document per configured endpoint, byte for byte its own resource; 404 for every other path; the challenge of an
 * endpoint points at its own document.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene({ endpointYaml: '  - { path: /team-a/mcp, upstreams: [acme] }\n  - { path: /team-b/mcp, upstreams: [acme] }\n' })
})
afterAll(() => scene.close())

const metadata = (path: string) =>
  scene.raw({
    line: `GET /.well-known/oauth-protected-resource${path} HTTP/1.1`,
    headers: { Authorization: undefined, 'Content-Length': '0' },
    body: '',
  })

it.each(['/team-a/mcp', '/team-b/mcp'])('B01 the document of %s names that resource, and its challenge points at it', async path => {
  expect((await metadata(path)).json).toMatchObject({ resource: scene.gateway.origin + path })
  const answer = await expectRefused(scene, 'AUTH_TOKEN_MISSING', () =>
    scene.raw({ line: `POST ${path} HTTP/1.1`, headers: { Authorization: undefined } }),
  )
  expect(answer.headers.get('www-authenticate')).toContain(`"${scene.gateway.origin}/.well-known/oauth-protected-resource${path}"`)
})

it('B01 a token for one of them is none for the other', async () => {
  const authorization = `Bearer ${scene.gateway.mint.token({ aud: `${scene.gateway.origin}/team-a/mcp`, scope: 'tools:write' })}`
  expect((await scene.raw({ line: 'POST /team-a/mcp HTTP/1.1', headers: { Authorization: authorization } })).status).toBe(200)
  await expectRefused(scene, 'AUTH_TOKEN_INVALID', () =>
    scene.raw({ line: 'POST /team-b/mcp HTTP/1.1', headers: { Authorization: authorization } }),
  )
})

it('B01 a path that is not configured has no document', async () => {
  await expectRefused(scene, 'HTTP_NOT_FOUND', () => metadata('/nope/mcp'))
})
