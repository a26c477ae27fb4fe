import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { registerTest } from '../../src/cli/test.ts'
import { GATEWAY, toolsFile, withFolder } from '../policy/folder.ts'
import { runCommand } from './command.ts'

const folder = (name: string) => fileURLToPath(new URL(`../../policies/${name}`, import.meta.url))
const run = (directory: string) => runCommand(registerTest, ['test', '--policies', directory])

test('passing cases are counted; no credential is needed for it', async () => {
  expect(await run(folder('examples/gateway'))).toEqual({ stdout: '14 cases passed\n', stderr: '', exitCode: 0 })
})

test('each failing case is printed with file and line, and the exit code is 1', async () => {
  const files = {
    'gateway.yaml': GATEWAY,
    'tests/all.yaml': 'version: 1\nas: { ann: {} }\ncases:\n  - { as: ann, list: [] }\n  - { as: ann, call: github__get, expect: allow }\n',
  }
  await withFolder(files, async directory => {
    const failure = `${directory}/tests/all.yaml:5  ann: github__get: expected allow, got CATALOG_UNKNOWN_TOOL: no entry of this name`
    expect(await run(directory)).toEqual({ stdout: `${failure}\n\n1 case passed, 1 failed\n`, stderr: '', exitCode: 1 })
  })
})

test('a case about a tool that no entry names passes with a note: nothing could make it fail', async () => {
  const files = {
    'gateway.yaml': GATEWAY,
    'tools/github.yaml': toolsFile('get: { effect: read, allow: [{ scopes: [] }] }\n'),
    'tests/all.yaml': 'version: 1\nas: { ann: {} }\ncases:\n  - { as: ann, call: github__gte, expect: CATALOG_UNKNOWN_TOOL }\n',
  }
  await withFolder(files, async directory => {
    const note = `${directory}/tests/all.yaml:4  note: no entry names github__gte; did you mean "github__get"?`
    expect(await run(directory)).toEqual({ stdout: `${note}\n1 case passed\n`, stderr: '', exitCode: 0 })
  })
})

test('faults come first, with exit code 2', async () => {
  const { stderr, exitCode } = await run(folder('bad/glob-tie'))
  expect(stderr).toMatch(/^policies\/bad\/glob-tie\/tools\/github\.yaml:6:3 {2}/)
  expect(exitCode).toBe(2)
})
