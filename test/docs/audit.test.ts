import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../support/ports.ts'
import { copyCheckout, ROOT } from './checkout.ts'

const page = readFileSync(join(ROOT, 'docs/audit.md'), 'utf8')
const [table = '', follow = '', refusals = '', lost = '', revisions = '', ...others] = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(
  ([, text = '']) => text,
)
const hasJq = spawnSync('jq', ['--version']).status === 0

const GATEWAY = `version: 1
publicUrl: http://127.0.0.1:PORT
endpoints: [{ path: /mcp, upstreams: [acme], anonymous: {} }]
upstreams: { acme: { url: "http://127.0.0.1:9/mcp" } }
`

function run(command: string, cwd: string, env: NodeJS.ProcessEnv): { output(): string } {
  const child: ChildProcess = spawn('bash', ['-c', command], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', chunk => {
      output += chunk
    })
  }
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
    process.kill(-child.pid, 'SIGTERM')
    await once(child, 'close')
  })
  return { output: () => output }
}

test.skipIf(!hasJq)('the trail is read by the commands that the page prints', { timeout: 180_000 }, async () => {
  expect(others).toEqual([])
  const folder = copyCheckout()
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const port = await freePort()
  mkdirSync(join(folder, 'policies'))
  writeFileSync(join(folder, 'policies/gateway.yaml'), GATEWAY.replace('PORT', String(port)))
  // Without what npm, which runs this test, tells those that it runs: how much to say.
  const ours = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')))
  const environment = { ...ours, WICKETGATE_PORT: String(port), WICKETGATE_ADMIN_PORT: 'off' }

  const started = run(table, folder, environment)
  await expect.poll(started.output).toContain('wicketgate listens on')
  await fetch(`http://127.0.0.1:${port}/mcp`)
  await expect.poll(started.output).toMatch(/^20\S+\t\/mcp\tGET\t[A-Z_]+/m)
  expect(started.output()).not.toMatch(/parse error/)

  const record = { kind: 'request', id: 'r0', time: '2026-11-30T10:15:02.113Z', subject: 'ada', method: 'tools/list', outcome: 'OK' }
  const [id = ''] = /(?<=\.id == ")\w+/.exec(refusals) ?? []
  const refused = { ...record, id, outcome: 'CATALOG_UNKNOWN_TOOL', exposedName: 'acme__send', detail: { reason: 'drifted' } }
  const lines = [record, { ...record, protocolVersion: '2025-06-18', clientId: 'cli' }, refused]
    .map(line => `${JSON.stringify(line)}\n`)
    .join('')
  writeFileSync(join(folder, 'audit.jsonl'), lines)
  const followed = run(follow, folder, environment)
  await expect.poll(followed.output).toMatch(/\tada\ttools\/list\tOK\t\n.*\tada\ttools\/list\tOK\t\n/)
  const read = (command: string) => spawnSync('bash', ['-c', command], { cwd: folder, encoding: 'utf8' }).stdout
  const [line = '', ...found] = read(refusals).split('\n')
  expect(line).toMatch(/\tada\tacme__send\tCATALOG_UNKNOWN_TOOL\t\{.*drifted.*\}$/)
  expect(JSON.parse(found.join('\n'))).toEqual(refused)
  writeFileSync(join(folder, 'audit.jsonl'), ['r1', 'r2'].map(request => `${JSON.stringify({ kind: 'intent', request })}\n`).join(''), {
    flag: 'a',
  })
  writeFileSync(join(folder, 'audit.jsonl'), `${JSON.stringify({ ...record, id: 'r1' })}\n`, { flag: 'a' })
  expect(JSON.parse(read(lost))).toEqual({ kind: 'intent', request: 'r2' })
  expect(read(revisions).trim().split('\n')).toEqual([expect.stringMatching(/^\s*1 2025-06-18\tada\tcli$/)])
})
