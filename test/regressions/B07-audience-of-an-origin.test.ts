/*
 * A gateway whose resource is a bare origin: some clients and authorization servers write it with a slash at the end, others
 * without, since a URL without a path and one with the path "/" are the same. A comparison of bytes refuses half of them, the
 * client logs in again, gets the same token, and so on for ever.
 * So: for an origin both spellings are its audience; the metadata always says the one without the slash. A path is different:
 * there the slash makes another resource.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene({ endpointYaml: '  - { path: /, upstreams: [acme] }\n' })
})
afterAll(() => scene.close())

const call = (path: string, aud: string) =>
  scene.raw({
    line: `POST ${path} HTTP/1.1`,
    headers: { Authorization: `Bearer ${scene.gateway.mint.token({ aud, scope: 'tools:write' })}` },
  })

it.each(['', '/'])('B07 an origin with %j behind it is the audience of the endpoint at /', async slash => {
  expect((await call('/', scene.gateway.origin + slash)).status).toBe(200)
})

it('B07 the metadata says it without the slash', async () => {
  const response = await fetch(`${scene.gateway.origin}/.well-known/oauth-protected-resource`)
  expect(await response.json()).toMatchObject({ resource: scene.gateway.origin })
})

it('B07 a path with a slash more is another resource', async () => {
  await expectRefused(scene, 'AUTH_TOKEN_INVALID', () => call('/mcp', `${scene.gateway.url}/`))
  await expectRefused(scene, 'AUTH_TOKEN_INVALID', () => call('/mcp', `${scene.gateway.origin}/`))
})
