import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { registerCheck } from '../../src/cli/check.ts'
import { GATEWAY, withFolder } from '../policy/folder.ts'
import { runCommand } from './command.ts'

const folder = (name: string) => fileURLToPath(new URL(`../../policies/${name}`, import.meta.url))
const check = (directory: string, ...args: string[]) => runCommand(registerCheck, ['check', '--policies', directory, ...args])

test('a good folder is summed up in a line', async () => {
  const { stdout, exitCode } = await check(folder('examples/sidecar'))
  expect(stdout).toMatch(/^3 files, no faults: 1 endpoint, 1 upstream, 4 tools; revision [0-9a-f]{16}\n$/)
  expect(exitCode).toBe(0)
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
  expect(JSON.parse(stdout)).toEqual({ faults: [fault] })
  expect(exitCode).toBe(2)
  expect(JSON.parse((await check(folder('examples/sidecar'), '--format', 'json')).stdout)).toEqual({ faults: [] })
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
  expect([stdout, exitCode]).toEqual(['/nope/gateway.yaml:1:1  the folder does not exist\n\n1 fault\n', 2])
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
