/*
 * A schema bounded `amount` and left itself open, as schemas made by libraries are; a policy wanted `/force` to be absent. The call
 * said `Amount` and `Force`. To the gateway both were members that nobody had declared; the upstream, whose library matches names
 * without case (Go's and .NET's do), bound them to the fields, and ran with a value that neither schema nor policy had looked at.
 * So: a member that is a declared one in another spelling, at any depth the schema describes, is refused. Free-form maps stay free.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import { type Scene, startScene } from '../support/scene.ts'

const INPUT = {
  type: 'object',
  properties: {
    amount: { type: 'integer', maximum: 100 },
    force: { type: 'boolean' },
    maxResults: { type: 'integer' },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    to: { anyOf: [{ $ref: '#/$defs/Party' }, { type: 'null' }] },
    chain: { $ref: '#/$defs/Node' },
    lines: { type: 'array', items: { $ref: '#/$defs/Party' } },
  },
  $defs: {
    // From each to each, twice over: 2^30 ways down to the end of a chain of 30.
    Node: { type: 'object', properties: { Id: {}, next: { anyOf: [{ $ref: '#/$defs/Node' }, { $ref: '#/$defs/Other' }] } } },
    Other: { type: 'object', properties: { next: { anyOf: [{ $ref: '#/$defs/Node' }, { $ref: '#/$defs/Other' }] } } },
    Party: { type: 'object', properties: { name: { type: 'string' }, parent: { $ref: '#/$defs/Party' } } },
  },
}

const chainOf = (length: number, end: JsonObject): JsonObject => (length === 0 ? end : { next: chainOf(length - 1, end) })

let scene: Scene
beforeAll(async () => {
  const policy = '  pay: { effect: write, allow: [{ scopes: [tools:write], when: [{ argument: /force, absent: true }] }] }'
  scene = await startScene({ tools: [{ name: 'pay', description: 'Pays.', inputSchema: INPUT }], policy })
})
afterAll(() => scene.close())

it.each<JsonObject>([
  { Amount: 1_000_000 },
  { FORCE: true },
  { maxresults: 5 },
  { to: { Name: 'x' } },
  { chain: chainOf(30, { ID: 1 }) },
  { to: { parent: { parent: { NAME: 'x' } } } },
  { lines: [{ name: 'a' }, { nAme: 'b' }] },
])('%j is not sent', async args => {
  const before = scene.upstream.calls.length
  const answer = await scene.gateway.call('acme__pay', args)
  expect(answer.json.result).toMatchObject({ isError: true })
  expect(answer.text).toContain('a property name differs from a known one only by case')
  expect(scene.gateway.trail.last()).toMatchObject({ outcome: 'VALIDATION_ARGUMENTS', detail: { keyword: 'spelling' } })
  expect(scene.upstream.calls).toHaveLength(before)
})

it.each<JsonObject>([
  {},
  { amount: 100, maxResults: 5 },
  { other: 1, Other2: 2 },
  { chain: chainOf(30, { Id: 1, free: 1 }) },
  { labels: { Name: 'web', AMOUNT: 'x' } },
  { to: null, lines: [{ name: 'a', parent: { name: 'b', Extra: 1 } }] },
])('%j is sent', async args => {
  expect((await scene.gateway.call('acme__pay', args)).json.result?.isError).toBeUndefined()
})
