/*
 * What `${…}` puts into a rule is told to nobody, and most of it was not. Three things were: the claim of an `equalsClaim`, the path of an
 * `argument`, and the arguments that a CEL expression looks at, where these came from a variable or a file.
 * So: a caller, and whoever reads an explanation, is told only what is written in the policy itself.
 */
import { expect, it } from 'vitest'
import { Refusal } from '../../src/core/errors.ts'
import { explain } from '../../src/policy/index.ts'
import { call, load, principal, tool, toolsFile } from '../policy/folder.ts'

it.each([
  [`{ argument: /x, equalsClaim: "\${SECRET}" }`, '/x is required'],
  [`{ argument: "/\${SECRET}", equalsClaim: org }`, 'an argument is not allowed'],
  [`{ argument: "/\${SECRET}", atMost: 3 }`, 'an argument is not allowed'],
  [`{ argument: /x, in: [a, "\${SECRET}"] }`, '/x is required'],
  [`{ cel: "args.\${SECRET} == 1" }`, 'a condition on the call does not hold'],
  ['{ argument: /x, equalsClaim: org }', '/x is required, and must equal the claim org of your token'],
  ['{ cel: "args.x == 1" }', 'a condition on /x does not hold'],
])('%s: %s', async (condition, told) => {
  const tools = toolsFile(`pay: { effect: read, allow: [{ scopes: [], when: [${condition}] }] }`)
  const loaded = await load({ 'tools/github.yaml': tools }, { environment: { SECRET: 'cAnary' } })
  let refusal: unknown
  try {
    loaded.policy.grant(principal(), tool('pay'), call('github__pay'))
  } catch (error) {
    refusal = error
  }
  expect(refusal).toBeInstanceOf(Refusal)
  expect((refusal as Refusal).open.text).toBe(`Refused by policy: ${told}.`)
  expect(JSON.stringify(explain(loaded, principal(), { kind: 'tool', name: 'github__pay', args: {} }))).not.toContain('cAnary')
})
