import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readTrail, type TrailRecord } from './audit-trail.ts'
import { eventually } from './eventually.ts'
import { type Caller, createCaller, policyFiles, type TestGatewayOptions, writePolicies } from './gateway.ts'
import { freePort } from './ports.ts'
import type { TokenMint } from './tokens.ts'

export interface GatewayProcess extends Caller {
  readonly child: ChildProcess
  readonly url: string
  readonly origin: string
  readonly adminUrl: string
  readonly folder: string
  readonly auditPath: string
  readonly stdout: string
  readonly stderr: string
  /** Exit code, or the name of the signal that ended it. */
  readonly exited: Promise<number | string>
  readyz(): Promise<{ readonly status: number; readonly text: string }>
  trail(): readonly TrailRecord[]
  /** SIGKILL if it still runs, and its files removed. */
  stop(): Promise<void>
}

export interface ProcessOptions extends Partial<TestGatewayOptions> {
  readonly mint: TokenMint
  /** Default: a free one. */
  readonly port?: number
  /** A policy folder that is there already; nothing is written then. */
  readonly folder?: string
  /** What the endpoint calls itself, where several processes serve one. */
  readonly publicOrigin?: string
  readonly auditPath?: string
  /** By default until it is ready; `nothing` for processes that are expected to end. */
  readonly awaits?: 'nothing' | 'listening' | 'ready'
  /** How long it waits for its store, where that is not to be as long as the shipped one does. */
  readonly storeTimeoutMs?: number
}

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const PATIENT_MAIN = fileURLToPath(new URL('patient-main.ts', import.meta.url))

/** Kept for the whole run, so that processes which share a store share it. */
export const SHARED_SECRET = randomBytes(32).toString('hex')

/** `wicketgate serve` as a process of its own: for everything that has to do with signals, exit codes and crashes. */
export async function startGatewayProcess(options: ProcessOptions): Promise<GatewayProcess> {
  const { mint, upstreams = {}, tools = {}, awaits = 'ready', storeTimeoutMs } = options
  const own = await mkdtemp(join(tmpdir(), 'wicketgate-process-'))
  const port = options.port ?? (await freePort())
  const adminPort = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const publicOrigin = options.publicOrigin ?? origin
  const folder = options.folder ?? join(own, 'policies')
  if (options.folder === undefined) await writePolicies(folder, policyFiles(publicOrigin, mint, { ...options, upstreams, tools }))
  const auditPath = options.auditPath ?? join(own, 'audit.jsonl')
  const settings: Record<string, string> = {
    policies: folder,
    port: String(port),
    'admin-port': String(adminPort),
    audit: `file:${auditPath}`,
    ...options.settings,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])
  const child = spawn(process.execPath, [storeTimeoutMs === undefined ? MAIN : PATIENT_MAIN, 'serve', ...flags], {
    env: { PATH: process.env.PATH, WICKETGATE_SECRET: SHARED_SECRET, STORE_TIMEOUT_MS: String(storeTimeoutMs), ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const killWithUs = (): void => void child.kill('SIGKILL')
  process.once('exit', killWithUs)
  const exited = once(child, 'close').then(([code, signal]) => {
    process.off('exit', killWithUs)
    return (code ?? signal) as number | string
  })
  let stdout = ''
  let stderr = ''
  const started = new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
      if (stderr.includes('wicketgate listens on')) resolve()
    })
    void exited.then(code => reject(new Error(`the gateway ended (${code}) before it was up:\n${stderr}`)))
  })
  started.catch(() => {})
  const adminUrl = `http://127.0.0.1:${adminPort}`
  const readyz: GatewayProcess['readyz'] = async () => {
    const response = await fetch(`${adminUrl}/readyz`)
    return { status: response.status, text: await response.text() }
  }
  if (awaits !== 'nothing') await started
  if (awaits === 'ready') await eventually(async () => (await readyz()).status === 200, 20)
  return {
    child,
    origin,
    url: `${origin}/mcp`,
    adminUrl,
    folder,
    auditPath,
    get stdout() {
      return stdout
    },
    get stderr() {
      return stderr
    },
    exited,
    readyz,
    trail: () => readTrail(auditPath),
    ...createCaller(`${origin}/mcp`, mint, `${publicOrigin}/mcp`),
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await exited
      await rm(own, { recursive: true, force: true })
    },
  }
}
