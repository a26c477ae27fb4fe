/*
 * One tool of a server had a reference in its output schema that led nowhere. Compiling it threw, the exception ended the whole
 * listing, and the server had no tools at all. The quiet variant is worse: a reference that leads nowhere in an input schema,
 * taken as "anything goes".
 * So: a tool whose schema cannot be enforced is withheld with a reason that the operator sees; the others are listed and work.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'

const MISSING = { $ref: '#/$defs/Missing' }

let scene: Scene
beforeAll(async () => {
  scene = await startScene({
    tools: [
      { name: 'one', inputSchema: { type: 'object' } },
      { name: 'output', inputSchema: { type: 'object' }, outputSchema: { type: 'object', properties: { a: MISSING } } },
      { name: 'input', inputSchema: { type: 'object', properties: { a: MISSING } } },
      { name: 'two', inputSchema: { type: 'object', $defs: { N: { type: 'integer' } }, properties: { n: { $ref: '#/$defs/N' } } } },
    ],
    policy: "  '*': { effect: read, allow: [{ scopes: [tools:read] }] }",
  })
})
afterAll(() => scene.close())

it('B29 the others stay listed, callable and checked', async () => {
  const listed = (await scene.gateway.send('tools/list')).json.result?.tools as { readonly name: string }[]
  expect(listed.map(({ name }) => name)).toEqual(['acme__one', 'acme__two'])
  expect((await scene.gateway.call('acme__two', { n: 1 })).json.result).not.toHaveProperty('isError')
  await expectRefused(scene, 'VALIDATION_ARGUMENTS', () => scene.gateway.call('acme__two', { n: 'x' }), { text: /\/n/ })
})

it.each(['output', 'input'])('B29 the %s tool is withheld, and the operator is told why', async name => {
  await expectRefused(scene, 'CATALOG_UNKNOWN_TOOL', () => scene.gateway.call(`acme__${name}`), { id: 1 })
  const [state] = scene.gateway.gateway.rooms().catalog.states()
  expect(state?.withheld.find(tool => tool.name === name)?.reason).toContain('$ref')
})
