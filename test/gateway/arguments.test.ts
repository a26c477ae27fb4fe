import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'

const TOOL = {
  name: 'make',
  inputSchema: {
    type: 'object',
    properties: {
      ids: { type: 'array', items: { type: 'integer' } },
      n: { type: 'integer', maximum: 10, default: 7 },
      color: { enum: ['red', 'green'] },
      nested: { type: 'object', properties: { deep: { type: 'string', maxLength: 3 } } },
    },
    required: ['n'],
    additionalProperties: false,
  },
}
const PROTOTYPE = {
  name: 'proto',
  inputSchema: { type: 'object', required: ['toString'], properties: { hasOwnProperty: { type: 'string' } } },
}

const SLOW = { name: 'slow', inputSchema: { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } } }

let scene: Scene
beforeAll(async () => {
  scene = await startScene({
    tools: [TOOL, PROTOTYPE, SLOW],
    policy:
      '  make: { effect: write, allow: [{ scopes: [tools:write] }] }\n  proto: { effect: write, allow: [{ scopes: [tools:write] }] }\n  slow: { effect: read, allow: [{ scopes: [tools:read] }] }',
  })
})
afterAll(() => scene.close())

const SECRET = 'SENTINEL-VALUE'
const refused = async (name: string, args: object, text: RegExp) => {
  const answer = await expectRefused(scene, 'VALIDATION_ARGUMENTS', () => scene.gateway.call(`acme__${name}`, args as never), { text })
  expect(answer.text).not.toContain(SECRET)
}

describe('arguments that do not fit', () => {
  it.each([
    ['a missing one', {}, /\bn\b/],
    ['one of another type', { n: SECRET }, /\/n/],
    ['one that is too large', { n: 11 }, /\/n.*10/],
    ['a value that is not on the list', { n: 1, color: SECRET }, /\/color.*red/],
    ['one deep inside', { n: 1, nested: { deep: SECRET } }, /\/nested\/deep/],
    ['a list with a wrong item', { n: 1, ids: [1, SECRET] }, /\/ids\/1/],
    ['B33 a list that is text', { n: 1, ids: '[1,2]' }, /\/ids/],
    ['B33 a number that is text', { n: '5' }, /\/n/],
    ['A-47 one that nobody declared', { n: 1, [SECRET]: true }, /not allowed.*known are/],
    ['null', { n: null }, /\/n/],
  ])('%s: the model is told which path and what is allowed, never a value [REQ-TOOLS-INPUT]', async (_, args, text) => {
    await refused('make', args, text)
  })

  it.each([28, 50_000])('A-42 a text that a pattern was made for is judged like any other: %i times a', async length => {
    await refused('slow', { a: `${'a'.repeat(length)}!` }, /\/a must match/)
    expect((await scene.gateway.call('acme__slow', { a: 'a'.repeat(length) })).json.result).not.toHaveProperty('isError')
  })

  it('several: all are told at once', async () => {
    await refused('make', { n: 'x', color: 1 }, /\/n[\s\S]*\/color|\/color[\s\S]*\/n/)
  })

  it('A-47 a required member is not found on the prototype', async () => {
    await refused('proto', {}, /toString/)
    await refused('proto', { toString: 1, hasOwnProperty: 1 }, /hasOwnProperty/)
    expect((await scene.gateway.call('acme__proto', { toString: 1 })).json.result).not.toHaveProperty('isError')
  })
})

describe('arguments that fit', () => {
  it('A-47 are forwarded as they were sent: no default is put in, nothing is converted or removed', async () => {
    await scene.gateway.call('acme__make', { n: 5 })
    expect(scene.upstream.calls.at(-1)?.message.params.arguments).toEqual({ n: 5 })
    await scene.gateway.call('acme__proto', { toString: 1, more: [true] })
    expect(scene.upstream.calls.at(-1)?.message.params.arguments).toEqual({ toString: 1, more: [true] })
  })
})
