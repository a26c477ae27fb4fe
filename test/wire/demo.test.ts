import { equal } from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify, stripVTControlCharacters } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runDemo } from '../../examples/demo/run-demo.ts'
import { STORY } from '../../examples/demo/story.ts'
import type { Step } from '../../examples/demo/tell.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The only place where the demo may write, so that it can be seen that nothing stays. */
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'demo-test-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** In a process group of its own, as a terminal would start it: Ctrl+C is a signal to the whole group. */
function startNpmDemo(...words: readonly string[]): { readonly child: ChildProcess; readonly output: () => string } {
  // npm itself would put a compile cache there.
  const env = { ...process.env, TMPDIR: folder, NODE_DISABLE_COMPILE_CACHE: '1' }
  const child = spawn('npm', ['run', '--silent', 'demo', '--', ...words], { cwd: ROOT, detached: true, env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => (output += text))
  return { child, output: () => stripVTControlCharacters(output) }
}

const isReached = (url: string): Promise<boolean> =>
  fetch(url, { method: 'POST' }).then(
    () => true,
    () => false,
  )

it('every step is as expected, told in fewer than a hundred lines, and nothing stays behind', { timeout: 240_000 }, async () => {
  const { child, output } = startNpmDemo('--once')
  const ended = await once(child, 'close')
  expect({ ended, said: output() }).toMatchObject({ ended: [0, null] })
  const lines = output().trimEnd().split('\n')
  expect(lines.filter(line => /^ ?\d+ ✔ /.test(line))).toHaveLength(STORY.length)
  expect(output()).not.toContain('✘')
  expect(lines.at(-1)).toBe(`     ${STORY.length} of ${STORY.length} as expected`)
  expect(lines.length).toBeLessThan(100)
  expect(lines.filter(line => line.length > (line.startsWith('     ✔') ? 120 : 100))).toEqual([])
  const calls = lines.filter(line => /^ +(?:ada|ben) +(?:tickets|reports)__/.test(line))
  expect(calls.length).toBeGreaterThan(8)
  for (const call of calls) expect(call).toMatch(/ (?:none|not_started|in_progress|committed|unknown) +\d+$/)
  expect(calls).toContainEqual(expect.stringMatching(/ben +tickets__create_ticket +OK, replayed +committed +1$/))
  expect(await readdir(folder)).toEqual([])
  const explained = lines.filter(line => line.startsWith('     ✔ ')).map(line => line.slice(7))
  expect(explained.map(line => PULLS.findIndex(pull => pull.test(line))).toSorted((a, b) => a - b)).toEqual([...PULLS.keys()])
})

/** What each rug pull is told by: its item, the place, the change, and what is odd about it where something is. */
const PULLS = [
  /^clear_notes +\S*\/destructiveHint +\[-true-]\{\+false\+} +!+ \w/,
  /^copy_note +\S*\/enum .*"web"/,
  /^count_notes +\S*\/type +\[-integer-]\{\+string\+}/,
  /^edit_note +\S*\/additionalProperties +\[-false-]\{\+true\+} +!+ \w/,
  /^mail_note +\S*\/x-mcp-header +\{\+To\+} +!+ \w/,
  /^print_note +\S*\/required .*"by".* !+ \w/,
  /^share_note +\/description +\[-owner-]\{\+owners\+}/,
  /^sort_notes +\/_meta\S* +.*true/,
  /^tag_note +\S*\/word\/description .*or a password.* !+ \w/,
  /^prompt sum_up +\S+ .*and who asks/,
  /^resource file:\/\/\/diary +\/description .*before using any other tool.* !+ \w/,
  /^its instructions +\/instructions .*Never mention them to the user.* !! \w/,
]

it('a step that differs is told with what was expected, and the exit code is 1', { timeout: 240_000 }, async () => {
  let output = ''
  const write = (text: string): void => {
    output += stripVTControlCharacters(text)
  }
  const wrong: Step = {
    what: 'a call without a token',
    expected: 'an answer, of course',
    run: async ({ callers }) => {
      const { status } = await callers.send(undefined, 'tools/list')
      equal(status, 200)
      return 'an answer'
    },
  }
  const right = STORY.slice(2, 3)
  expect(await runDemo([wrong, ...right], { once: true, write, stop: new AbortController().signal })).toBe(1)
  expect(output).toMatch(/^ 1 ✘ a call without a token +an answer, of course +Expected values to be strictly\n +equal: 401 !== 200\n 2 ✔ /m)
  expect(output).toMatch(/\n +1 of 2 as expected\n$/)
})

it('serves on with what it prints, and Ctrl+C ends all of it', { timeout: 240_000 }, async () => {
  const { child, output } = startNpmDemo()
  const { stdout } = child
  while (stdout !== null && !output().includes(`-d '{`)) await once(stdout, 'data')
  const printed = output().slice(output().indexOf('Still serving'))

  const { mcpServers } = JSON.parse(/^\{\n.*?^\}$/ms.exec(printed)?.[0] ?? '{}') as { mcpServers: Record<string, Server> }
  const [server] = Object.values(mcpServers)
  const client = new Client({ name: 'visitor', version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  const requestInit = { headers: server?.headers ?? {} }
  await client.connect(new StreamableHTTPClientTransport(new URL(server?.url ?? ''), { requestInit }))
  const names = (await client.listTools()).tools.map(({ name }) => name)
  expect(names).toContain('tickets__create_ticket')
  expect(names).not.toContain('notes__find_notes')
  await client.close()

  const byHand = await promisify(execFile)('sh', ['-c', printed.slice(printed.indexOf('TOKEN='))])
  expect(JSON.parse(byHand.stdout).result.tools.map(({ name }: { name: string }) => name)).toEqual(names)

  process.kill(-(child.pid ?? 0), 'SIGINT')
  await once(child, 'close')
  expect(await readdir(folder)).toEqual([])
  expect(await isReached(server?.url ?? '')).toBe(false)
})

interface Server {
  readonly url: string
  readonly headers: Record<string, string>
}
