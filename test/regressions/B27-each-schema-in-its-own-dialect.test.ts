/*
 * A validator that knows one dialect refused every tool that declared another, draft-07 before a 2020-12 validator or the reverse,
 * and the whole server was unusable. Stripping `$schema` is no way out: a tuple of one dialect says nothing in the other.
 * So: each schema is enforced under the dialect it names, 2020-12 where it names none; a dialect that nobody knows withholds that
 * tool alone, with a reason.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'

const withTuple = (name: string, tuple: object, $schema?: string) => ({
  name,
  inputSchema: { ...($schema === undefined ? {} : { $schema }), type: 'object', properties: { pair: { type: 'array', ...tuple } } },
})
const NEW = { prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false }
const OLD = { items: [{ type: 'string' }, { type: 'integer' }], additionalItems: false }

let scene: Scene
beforeAll(async () => {
  scene = await startScene({
    tools: [
      withTuple('draft-07', OLD, 'http://json-schema.org/draft-07/schema#'),
      withTuple('2020-12', NEW, 'https://json-schema.org/draft/2020-12/schema'),
      withTuple('unsaid', NEW),
      withTuple('draft-03', OLD, 'http://json-schema.org/draft-03/schema#'),
    ],
    policy: "  '*': { effect: read, allow: [{ scopes: [tools:read] }] }",
  })
})
afterAll(() => scene.close())

it.each(['draft-07', '2020-12', 'unsaid'])('B27 a tuple of %s means what it says', async name => {
  expect((await scene.gateway.call(`acme__${name}`, { pair: ['a', 1] })).json.result).not.toHaveProperty('isError')
  await expectRefused(scene, 'VALIDATION_ARGUMENTS', () => scene.gateway.call(`acme__${name}`, { pair: ['a', 'b'] }), { text: /\/pair\/1/ })
  await expectRefused(scene, 'VALIDATION_ARGUMENTS', () => scene.gateway.call(`acme__${name}`, { pair: ['a', 1, 2] }), { text: /\/pair/ })
})

it('B27 a dialect that nobody knows withholds its tool, and says so', async () => {
  await expectRefused(scene, 'CATALOG_UNKNOWN_TOOL', () => scene.gateway.call('acme__draft-03', { pair: ['a', 1] }), { id: 1 })
  const [state] = scene.gateway.gateway.rooms().catalog.states()
  expect(state?.withheld).toMatchObject([{ name: 'draft-03', reason: expect.stringContaining('dialect') }])
})
