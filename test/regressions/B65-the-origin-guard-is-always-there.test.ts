/*
 * A guard against DNS rebinding was only mounted when the server was bound to loopback: people who bound it to all interfaces,
 * which is when others can reach it, listed their tools to any page that asked.
 * So: an Origin that is not configured is refused on every bind, before anything else is looked at; a program, which sends
 * none, is served; nothing in the configuration mounts an endpoint without the guard.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene({ settings: { host: '0.0.0.0' }, gatewayYaml: 'http: { origins: [https://app.example] }\n' })
})
afterAll(() => scene.close())

it.each(['http://evil.example', 'null', 'file://', 'https://app.example.evil.test', 'https://app.example:8443'])(
  'B65 on all interfaces a page of %s gets nothing',
  async origin => {
    await expectRefused(scene, 'HTTP_ORIGIN_REFUSED', () => scene.raw({ headers: { Origin: origin } }))
  },
)

it('B65 a program is served', async () => {
  expect((await scene.raw()).status).toBe(200)
})
