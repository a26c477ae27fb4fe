import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { registerCheck } from '../../src/cli/check.ts'
import type { JsonObject } from '../../src/core/json.ts'
import type { ItemKind } from '../../src/core/model.ts'
import { GATEWAY, itemsFile, toolsFile, withFolder } from '../policy/folder.ts'
import { approveIn } from './approve-in.ts'
import { runCommand } from './command.ts'

const folder = (name: string) => fileURLToPath(new URL(`../../policies/${name}`, import.meta.url))
const check = (directory: string, ...args: string[]) => runCommand(registerCheck, ['check', '--policies', directory, ...args])

test('a good folder is summed up in a line', async () => {
  const { stdout, exitCode } = await check(folder('examples/sidecar'))
  expect(stdout).toMatch(/^3 files, no faults: 1 endpoint, 1 upstream, 4 tools; revision [0-9a-f]{16}\n$/)
  expect(exitCode).toBe(0)
  expect((await check(folder('examples/docs'))).stdout).toContain('2 upstreams, 1 tool, 2 prompts, 5 resources;')
})

test('every fault is printed as file:line:column, and the exit code is 2', async () => {
  expect(await check(folder('bad/alias-unknown'))).toEqual({
    stdout: 'policies/bad/alias-unknown/gateway.yaml:5:17  there is no upstream "githb"; did you mean "github"?\n\n1 fault\n',
    stderr: '',
    exitCode: 2,
  })
})

test('json has the same faults, and an empty list when there are none', async () => {
  const { stdout, exitCode } = await check(folder('bad/alias-unknown'), '--format', 'json')
  const fault = {
    file: 'gateway.yaml',
    line: 5,
    column: 17,
    message: 'there is no upstream "githb"; did you mean "github"?',
    code: 'reference',
  }
  expect(JSON.parse(stdout)).toEqual({ faults: [fault], notes: [] })
  expect(exitCode).toBe(2)
  expect(JSON.parse((await check(folder('examples/sidecar'), '--format', 'json')).stdout)).toEqual({ faults: [], notes: [] })
})

test('sarif puts each fault beside its line', async () => {
  const log = JSON.parse((await check(folder('bad/many'), '--format', 'sarif')).stdout)
  expect(log.version).toBe('2.1.0')
  const [run] = log.runs
  expect(run.results.length).toBeGreaterThan(5)
  expect(run.results[0].locations[0].physicalLocation).toEqual({
    artifactLocation: { uri: 'gateway.yaml', uriBaseId: 'POLICIES' },
    region: { startLine: 2, startColumn: 12 },
  })
  const ids = run.tool.driver.rules.map((rule: { id: string }) => rule.id)
  for (const result of run.results) expect(ids).toContain(result.ruleId)
})

test('credentials are read unless told otherwise', async () => {
  const resolved = await check(folder('examples/gateway'))
  expect([resolved.exitCode, resolved.stdout]).toEqual([2, expect.stringContaining('the variable BILLING_KEY is not set')])
  expect((await check(folder('examples/gateway'), '--skip-credentials')).exitCode).toBe(0)
})

test('a folder that is not there is named', async () => {
  const { stdout, exitCode } = await check('/nope')
  expect([stdout, exitCode]).toEqual([
    '/nope/gateway.yaml:1:1  the folder does not exist; `wicketgate init` makes a first one\n\n1 fault\n',
    2,
  ])
})

test('an anonymous endpoint is pointed out', async () => {
  const gateway = GATEWAY.replace('[github]', '[github]\n    anonymous: {}')
  const { stdout } = await withFolder({ 'gateway.yaml': gateway }, directory => check(directory))
  expect(stdout).toContain('note: /mcp serves callers without a token; only a loopback listener may\n')
})

test('every command takes the folder that serve would take', async () => {
  const { stdout } = await runCommand(registerCheck, ['check'], { WICKETGATE_POLICIES: folder('examples/sidecar') })
  expect(stdout).toContain('no faults')
})

describe('where a lock file is, what does not fit it is noted, and the exit code stays 0', () => {
  const text = { type: 'object', properties: { text: { type: 'string' }, at: { type: 'object', properties: { room: {} } } } }
  const withSchema = (more: JsonObject) => ({ ...text, ...more })
  const allow = (pointer: string, more = ', like: x') =>
    `get:\n  effect: read\n  allow: [{ scopes: [], when: [{ argument: ${pointer}${more} }] }]\n`

  async function notes(tools: string, schemas: Readonly<Record<string, JsonObject>>, url?: string): Promise<readonly string[]> {
    const files = { 'gateway.yaml': GATEWAY, 'tools/github.yaml': toolsFile(tools) }
    return withFolder(files, async directory => {
      await approveIn(directory, schemas, url)
      const { stdout, exitCode } = await check(directory)
      expect(exitCode).toBe(0)
      const [summary, ...lines] = stdout.replaceAll(`${directory}/`, '').trimEnd().split('\n')
      expect(summary).toContain('no faults')
      return lines
    })
  }

  test.each<[what: string, tools: string, schemas: Readonly<Record<string, JsonObject>>, notes: readonly string[]]>([
    ['nothing', allow('/text'), { get: text }, []],
    [
      'a name that is nobody’s, and a tool that has none',
      'gte: { effect: read }\n',
      { get: text },
      [
        'tools/github.yaml:3:1  note: "get" is approved and has no entry here, so nobody can call it',
        'tools/github.yaml:4:3  note: no approved tool is called "gte"; did you mean "get"?',
      ],
    ],
    [
      'a pattern that fits nothing',
      'set*: { effect: read }\n"*": { effect: read }\n',
      { get: text },
      ['tools/github.yaml:4:3  note: "set*" is the rule of no approved tool'],
    ],
    [
      'an argument that is not there',
      allow('/txet'),
      { get: text },
      ['tools/github.yaml:6:46  note: the approved schema of "get" has no /txet; did you mean "text"?'],
    ],
    [
      'one further down, as key and as what is kept',
      'get: { effect: read, idempotency: { key: /at/rom }, audit: { keep: [/text, /no] } }\n',
      { get: text },
      [
        'tools/github.yaml:4:44  note: the approved schema of "get" has no /at/rom; did you mean "room"?',
        'tools/github.yaml:4:78  note: the approved schema of "get" has no /no',
      ],
    ],
    [
      'one that none of the tools of a pattern has',
      allow('/no').replace('get:', 'g*:'),
      { get: text, got: text },
      ['tools/github.yaml:6:46  note: no approved schema of these tools has /no'],
    ],
    ['not one that some have', allow('/no').replace('get:', 'g*:'), { get: text, got: { type: 'object', properties: { no: {} } } }, []],
    ['not one that must be absent', allow('/no', ', absent: true'), { get: text }, []],
    ...[
      { additionalProperties: true },
      { additionalProperties: { type: 'string' } },
      { patternProperties: { '^n': {} } },
      { allOf: [{ properties: { no: {} } }] },
      { $ref: '#/$defs/no', $defs: { no: { properties: { no: {} } } } },
    ].map((more): [string, string, Record<string, JsonObject>, string[]] => [
      `not one that may be there: ${Object.keys(more)[0]}`,
      allow('/no'),
      { get: withSchema(more) },
      [],
    ]),
    [
      'also where the schema is closed',
      allow('/no'),
      { get: withSchema({ additionalProperties: false }) },
      [expect.stringContaining('has no /no')],
    ],
    ['nothing of a part that says nothing', allow('/at/room/no'), { get: text }, []],
  ])('%s', async (_, tools, schemas, expected) => {
    expect(await notes(tools, schemas)).toEqual(expected)
  })

  describe('of prompts and resources', () => {
    const approved: readonly (readonly [ItemKind, JsonObject])[] = [
      ['prompt', { name: 'sum', arguments: [{ name: 'text' }, { name: 'style', required: true }] }],
      ['prompt', { name: 'bare' }],
      ['resource', { uri: 'file:///docs/a', name: 'a' }],
      ['resource', { uri: 'db://orders/7', name: 'an order' }],
      ['resourceTemplate', { uriTemplate: 'db://{table}/{id}', name: 'rows' }],
    ]
    const complete = {
      prompts: 'sum: {}\nbare: {}\n',
      resources: '"file:///docs/*": {}\n"db://{table}/{id}": {}\n',
    }

    async function notesOf(bodies: Parameters<typeof itemsFile>[0]): Promise<readonly string[]> {
      return withFolder({ 'gateway.yaml': GATEWAY, 'tools/github.yaml': itemsFile(bodies) }, async directory => {
        await approveIn(directory, {}, undefined, [...approved, ['server', { instructions: 'be kind' }]])
        const { stdout } = await check(directory)
        return stdout.replaceAll(`${directory}/tools/github.yaml:`, '').trimEnd().split('\n').slice(1)
      })
    }

    test.each<[what: string, bodies: Parameters<typeof itemsFile>[0], notes: readonly string[]]>([
      ['nothing; a template rules what is listed of it', complete, []],
      [
        'a whole map that is not there, in one line',
        { tools: '{}\n' },
        [
          '1:1  note: 2 prompts are approved and there is no `prompts` here, so nobody can use them',
          '1:1  note: 3 resources are approved and there is no `resources` here, so nobody can use them',
        ],
      ],
      [
        'what has no entry',
        { prompts: 'sum: {}\n', resources: '"file:///*": {}\n' },
        [
          '3:1  note: "bare" is approved and has no entry here, so nobody can get it',
          '5:1  note: "db://orders/7" is approved and has no entry here, so nobody can read it',
          '5:1  note: "db://{table}/{id}" is approved and has no entry here, so no list shows it',
        ],
      ],
      [
        'keys of nothing',
        {
          prompts: `${complete.prompts}summ: {}\nx*: {}\n`,
          resources: `${complete.resources}"file:///dcos/a": {}\n"web://*": {}\n"rows://{id}": {}\n`,
        },
        [
          '6:3  note: no approved prompt is called "summ"',
          '7:3  note: "x*" is the rule of no approved prompt',
          '11:3  note: no approved resource or template is "file:///dcos/a"; did you mean "file:///docs/a"?',
          '12:3  note: "web://*" is the rule of no approved resource',
          '13:3  note: no approved resource or template is "rows://{id}"',
        ],
      ],
      [
        'not keys of what a template may stand for, nor of what nothing has to name',
        {
          ...complete,
          resources: `${complete.resources}"db://orders/8": {}\n"db://users/*": {}\n"d*": {}\n"web://*": { unlisted: true }\n`,
        },
        [],
      ],
      [
        'an argument that a prompt does not have',
        {
          ...complete,
          prompts:
            'sum:\n  allow: [{ scopes: [], when: [{ argument: /txet, like: x }, { argument: /style, like: x }] }]\n  audit: { keep: [/text/deep] }\nbare:\n  audit: { keep: [/any] }\n',
        },
        [
          '5:46  note: the approved prompt "sum" has no /txet; did you mean "text"?',
          '6:21  note: the approved prompt "sum" has no /text/deep',
          '8:21  note: the approved prompt "bare" has no /any',
        ],
      ],
    ])('%s', async (_, bodies, expected) => {
      expect(await notesOf(bodies)).toEqual(expected)
    })
  })

  test('a server at another URL, in one line instead of one for each tool', async () => {
    expect(await notes(allow('/no'), { got: text }, 'https://elsewhere.test/mcp')).toEqual([
      'gateway.yaml:11:10  note: pins/github.lock.json is about a server at another URL: nothing in it counts',
    ])
  })

  test('a server without a tools file', async () => {
    const lines = await withFolder({ 'gateway.yaml': GATEWAY }, async directory => {
      await approveIn(directory, { get: text })
      return (await check(directory)).stdout
    })
    expect(lines).toContain('gateway.yaml:10:3  note: there is no tools/github.yaml, so nobody can use what is approved of it\n')
  })

  test('in json and in sarif they stand apart from faults', async () => {
    await withFolder({ 'gateway.yaml': GATEWAY, 'tools/github.yaml': toolsFile('gte: { effect: read }\n') }, async directory => {
      await approveIn(directory, { gte: text, got: text })
      const note = {
        file: 'tools/github.yaml',
        line: 3,
        column: 1,
        message: '"got" is approved and has no entry here, so nobody can call it',
      }
      expect(JSON.parse((await check(directory, '--format', 'json')).stdout)).toEqual({ faults: [], notes: [note] })
      const [run] = JSON.parse((await check(directory, '--format', 'sarif')).stdout).runs
      expect(run.results).toMatchObject([{ ruleId: 'approved', level: 'note', message: { text: note.message } }])
    })
  })

  test('a lock file with faults is a fault', async () => {
    const files = { 'gateway.yaml': GATEWAY, 'pins/github.lock.json': '{"version":3}' }
    const { stdout, exitCode } = await withFolder(files, directory => check(directory))
    expect([exitCode, stdout]).toEqual([2, expect.stringMatching(/pins\/github\.lock\.json:1:\d+ .*this release reads version 1/)])
  })
})
