import { expect, test } from 'vitest'
import { runTests } from '../../src/policy/index.ts'
import { GATEWAY, load, toolsFile } from './folder.ts'

const TOOLS = toolsFile(`get_*:
  effect: read
  allow: [{ scopes: [r] }]
set:
  effect: write
  allow: [{ scopes: [w], when: [{ argument: /x, atMost: 5 }] }]
`)

const run = async (cases: string, gateway = GATEWAY) =>
  runTests(
    await load({
      'gateway.yaml': gateway,
      'tools/github.yaml': TOOLS,
      'tests/all.yaml': `version: 1\nas:\n  reader: { scopes: [r] }\n  writer: { scopes: [w], claims: { org: acme } }\ncases:\n${cases}`,
    }),
  )

test.each([
  ['{ as: reader, call: github__get_x, expect: allow }'],
  ['{ as: reader, call: github__get_x, expect: allow, rule: "tools/github.yaml#/tools/get_*" }'],
  ['{ as: reader, call: github__set, expect: AUTH_SCOPE_INSUFFICIENT, rule: "tools/github.yaml#/tools/set/allow/0" }'],
  ['{ as: writer, call: github__set, with: { x: 5 }, expect: allow }'],
  ['{ as: writer, call: github__set, with: { x: 6 }, expect: POLICY_REFUSED, rule: "tools/github.yaml#/tools/set/allow/0/when/0" }'],
  ['{ as: writer, call: github__drop, expect: CATALOG_UNKNOWN_TOOL }'],
  ['{ as: writer, call: gitlab__set, with: { x: 1 }, expect: CATALOG_UNKNOWN_TOOL }'],
  ['{ as: writer, list: [github__set] }'],
  ['{ as: reader, list: [github__get_anything] }'],
])('passes: %s', async text => {
  expect(await run(`  - ${text}\n`)).toMatchObject({ passed: 1, failed: [] })
})

test.each([
  [
    '{ as: reader, call: github__set, expect: allow }',
    'reader: github__set: expected allow, got AUTH_SCOPE_INSUFFICIENT (tools/github.yaml#/tools/set/allow/0)',
  ],
  [
    '{ as: writer, call: github__set, with: { x: 6 }, expect: allow }',
    'writer: github__set: expected allow, got POLICY_REFUSED (tools/github.yaml#/tools/set/allow/0/when/0): /x must be a number, at most 5',
  ],
  [
    '{ as: writer, call: set, with: { x: 1 }, expect: allow }',
    'writer: set: expected allow, got CATALOG_UNKNOWN_TOOL: no entry of this name',
  ],
  [
    '{ as: writer, call: github__set, with: { x: 1 }, expect: allow, rule: "tools/github.yaml#/tools/se" }',
    'writer: github__set: allow as expected, but decided by tools/github.yaml#/tools/set/allow/0, not tools/github.yaml#/tools/se',
  ],
  ['{ as: writer, list: [github__get_x] }', 'writer: list: does not see github__get_x; also sees github__set'],
])('fails, with the line: %s', async (text, message) => {
  const report = await run(`  - { as: reader, list: [] }\n  - ${text}\n`)
  expect(report).toMatchObject({ passed: 1, failed: [{ file: 'tests/all.yaml', line: 7, message }] })
})

test('an endpoint that shows upstream names has tests in those names', async () => {
  const gateway = GATEWAY.replace('[github]', '[github]\n    names: upstream')
  expect(
    await run('  - { as: writer, call: set, with: { x: 1 }, expect: allow }\n  - { as: writer, list: [set] }\n', gateway),
  ).toMatchObject({
    passed: 2,
    failed: [],
  })
})

test("the tenant of a test's caller comes from the issuer's tenantClaim", async () => {
  const tools = toolsFile('set:\n  effect: write\n  allow: [{ scopes: [], when: [{ cel: \'principal.tenant == "acme"\' }] }]\n')
  const tests =
    'version: 1\nas: { ann: { claims: { org: acme } }, bob: {} }\ncases:\n  - { as: ann, call: github__set, expect: allow }\n  - { as: bob, call: github__set, expect: POLICY_REFUSED }\n'
  expect(runTests(await load({ 'tools/github.yaml': tools, 'tests/all.yaml': tests }))).toMatchObject({ passed: 2, failed: [] })
})
