/*
 * Whether a tool was blocked was decided in several places. One path, used while lists were being read anew, let a changed tool through; and
 * when that reading failed halfway, what had been read so far became the new truth.
 * So: one place says what is approved and still shown, every method asks it, and half a list says nothing. A call is held to the text that
 * was approved, which is the text its caller was shown.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGate, eventually } from '../support/eventually.ts'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'

const tools = [
  { name: 'send', inputSchema: { type: 'object', properties: { n: { type: 'integer', maximum: 10 } } } },
  { name: 'read', inputSchema: { type: 'object' } },
]
const CHANGED = { name: 'send', inputSchema: { type: 'object', properties: { n: { type: 'integer', maximum: 1_000 } } } }

let scene: Scene
beforeAll(async () => {
  scene = await startScene({ tools, policy: "  '*': { effect: read, allow: [{ scopes: [tools:read] }] }" })
})
afterAll(() => scene.close())

const listed = async () =>
  (((await scene.gateway.send('tools/list')).json.result?.tools ?? []) as { readonly name: string }[]).map(({ name }) => name)
const lock = () => readFile(join(scene.gateway.folder, 'pins', 'acme.lock.json'), 'utf8')
const suspect = () => scene.gateway.gateway.rooms().catalog.suspect('acme', 'shared')
const state = () => scene.gateway.gateway.rooms().catalog.states()[0]

it('B97 while its list is read anew, and when that ends halfway, a call is held to what was approved, and no pin is touched', async () => {
  const before = await lock()
  const gate = createGate()
  scene.upstream.onList = async ({ message }, response) => {
    if (message.params.cursor === undefined) return { resultType: 'complete', ttlMs: 0, tools: [CHANGED], nextCursor: '2' }
    await gate.opened
    response.writeHead(500).end()
    return undefined
  }
  suspect()
  await eventually(() => scene.upstream.lists.at(-1)?.message.params.cursor === '2')
  for (const round of ['during', 'after']) {
    expect(await listed(), round).toEqual(['acme__read', 'acme__send'])
    expect((await scene.gateway.call('acme__send', { n: 10 })).json.result, round).not.toHaveProperty('isError')
    await expectRefused(scene, 'VALIDATION_ARGUMENTS', () => scene.gateway.call('acme__send', { n: 11 }), { text: /\/n must be <= 10/ })
    gate.open()
    await eventually(() => state()?.snapshot === 'stale')
  }
  expect(await lock()).toBe(before)
})

it('B97 once it was read, every way to the changed tool has the same answer', async () => {
  const before = await lock()
  scene.upstream.onList = undefined
  scene.upstream.tools = [CHANGED]
  suspect()
  await eventually(() => state()?.drifted === 1)
  expect(await listed()).toEqual([])
  await expectRefused(scene, 'CATALOG_UNKNOWN_TOOL', () => scene.gateway.call('acme__send', { n: 1 }), {
    id: 1,
    detail: { reason: 'drifted' },
  })
  await expectRefused(
    scene,
    'CATALOG_UNKNOWN_TOOL',
    () => scene.gateway.send('tools/call', { name: 'acme__send', arguments: { n: 1 }, requestState: 'x', inputResponses: {} }),
    { id: 1, detail: { reason: 'drifted' } },
  )
  expect(await lock()).toBe(before)
})
