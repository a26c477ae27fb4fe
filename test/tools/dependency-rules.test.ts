import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'

const require = createRequire(import.meta.url)
const root = resolve(import.meta.dirname, '../..')
const planted = mkdtempSync(join(tmpdir(), 'planted-imports-'))
afterAll(() => rmSync(planted, { recursive: true, force: true }))

interface Report {
  readonly summary: { readonly totalCruised: number; readonly violations: readonly { rule: { name: string }; from: string; to: string }[] }
}

function cruise(directory: string): Report['summary'] {
  const program = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
  const run = spawnSync(process.execPath, [program, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'src'], {
    cwd: directory,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  expect(run.stderr).toBe('')
  return (JSON.parse(run.stdout) as Report).summary
}

test('the source obeys every rule of dependency', () => {
  const { violations, totalCruised } = cruise(root)
  expect(violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)).toEqual([])
  // dependency-cruiser sees nothing, and finds no fault, when its parser does not fit the language.
  expect(totalCruised).toBeGreaterThan(30)
})

/** One file each, with the rule it must be caught by. */
const faults: readonly [rule: string, from: string, line: string][] = [
  ['no-cycles', 'src/catalog/one.ts', "import type { Two } from './two.ts'\nexport type One = Two"],
  ['core-imports-nothing', 'src/core/reads.ts', "import { readFileSync } from 'node:fs'\nexport { readFileSync }"],
  ['core-imports-nothing', 'src/core/knows-mcp.ts', "export type { M } from '../mcp/index.ts'"],
  ['mcp-is-pure', 'src/mcp/knows-policy.ts', "export type { P } from '../policy/index.ts'"],
  ['mcp-is-pure', 'src/mcp/reads.ts', "import { readFileSync } from 'node:fs'\nexport { readFileSync }"],
  ['mcp-is-pure', 'src/mcp/draws.ts', "export { z } from 'zod'"],
  ['store-decides-nothing', 'src/store/knows-mcp.ts', "export type { M } from '../mcp/index.ts'"],
  ['rooms-do-not-meet', 'src/auth/knows-policy.ts', "import type { P } from '../policy/index.ts'\nexport type A = P"],
  ['rooms-do-not-meet', 'src/limits/knows-corridor.ts', "export type { C } from '../pipeline/index.ts'"],
  ['rooms-do-not-meet', 'src/audit/knows-app.ts', "export { app } from '../app.ts'"],
  ['use-the-door', 'src/pipeline/climbs-in.ts', "export type { Inner } from '../policy/inner.ts'"],
  [
    'use-the-door',
    'src/app.ts',
    "import fastify from 'fastify'\nimport type { Inner } from './policy/inner.ts'\nexport const app: Inner = fastify",
  ],
  ['use-the-door', 'src/cli/climbs-in.ts', "export type { Inner } from '../policy/inner.ts'"],
  ['only-store-speaks-redis', 'src/limits/speaks.ts', "import type { Redis } from 'ioredis'\nexport type R = Redis"],
  ['fastify-stays-outside', 'src/auth/replies.ts', "import type { FastifyReply } from 'fastify'\nexport type R = FastifyReply"],
  ['fastify-stays-outside', 'src/pipeline/adds-proxy.ts', "export { default } from '@fastify/http-proxy'"],
  ['corridor-knows-doors-only', 'src/pipeline/calls.ts', "export { request } from 'undici'"],
  ['corridor-knows-doors-only', 'src/pipeline/keeps.ts', "export type { S } from '../store/index.ts'"],
  ['street-door-leads-to-the-corridor', 'src/http/keeps.ts', "export type { S } from '../store/index.ts'"],
  ['inner-parts-do-not-reach-out', 'src/http/knows-app.ts', "export { app } from '../app.ts'"],
  ['nothing-imports-main', 'src/cli/starts.ts', "import '../main.ts'"],
  ['nothing-unresolved', 'src/cli/lost.ts', "import './nowhere.ts'"],
]

const innocents: readonly [from: string, line: string][] = [
  ['src/catalog/two.ts', "import type { One } from './one.ts'\nexport type Two = One"],
  [
    'src/mcp/index.ts',
    "import { createHash } from 'node:crypto'\nimport { createParser } from 'eventsource-parser'\nexport type M = typeof createHash & typeof createParser",
  ],
  ['src/policy/index.ts', "import type { M } from '../mcp/index.ts'\nexport type P = M"],
  ['src/policy/inner.ts', 'export type Inner = unknown'],
  ['src/store/index.ts', "import type { Redis } from 'ioredis'\nexport type S = Redis"],
  ['src/limits/index.ts', "export type { S } from '../store/index.ts'"],
  ['src/pipeline/index.ts', "import type { P } from '../policy/index.ts'\nexport type C = P"],
  [
    'src/http/index.ts',
    "import type { FastifyReply } from 'fastify'\nimport type { P } from '../policy/index.ts'\nexport type H = P | FastifyReply",
  ],
  ['src/main.ts', "import './app.ts'"],
]

describe('each rule catches its fault, also where only a type is imported', () => {
  symlinkSync(join(root, 'node_modules'), join(planted, 'node_modules'))
  for (const file of ['.dependency-cruiser.cjs', 'tsconfig.json']) copyFileSync(join(root, file), join(planted, file))
  for (const [from, text] of [...faults.map(([, from, line]) => [from, line] as const), ...innocents]) {
    mkdirSync(dirname(join(planted, from)), { recursive: true })
    writeFileSync(join(planted, from), `${text}\n`)
  }
  const { violations } = cruise(planted)

  test.each(faults)('%s: %s', (rule, from) => {
    expect(violations.filter(violation => violation.from === from).map(violation => violation.rule.name)).toContain(rule)
  })

  test('and every rule has one', () => {
    const rules = (require(join(root, '.dependency-cruiser.cjs')) as { forbidden: { name: string; comment: string }[] }).forbidden
    expect(new Set(faults.map(([rule]) => rule))).toEqual(new Set(rules.map(rule => rule.name)))
    expect(rules.filter(rule => rule.comment.length < 20)).toEqual([])
  })

  test('and nothing else is caught', () => {
    const named = new Set(faults.map(([, from]) => from))
    expect(violations.filter(({ rule, from }) => !named.has(from) && rule.name !== 'no-cycles')).toEqual([])
  })
})
