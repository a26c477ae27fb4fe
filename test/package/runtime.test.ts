import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../docs/checkout.ts'

test('the tests run on Node.js 24 or later: a silent fallback to what the machine has is loud', () => {
  expect(Number.parseInt(process.versions.node, 10)).toBeGreaterThanOrEqual(24)
})

/** Runs a script as a Node.js of another version would see itself. */
function runAs(version: string, script: string) {
  const pretend = `Object.defineProperty(process.versions, 'node', { value: ${JSON.stringify(version)} }); require(${JSON.stringify(join(ROOT, script))})`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', pretend], { encoding: 'utf8' })
  return { status, output: stdout + stderr }
}

describe('the program checks the version of Node.js before anything else', () => {
  // What it would go on to is not there beside the source: that it looks for it means that it was let through.
  test.each([
    ['18.20.8', false],
    ['20.20.2', false],
    ['22.22.0', false],
    ['24.22.0', false],
    ['24.22.1', true],
    ['24.30.0', true],
    ['25.9.0', false],
    ['26.12.0', false],
    ['26.12.1', true],
    ['27.0.0', true],
  ])('%s: %s', (version, isEnough) => {
    const { status, output } = runAs(version, 'src/bin.cjs')
    expect(status).toBe(1)
    if (isEnough) expect(output).toContain('ERR_MODULE_NOT_FOUND')
    else expect(output).toBe(`wicketgate needs Node.js 24.22.1 or later (or 26.12.1 or later); this is ${version}.\n`)
  })

  test('and package.json says the same', () => {
    expect(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).engines).toEqual({ node: '^24.22.1 || >=26.12.1' })
  })
})

test.each([
  ['20.20.2', 1],
  ['24.22.1', 0],
])('npm run runtime on %s exits with %i', (version, expected) => {
  const { status, output } = runAs(version, 'tools/runtime.cjs')
  expect(status).toBe(expected)
  expect(output).toContain(`Node.js ${version}`)
})

/** Another Node.js that this machine has, if it has an older one. */
const older = (process.env.PATH ?? '')
  .split(':')
  .map(folder => join(folder, 'node'))
  .find(path => existsSync(path) && Number.parseInt(spawnSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout, 10) < 24)

test.runIf(older)('an older Node.js itself can read the check', () => {
  const { status, stderr } = spawnSync(older ?? '', [join(ROOT, 'src/bin.cjs'), '--version'], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(/^wicketgate needs Node\.js 24\.22\.1 or later .*\n$/) })
})
