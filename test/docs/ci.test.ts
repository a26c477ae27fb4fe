import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { registerCheck } from '../../src/cli/check.ts'
import { startStub, temporaryFolder, tool } from '../catalog/stub.ts'
import { runCommand } from '../cli/command.ts'
import { desk } from '../cli/desk.ts'
import { ROOT } from './checkout.ts'

const text = readFileSync(join(ROOT, 'deploy/ci/pins.yml'), 'utf8')
const source = parse(text, { strict: true })

/** What GitHub's "Workflow syntax" lets stand there, as far as the example uses it. */
const names = z.record(z.string().regex(/^[A-Z][A-Z0-9_]*$/), z.string())
const step = z
  .strictObject({
    name: z.string().optional(),
    if: z.string().optional(),
    env: names.optional(),
    uses: z.string().optional(),
    run: z.string().optional(),
    with: z.record(z.string(), z.union([z.string(), z.boolean()])).optional(),
  })
  .refine(({ uses, run }) => (uses === undefined) !== (run === undefined), 'a step either uses an action or runs something')
const job = z.strictObject({
  name: z.string(),
  needs: z.string().optional(),
  if: z.string().optional(),
  environment: z.string().optional(),
  'runs-on': z.literal('ubuntu-latest'),
  'timeout-minutes': z.int().positive(),
  steps: z.array(step).min(1),
})
const workflow = z.strictObject({
  name: z.string(),
  on: z.strictObject({
    schedule: z.array(z.strictObject({ cron: z.string().regex(/^(?:[\d*/,-]+ ){4}[\d*/,-]+$/) })),
    workflow_dispatch: z.null(),
    pull_request: z.strictObject({ paths: z.array(z.string()) }),
  }),
  permissions: z.record(z.string(), z.enum(['read', 'write', 'none'])),
  env: names,
  jobs: z.record(z.string().regex(/^[a-z_][\w-]*$/), job),
})

const { jobs, permissions, on } = workflow.parse(source)
const steps = Object.values(jobs).flatMap(each => each.steps)
/** What is run in the image: the words behind it. */
const commands = steps.flatMap(({ run = '' }) => [...run.matchAll(/"\$IMAGE" (.*)$/gm)].map(([, words = '']) => words.split(' ')))

describe('the example workflow', () => {
  test('may read the repository and nothing else, and is not started by who could take its secrets', () => {
    expect(permissions).toEqual({ contents: 'read' })
    expect(Object.keys(on)).not.toContain('pull_request_target')
    const withSecrets = Object.values(jobs).filter(each => each.steps.some(({ env }) => JSON.stringify(env ?? {}).includes('secrets.')))
    expect(withSecrets.map(each => [each.environment !== undefined, each.if?.includes('head.repo.full_name')])).toEqual([[true, true]])
  })

  test('needs only jobs that are there, and writes nothing that a server says into a command', () => {
    for (const { needs } of Object.values(jobs)) if (needs !== undefined) expect(Object.keys(jobs)).toContain(needs)
    expect(steps.filter(({ run }) => run?.includes('${{'))).toEqual([])
  })

  test('says that nobody ran it', () => {
    expect(text.split('\n')[0]).toMatch(/not run by this project/)
  })

  test('runs commands that there are', () => {
    expect(commands.map(words => words.slice(0, 2).join(' '))).toEqual(['check --skip-credentials', 'pins fetch'])
  })

  test('checks a folder without faults and without secrets', async () => {
    const { folder } = await desk({ acme: await startStub(tool('send')) }, '')
    const { exitCode } = await runCommand(registerCheck, [...(commands[0] ?? []), '--policies', folder])
    expect(exitCode).toBe(0)
  })

  test('fetches: 3 and the Markdown while something waits, 0 when all is approved, 1 when a server is down', async () => {
    const where = await desk({ acme: await startStub(tool('send')) })
    const file = join(await temporaryFolder(), 'pins.md')
    const fetch = ({ pins }: typeof where) => pins(...(commands[1] ?? []).slice(1).map(word => (word === '/out/pins.md' ? file : word)))
    expect(await fetch(where)).toMatchObject({ code: 3 })
    expect(await readFile(file, 'utf8')).toMatch(/^# Pins: 1 item waits for review\n/)
    const [digest = ''] = /p1:[0-9a-f]{64}/.exec(await readFile(file, 'utf8')) ?? []
    await where.pins('approve', 'acme', '--digest', digest)
    expect(await fetch(where)).toMatchObject({ code: 0 })
    expect(await readFile(file, 'utf8')).toMatch(/^# Pins: nothing waits for review\n/)
    expect(await fetch(await desk({ dead: 'http://127.0.0.1:9/mcp' }))).toMatchObject({ code: 1 })
  })
})
