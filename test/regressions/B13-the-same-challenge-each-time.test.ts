/*
 * A client that lacks a scope refreshed its token instead of asking for more, got the same scopes back, and tried again until
 * a guard stopped it. Servers made it worse: 401 where more scope was needed, one missing scope at a time, or a challenge that
 * differed from answer to answer.
 * So: 403 each time, all scopes of the operation in one challenge, the same bytes each time, nothing run, each one recorded.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene({ policy: '  send: { effect: write, allow: [{ scopes: [tools:write, mail:send] }] }' })
})
afterAll(() => scene.close())

it('B13 three calls with one token that lacks scopes get one and the same challenge', async () => {
  const authorization = `Bearer ${scene.gateway.token('tools:read')}`
  const challenges = new Set<string | null>()
  for (let turn = 0; turn < 3; turn++) {
    const answer = await expectRefused(scene, 'AUTH_SCOPE_INSUFFICIENT', () => scene.raw({ headers: { Authorization: authorization } }))
    challenges.add(answer.headers.get('www-authenticate'))
  }
  expect([...challenges]).toEqual([
    `Bearer error="insufficient_scope", scope="mail:send tools:write", resource_metadata="${scene.gateway.origin}/.well-known/oauth-protected-resource/mcp"`,
  ])
})
