import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { registerTest } from '../../src/cli/test.ts'
import { GATEWAY, withFolder } from '../policy/folder.ts'
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

test('faults come first, with exit code 2', async () => {
  const { stderr, exitCode } = await run(folder('bad/glob-tie'))
  expect(stderr).toMatch(/^policies\/bad\/glob-tie\/tools\/github\.yaml:6:3 {2}/)
  expect(exitCode).toBe(2)
})
