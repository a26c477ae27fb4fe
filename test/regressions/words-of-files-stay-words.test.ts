/*
 * A pull request brought a lock file and a policy file whose keys, dates and URLs held terminal escapes and line breaks. Whoever ran
 * `wicketgate pins list`, `check` or `test` on it, a reviewer at a terminal or a build that reads commands from its log
 * (`::set-output`), had them played: lines erased, a title set, a command obeyed.
 * So: what a file says is printed with everything hidden spelled out, and never begins a line.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { pinOf } from '../../src/catalog/pin.ts'
import { registerCheck } from '../../src/cli/check.ts'
import { registerExplain } from '../../src/cli/explain.ts'
import { registerPins } from '../../src/cli/pins.ts'
import { registerTest } from '../../src/cli/test.ts'
import { runCommand } from '../cli/command.ts'
import { writePolicies } from '../support/gateway.ts'

const HOSTILE = '\u001b[2J\n::error::\u009b31m\u202e'
const connect = () => Promise.reject(new Error('nothing is reached'))

const GATEWAY = `version: 1
publicUrl: http://127.0.0.1:8080
endpoints: [{ path: /mcp, upstreams: [acme], anonymous: { scopes: [] } }]
upstreams: { acme: { url: "http://127.0.0.1:9/mcp" } }
`
const TOOLS = 'version: 1\nupstream: acme\ntools: { pay: { effect: read, allow: [{ scopes: [a] }] } }\n'

async function output(files: Readonly<Record<string, string>>, ...words: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'wicketgate-words-'))
  try {
    await writePolicies(folder, { 'gateway.yaml': GATEWAY, 'tools/acme.yaml': TOOLS, ...files })
    const { stdout, stderr } = await runCommand(
      (program, io) => {
        registerCheck(program, io)
        registerTest(program, io)
        registerExplain(program, io, () => undefined)
        registerPins(program, io, connect)
      },
      [...words, '--policies', folder],
    )
    return stdout + stderr
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function lock(): string {
  const [url, descriptor] = [`http://127.0.0.1/${HOSTILE}`, { name: 'pay' }]
  const pin = pinOf({ upstream: 'acme', endpoint: url, kind: 'tool', name: 'pay', variant: 'shared', descriptor })
  const item = {
    kind: 'tool',
    name: 'pay',
    variant: 'shared',
    state: 'approved',
    pin,
    by: HOSTILE,
    at: HOSTILE,
    reason: HOSTILE,
    descriptor,
  }
  return JSON.stringify({ version: 1, upstream: 'acme', url, items: [item] })
}

const text = JSON.stringify(HOSTILE)
const cases = `version: 1\nas: { ${text}: { scopes: [] } }\ncases: [{ as: ${text}, call: ${text}, expect: allow }]\n`

it.each([
  ['a lock file', { 'pins/acme.lock.json': lock() }, ['pins', 'list']],
  ['a lock file with faults', { 'pins/acme.lock.json': `{"version":1,"upstream":"acme","url":"","items":[],${text}:1}` }, ['pins', 'list']],
  ['a policy with faults', { 'tools/acme.yaml': `${TOOLS}${text}: 1\n` }, ['check']],
  ['a test that fails', { 'tests/a.yaml': cases }, ['test']],
  ['a rule that is explained', { 'tests/a.yaml': cases }, ['explain', '--as', HOSTILE, '--call', HOSTILE]],
])('%s', async (_, files, words) => {
  const printed = await output(files, ...words)
  expect(printed).toContain('::error::')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
  expect(printed).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]|^::/m)
})
