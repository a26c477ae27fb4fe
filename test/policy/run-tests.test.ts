import { describe, expect, test } from 'vitest'
import { runTests } from '../../src/policy/index.ts'
import { GATEWAY, itemsFile, load, toolsFile } from './folder.ts'

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

describe('prompts and resources', () => {
  const items = itemsFile({
    prompts:
      'sum:\n  allow: [{ scopes: [r], when: [{ argument: /x, equals: a }] }]\nask_*:\n  discoverable: true\n  allow: [{ scopes: [w] }]\n',
    resources:
      '"file:///a":\n  allow: [{ scopes: [r] }]\n"db://{id}":\n  allow: [{ scopes: [r], when: [{ argument: /uri, like: "db://1*" }] }]\n"file:///docs/*":\n  allow: [{ scopes: [r] }]\n"web://x":\n  unlisted: true\n  allow: [{ scopes: [r] }]\n',
  })
  const runItems = async (cases: string, gateway = GATEWAY) =>
    runTests(
      await load({
        'gateway.yaml': gateway,
        'tools/github.yaml': items,
        'tests/all.yaml': `version: 1\nas:\n  reader: { scopes: [r] }\n  writer: { scopes: [w] }\ncases:\n${cases}`,
      }),
    )

  test.each([
    ['{ as: reader, get: github__sum, with: { x: a }, expect: allow, rule: "tools/github.yaml#/prompts/sum" }'],
    ['{ as: reader, get: github__sum, with: { x: b }, expect: POLICY_REFUSED }'],
    ['{ as: reader, get: github__ask_me, expect: AUTH_SCOPE_INSUFFICIENT }'],
    ['{ as: reader, call: github__sum, expect: CATALOG_UNKNOWN_TOOL }'],
    ['{ as: reader, get: github__other, expect: CATALOG_UNKNOWN_PROMPT }'],
    ['{ as: reader, read: "github+db://17", expect: allow, rule: "tools/github.yaml#/resources/db:~1~1{id}/allow/0" }'],
    ['{ as: reader, read: "github+db://7", expect: POLICY_REFUSED, rule: "tools/github.yaml#/resources/db:~1~1{id}/allow/0/when/0" }'],
    ['{ as: reader, read: "github+file:///docs/x", expect: allow }'],
    ['{ as: reader, read: "github+web://x", expect: allow }'],
    ['{ as: reader, read: "gitlab+file:///a", expect: CATALOG_UNKNOWN_RESOURCE }'],
    ['{ as: reader, read: "file:///a", expect: CATALOG_UNKNOWN_RESOURCE }'],
    ['{ as: reader, prompts: [github__sum, github__ask_me] }'],
    ['{ as: writer, prompts: [github__ask_you] }'],
    ['{ as: reader, resources: ["github+file:///a", "github+db://{id}"] }'],
    ['{ as: reader, resources: ["github+file:///a", "github+db://{id}", "github+file:///docs/x", "github+web://x"] }'],
    ['{ as: writer, resources: [] }'],
    ['{ as: reader, list: [] }'],
  ])('passes: %s', async text => {
    expect(await runItems(`  - ${text}\n`)).toMatchObject({ passed: 1, failed: [] })
  })

  test.each([
    [
      '{ as: reader, get: github__sum, expect: CATALOG_UNKNOWN_TOOL }',
      'reader: github__sum: expected CATALOG_UNKNOWN_TOOL, got POLICY_REFUSED (tools/github.yaml#/prompts/sum/allow/0/when/0): /x is required, and must equal "a"',
    ],
    [
      '{ as: reader, read: "github+db://7", expect: allow }',
      'reader: github+db://7: expected allow, got POLICY_REFUSED (tools/github.yaml#/resources/db:~1~1{id}/allow/0/when/0): /uri must be like "db://1*"',
    ],
    ['{ as: reader, prompts: [github__ask_me] }', 'reader: prompts: also sees github__sum'],
    [
      '{ as: reader, resources: ["github+file:///b", "github+file:///a"] }',
      'reader: resources: does not see github+file:///b; also sees github+db://{id}',
    ],
  ])('fails: %s', async (text, message) => {
    expect(await runItems(`  - ${text}\n`)).toMatchObject({ passed: 0, failed: [{ message }] })
  })

  test('in their own names where an endpoint shows those, and behind a letter where the alias begins with a digit', async () => {
    const bare = GATEWAY.replace('[github]', '[github]\n    names: upstream')
    const cases = '  - { as: reader, read: "file:///a", expect: allow }\n  - { as: reader, get: sum, with: { x: a }, expect: allow }\n'
    expect(await runItems(cases, bare)).toMatchObject({ passed: 2, failed: [] })
    const digits = await load({
      'gateway.yaml': GATEWAY.replaceAll(/\bgithub(?=[\]:])/g, '7th'),
      'tools/7th.yaml': items.replace('upstream: github', 'upstream: 7th'),
      'tests/all.yaml': 'version: 1\nas: { a: { scopes: [r] } }\ncases:\n  - { as: a, read: "x.7th+file:///a", expect: allow }\n',
    })
    expect(runTests(digits)).toMatchObject({ passed: 1, failed: [] })
  })

  test('a case about what no entry names passes with a note, and the nearest name', async () => {
    const { notes } = await runItems(
      '  - { as: reader, read: "github+file:///b", expect: CATALOG_UNKNOWN_RESOURCE }\n  - { as: reader, get: github__smu, expect: CATALOG_UNKNOWN_PROMPT }\n',
    )
    expect(notes.map(({ message }) => message)).toEqual([
      'no entry names github+file:///b; did you mean "github+file:///a"?',
      'no entry names github__smu; did you mean "github__sum"?',
    ])
  })
})
