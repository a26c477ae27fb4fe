import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const program = join(root, 'tools/bans.ts')

const planted: string[] = []
afterAll(() => {
  for (const directory of planted) rmSync(directory, { recursive: true, force: true })
})

function plant(files: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync(join(tmpdir(), 'planted-source-'))
  planted.push(directory)
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, file)), { recursive: true })
    writeFileSync(join(directory, file), text)
  }
  return directory
}

function check(...directory: string[]): { status: number | null; lines: readonly string[] } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...directory], { encoding: 'utf8' })
  expect(stderr).toBe('')
  return { status, lines: stdout.split('\n').filter(line => line !== '') }
}

test('the source says nothing that is banned', () => {
  expect(check()).toEqual({ status: 0, lines: [] })
})

const faults: readonly [file: string, text: string, line: number, reason: string][] = [
  ['limits/late.ts', '\nconst now = Date.now()', 2, 'Clock'],
  ['limits/late-2.ts', 'const now = new Date()', 1, 'Clock'],
  ['limits/late-3.ts', 'const now = Date.now', 1, 'Clock'],
  ['limits/late-4.ts', 'const now = performance.now()', 1, 'Clock'],
  ['auth/loose.ts', 'const claims = JSON.parse(text)', 1, 'strict parser'],
  ['auth/loose-2.ts', 'texts.map(JSON.parse)', 1, 'strict parser'],
  ['policy/slow.ts', '\n\nconst glob = new RegExp(pattern)', 3, 're2js'],
  ['policy/slow-2.ts', 'const glob = RegExp(pattern)', 1, 're2js'],
  ['upstream/type.ts', "if (type.includes('application/json')) read()", 1, 'media type'],
  ['upstream/type-2.ts', 'if (type.startsWith("text/event-stream")) read()', 1, 'media type'],
  ['http/type.ts', 'if (type.match(/^application\\/json/)) read()', 1, 'media type'],
  ['auth/answers.ts', 'export const refuse = reply => reply.code(401)', 1, 'street door'],
  ['catalog/settings.ts', 'const { HOME } = process.env', 1, 'environment'],
  ['http/flags.ts', 'const [, , flag] = process.argv', 1, 'environment'],
  ['cli/says.ts', "console.log('hello')", 1, 'stdout'],
  ['auth/inline.ts', "type Rule = import('../policy/index.ts').Rule", 1, 'import type'],
  [
    'http/uses.ts',
    "import type { EndpointConfig } from '../core/configuration.ts'\nimport { createAuth } from '../auth/index.ts'",
    2,
    'the types of a room',
  ],
  ['http/uses-2.ts', "import {\n  type Auth,\n  createAuth,\n} from '../auth/index.ts'", 1, 'the types of a room'],
  ['http/forges.ts', 'return facts as Principal', 1, 'only the room that makes a Principal'],
  ['pipeline/forges.ts', 'return facts as unknown as Ticket', 1, 'only the room that makes a Ticket'],
  ['auth/forges.ts', 'return facts as Grant', 1, 'only the room that makes a Grant'],
  ['upstream/forges.ts', 'return facts as CheckedAnswer', 1, 'only the room that makes a CheckedAnswer'],
  [
    'limits/twice.ts',
    'const one = facts as Admission\nconst two = facts as Admission',
    2,
    'made in one place, and that is limits/twice.ts:1',
  ],
  ['core/long.ts', 'export {}\n'.repeat(301), 301, 'over 300 lines'],
  ['core/utils.ts', 'export {}', 1, 'named for what it exports'],
  ['core/types.ts', 'export {}', 1, 'named for what it exports'],
  ['auth/token-helpers.ts', 'export {}', 1, 'named for what it exports'],
  ['auth/key-manager.ts', 'export {}', 1, 'named for what it exports'],
]

describe('found, with file and line', () => {
  let lines: readonly string[]
  beforeAll(() => {
    const planted = plant(Object.fromEntries(faults.map(([file, text]) => [file, text])))
    const found = check(planted)
    expect(found.status).toBe(1)
    lines = found.lines
  })

  test.each(faults)('%s: %j', (file, _text, line, reason) => {
    expect(lines.filter(found => found.startsWith(`${file}:`))).toEqual([expect.stringMatching(`^${file}:${line}  .*${reason}`)])
  })
})

test('left alone where it belongs, and in comments', () => {
  const directory = plant({
    'core/clock.ts': 'export const now = () => Date.now()',
    'core/json-parse.ts': 'export const parse = (text: string) => JSON.parse(text)',
    'audit/record.ts': 'const at = new Date(atMs).toISOString()\n// Date.now() would jump\nconst url = "http://x" /* console.log( */\n',
    'upstream/type.ts': "if (type === 'application/json') read()\n/** Not type.includes('application/json'): reply twice. */",
    'cli/serve.ts': 'const { HOME } = process.env',
    'main.ts': 'const flags = process.argv',
    'auth/principal.ts': 'return facts as Principal',
    'http/answer.ts': "import type { Trace } from '../audit/index.ts'\nexport const send = (reply: Trace) => reply",
    'audit/telemetry.ts': "const { start } = await import('./sdk.ts')",
    'core/full.ts': 'export {}\n'.repeat(300),
  })
  expect(check(directory)).toEqual({ status: 0, lines: [] })
})
