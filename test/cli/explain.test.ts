import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { registerExplain } from '../../src/cli/explain.ts'
import type { CommandIo } from '../../src/cli/io.ts'
import { explainArguments } from '../../src/validation/index.ts'
import { GATEWAY, itemsFile, toolsFile, withFolder } from '../policy/folder.ts'
import { approveIn } from './approve-in.ts'
import { runCommand } from './command.ts'

const folder = fileURLToPath(new URL('../../policies/examples/gateway', import.meta.url))
const register = (program: Command, io: CommandIo) => registerExplain(program, io, explainArguments)
const explain = (...args: string[]) => runCommand(register, ['explain', '--policies', folder, ...args])
/** What is said where nothing is approved yet. */
const unchecked = (alias: string) =>
  `\narguments not checked: pins/${alias}.lock.json does not exist, so nothing is approved and nothing can be called\n`

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
${unchecked('github')}`)
})

test('a caller can be described instead of named', async () => {
  const { stdout } = await explain('--as', '{"scopes":["billing:read"]}', '--call', 'billing__refund', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ decision: 'AUTH_SCOPE_INSUFFICIENT', scopes: ['billing:refund'] })
})

test('a name that policy does not know is said to be unknown', async () => {
  const { stdout } = await explain('--as', 'ann', '--call', 'github__drop')
  expect(stdout).toBe('github__drop: CATALOG_UNKNOWN_TOOL (no entry names it)\n')
  const near = await explain('--as', 'ann', '--call', 'github__create_isue')
  expect(near.stdout).toBe('github__create_isue: CATALOG_UNKNOWN_TOOL (no entry names it; did you mean "github__create_issue"?)\n')
})

describe('prompts and resources', () => {
  const docs = fileURLToPath(new URL('../../policies/examples/docs', import.meta.url))
  const explainDocs = (...args: string[]) => runCommand(register, ['explain', '--policies', docs, '--as', ...args])

  test('a prompt, with its arguments', async () => {
    const { stdout } = await explainDocs('reader', '--get', 'handbook__explain_page', '{"language":"fr"}')
    expect(stdout).toBe(`handbook__explain_page: POLICY_REFUSED by tools/handbook.yaml#/prompts/explain_page/allow/0/when/0

tools/handbook.yaml#/prompts/explain_page/allow/0
  yes  scope handbook:read  [tools/handbook.yaml#/prompts/explain_page/allow/0/scopes]
  no   /language must be one of "en", "de"  [tools/handbook.yaml#/prompts/explain_page/allow/0/when/0]
${unchecked('handbook')}`)
  })

  test('a resource, by the URI callers use', async () => {
    const { stdout } = await explainDocs('acme', '--read', 'files+share://globex/plans', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'resource',
      name: 'files+share://globex/plans',
      upstream: { alias: 'files', name: 'share://globex/plans' },
      decision: 'POLICY_REFUSED',
    })
    expect((await explainDocs('acme', '--read', 'files+mail://1')).stdout).toBe(
      'files+mail://1: CATALOG_UNKNOWN_RESOURCE (no entry names it)\n',
    )
  })

  test.each([[[]], [['--call', 'x', '--read', 'y']], [['--get', 'x', '--call', 'y']]])('one thing is asked about, not %j', async words => {
    expect(await explainDocs('acme', ...words)).toMatchObject({ exitCode: 2, stderr: 'say one of --call, --get and --read\n' })
  })

  const files = {
    'gateway.yaml': GATEWAY,
    'tools/github.yaml': itemsFile({
      prompts: '"*": { allow: [{ scopes: [] }] }\n',
      resources: '"*": { allow: [{ scopes: [] }] }\n"web://*": { unlisted: true, allow: [{ scopes: [] }] }\n',
    }),
  }

  test.each([
    ['--read', 'github+file:///a', 'the resource is approved'],
    ['--read', 'github+db://users/1', 'the template db://{table}/{id} is approved, and this is one of its resources'],
    ['--read', 'github+db://{table}/{id}', 'the template db://{table}/{id} is approved, and this is one of its resources'],
    [
      '--read',
      'github+file:///b',
      'nothing that is approved names this URI, and its entry is not `unlisted: true`, so callers are told that it is unknown',
    ],
    ['--read', 'github+web://b', 'nothing that is approved names this URI; its entry is `unlisted: true`, so it may be read all the same'],
    ['--get', 'github__sum', 'the prompt is approved'],
    ['--get', 'github__other', 'arguments not checked: this prompt is not approved, so callers are told that it is unknown'],
  ])('beside what is approved: %s %s', async (word, name, says) => {
    await withFolder(files, async directory => {
      await approveIn(directory, {}, undefined, [
        ['prompt', { name: 'sum' }],
        ['resource', { uri: 'file:///a', name: 'a' }],
        ['resourceTemplate', { uriTemplate: 'db://{table}/{id}', name: 'rows' }],
      ])
      const { stdout } = await runCommand(register, ['explain', '--policies', directory, '--as', '{}', word, name])
      expect(stdout.split('\n').at(-2)).toBe(says)
    })
  })
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

describe('where a lock file is', () => {
  const files = {
    'gateway.yaml': GATEWAY.replace('[github]', '[github]\n    anonymous: { scopes: [a] }'),
    'tools/github.yaml': toolsFile('get_*:\n  effect: read\n  allow: [{ scopes: [a] }]\n'),
  }
  const schema = { type: 'object', properties: { count: { type: 'integer' } }, additionalProperties: false }
  const explainIn = (tool: string, args: string, url?: string) =>
    withFolder(files, async directory => {
      await approveIn(directory, { get_issue: schema }, url)
      return (await runCommand(register, ['explain', '--policies', directory, '--as', 'anonymous', '--call', tool, args])).stdout
    })

  test('the arguments are checked against the approved schema', async () => {
    expect(await explainIn('github__get_issue', '{"count":1}')).toContain('\nthe arguments fit the approved schema\n')
    const unfit = 'VALIDATION_ARGUMENTS by the approved schema: The arguments do not fit this tool.\n- /count must be an integer'
    expect(await explainIn('github__get_issue', '{"count":"1"}')).toContain(unfit)
  })

  test('a tool that nobody approved, here or at this URL, is said to be unknown to callers', async () => {
    const says = '\narguments not checked: this tool is not approved, so callers are told that it is unknown\n'
    expect(await explainIn('github__get_user', '{}')).toContain(says)
    expect(await explainIn('github__get_issue', '{}', 'https://other.test/mcp')).toContain(says)
  })
})

test('--as anonymous is whom an endpoint lets in without a token, and nobody where none does', async () => {
  const words = ['--as', 'anonymous', '--call', 'github__get']
  const files = {
    'gateway.yaml': GATEWAY.replace(
      'endpoints:',
      'endpoints:\n  - { path: /open, upstreams: [github], anonymous: { scopes: [a] } }\n  - { path: /more, upstreams: [github], anonymous: { scopes: [b] } }',
    ),
    'tools/github.yaml': toolsFile('get:\n  effect: read\n  allow: [{ scopes: [a] }]\n'),
  }
  const { stdout } = await withFolder(files, directory => runCommand(register, ['explain', '--policies', directory, ...words]))
  expect(stdout).toContain('github__get: allow by tools/github.yaml#/tools/get/allow/0\n')
  expect(await explain(...words)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('no such caller') })
})

test('what was approved for everybody is not approved for a class of its own', async () => {
  const variants = `    variants: [{ name: acme, claims: { org: { equals: acme } }, credential: { bearer: "\${NOT_NEEDED}" } }]\n`
  const files = { 'gateway.yaml': GATEWAY + variants, 'tools/github.yaml': toolsFile('send: { effect: read, allow: [{ scopes: [] }] }\n') }
  await withFolder(files, async directory => {
    await approveIn(directory, { send: { type: 'object' } })
    const approvalFor = async (org: string) =>
      (
        await runCommand(register, [
          'explain',
          '--policies',
          directory,
          '--as',
          JSON.stringify({ claims: { org } }),
          '--call',
          'github__send',
        ])
      ).stdout
    expect(await approvalFor('globex')).toContain('the arguments fit the approved schema')
    expect(await approvalFor('acme')).toContain('this tool is not approved')
  })
})
