/*
 * A gateway's own check of descriptors knew `type` as one word, so tools with `"type": ["number", "null"]` vanished without a trace;
 * others took OpenAPI's `nullable` for a keyword, or stumbled over a property of that name.
 * So: a list of types is one; `nullable` is an annotation, and null is refused with a path where only it would allow it.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene({
    tools: [
      {
        name: 'set',
        inputSchema: {
          type: 'object',
          properties: {
            either: { type: ['number', 'null'] },
            choice: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
            annotated: { type: 'string', nullable: true },
            nullable: { type: 'boolean' },
          },
        },
      },
    ],
    policy: "  '*': { effect: read, allow: [{ scopes: [tools:read] }] }",
  })
})
afterAll(() => scene.close())

it.each([{ either: null, choice: null }, { either: 1.5, choice: 'a', annotated: 'b', nullable: true }, {}])(
  'B31 %j goes through',
  async args => {
    expect((await scene.gateway.call('acme__set', args)).json.result).not.toHaveProperty('isError')
    expect(scene.upstream.calls.at(-1)?.message.params.arguments).toEqual(args)
  },
)

it.each([
  [{ annotated: null }, /\/annotated must be a string/],
  [{ nullable: null }, /\/nullable must be a boolean/],
  [{ either: 'x', choice: 1 }, /\/either must be a number or null[\s\S]*\/choice must be a string or null/],
])('B31 %j is refused', async (args, text) => {
  await expectRefused(scene, 'VALIDATION_ARGUMENTS', () => scene.gateway.call('acme__set', args), { text })
})
