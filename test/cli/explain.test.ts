import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { registerExplain } from '../../src/cli/explain.ts'
import { runCommand } from './command.ts'

const folder = fileURLToPath(new URL('../../policies/examples/gateway', import.meta.url))
const explain = (...args: string[]) => runCommand(registerExplain, ['explain', '--policies', folder, ...args])

test('each condition is shown with its outcome and address, also after the first that fails', async () => {
  const { stdout, exitCode } = await explain(
    '--as',
    'ann',
    '--call',
    'github__create_issue',
    '{"repo":"other/web","tenant":"acme","labels":[1,2,3,4,5,6]}',
  )
  expect(exitCode).toBe(0)
  expect(stdout).toBe(`github__create_issue: POLICY_REFUSED by tools/github.yaml#/tools/create_issue/allow/0/when/0

tools/github.yaml#/tools/create_issue/allow/0 (own-org)
  yes  claim org must be one of "acme", "globex"  [tools/github.yaml#/tools/create_issue/allow/0/claims/org]
  yes  scope issues:write  [tools/github.yaml#/tools/create_issue/allow/0/scopes]
  no   /repo must be like "acme/*"  [tools/github.yaml#/tools/create_issue/allow/0/when/0]
  yes  /tenant must equal the claim org  [tools/github.yaml#/tools/create_issue/allow/0/when/1]
  no   cel: size(args.labels) <= 5  [tools/github.yaml#/tools/create_issue/allow/0/when/2]

tools/github.yaml#/tools/create_issue/allow/1 (bots)
  no   claim /realm/roles must be a list that contains "issue-bot"  [tools/github.yaml#/tools/create_issue/allow/1/claims/~1realm~1roles]
  no   scope issues:bot  [tools/github.yaml#/tools/create_issue/allow/1/scopes]
  yes  scope issues:write  [tools/github.yaml#/tools/create_issue/allow/1/scopes]
`)
})

test('a caller can be described instead of named', async () => {
  const { stdout } = await explain('--as', '{"scopes":["billing:read"]}', '--call', 'billing__refund', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ decision: 'AUTH_SCOPE_INSUFFICIENT', scopes: ['billing:refund'] })
})

test('a name that policy does not know is said to be unknown', async () => {
  const { stdout } = await explain('--as', 'ann', '--call', 'github__drop')
  expect(stdout).toBe('github__drop: CATALOG_UNKNOWN_TOOL (no entry names it)\n')
})

test.each([
  [['--as', 'zoe', '--call', 'x'], 'no such caller'],
  [['--as', '{"scope":[]}', '--call', 'x'], 'no such caller'],
  [['--as', 'ann', '--call', 'x', '[1]'], 'not a JSON object'],
  [['--as', 'ann', '--call', 'x', '{"a":1,"a":2}'], 'not a JSON object'],
])('%j is refused with exit code 2', async (args, message) => {
  const { stderr, exitCode } = await explain(...args)
  expect(stderr).toContain(message)
  expect(exitCode).toBe(2)
})
