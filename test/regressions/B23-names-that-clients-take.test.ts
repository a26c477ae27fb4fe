/*
 * Tools called `disk:check`, `calendar.read`, `a b` or something in another script made whole sessions fail: model providers
 * take letters, digits, `_` and `-`, and one bad name was enough for all tools to be refused. Replacing the other characters
 * made two tools out of `a.b` and `a_b` that had one name.
 * So: every exposed name is of the small set and at most 64 long, no two tools share one, the server is called under the name
 * it gave, and a tool without a name costs nobody else theirs.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Scene, startScene } from '../support/scene.ts'

const NAMES = ['disk:check', 'calendar.read', 'files/read', 'a b', '名前', 'a.b', 'a_b', 'x'.repeat(120)]

let scene: Scene
beforeAll(async () => {
  const tools = ['', ...NAMES].map(name => ({ name, description: `Called ${name}.`, inputSchema: { type: 'object' } }))
  scene = await startScene({ tools, policy: "  '*': { effect: read, allow: [{ scopes: [tools:read] }] }" })
})
afterAll(() => scene.close())

it('B23 every tool has a name of its own that clients take, and is called under the name its server gave it', async () => {
  const listed = (await scene.gateway.send('tools/list')).json.result?.tools as { readonly name: string; readonly description: string }[]
  expect(listed.map(({ description }) => description).sort()).toEqual(NAMES.map(name => `Called ${name}.`).sort())
  expect(new Set(listed.map(({ name }) => name.toLowerCase())).size).toBe(NAMES.length)
  for (const { name, description } of listed) {
    expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
    expect((await scene.gateway.call(name)).status).toBe(200)
    expect(`Called ${scene.upstream.calls.at(-1)?.message.params.name}.`).toBe(description)
  }
})

it('B23 the names are the same in the next process', async () => {
  const listed = (await scene.gateway.send('tools/list')).json.result?.tools as { readonly name: string }[]
  const tools = NAMES.toReversed().map(name => ({ name, description: `Called ${name}.`, inputSchema: { type: 'object' } }))
  const other = await startScene({ tools, policy: "  '*': { effect: read, allow: [{ scopes: [tools:read] }] }" })
  try {
    expect((await other.gateway.send('tools/list')).json.result?.tools).toEqual(listed)
  } finally {
    await other.close()
  }
})
