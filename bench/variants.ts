import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../test/support/ports.ts'
import type { TokenMint } from '../test/support/tokens.ts'

export interface Running {
  readonly child: ChildProcess
  readonly port: number
}

/** The gateway or proxy gets the second core for itself; load generator and upstream share the first. */
const TASKSET = ['/usr/bin/taskset', '/bin/taskset'].find(path => existsSync(path))
export const ISOLATED = TASKSET !== undefined

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

/** A script that says its port over IPC. */
export async function forkOn(core: number, file: string, args: readonly string[] = []): Promise<Running> {
  const options = { execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] as ('ignore' | 'inherit' | 'ipc')[] }
  const child =
    TASKSET === undefined
      ? fork(here(file), args, options)
      : spawn(TASKSET, ['-c', String(core), process.execPath, here(file), ...args], options)
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { child, port }
}

const TOOLS = (alias: string): string => `version: 1
upstream: ${alias}
tools:
  lookup:
    effect: read
    allow: &rules
      - scopes: [orders:read]
        claims: { org: { in: [acme, globex] } }
        when:
          - { argument: /tenant, equalsClaim: org }
          - { argument: /order, like: "A-*" }
          - { cel: "!has(args.fields) || size(args.fields) <= 3" }
    limit: { calls: 1000000, per: 1s, by: principal }
    audit: { keep: [/order] }
  record:
    effect: write
    allow: *rules
    limit: { calls: 1000000, per: 1s, by: principal }
    idempotency: { key: header, required: true, ttl: 5s }
    audit: { keep: [/order] }
`

/** The shipped gateway with everything on, as a process of its own. */
export async function startGatewayOn(
  core: number,
  options: { readonly folder: string; readonly upstreamPort: number; readonly mint: TokenMint; readonly store: string },
): Promise<Running & { readonly resource: string }> {
  const { folder, upstreamPort, mint, store } = options
  const port = await freePort()
  const resource = `http://127.0.0.1:${port}/mcp`
  await mkdir(join(folder, 'tools'), { recursive: true })
  await writeFile(join(folder, 'tools', 'orders.yaml'), TOOLS('orders'))
  await writeFile(
    join(folder, 'gateway.yaml'),
    `version: 1
publicUrl: http://127.0.0.1:${port}
endpoints: [{ path: /mcp, upstreams: [orders] }]
issuers: [{ issuer: "${mint.issuer}", jwksUrl: "${mint.jwksUrl}", algorithms: [${mint.key.algorithm}], tenantClaim: org, allowPrivateAddress: true }]
upstreams: { orders: { url: "http://127.0.0.1:${upstreamPort}/mcp", credential: { bearer: "upstream-secret" } } }
pins: { onFirstUse: trust }
`,
  )
  const main = here('../src/main.ts')
  const flags = ['serve', '--policies', folder, '--port', String(port), '--admin-port', 'off', '--store', store]
  const more = ['--audit', `file:${join(folder, 'audit.jsonl')}`, '--secret', Buffer.alloc(32, 7).toString('base64')]
  const command = [process.execPath, main, ...flags, ...more]
  const [file = '', ...args] = TASKSET === undefined ? command : [TASKSET, '-c', String(core), ...command]
  const child = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', chunk => String(chunk).includes('listens on') && resolve())
    child.once('exit', code => reject(new Error(`the gateway ended with code ${code}`)))
  })
  return { child, port, resource }
}
