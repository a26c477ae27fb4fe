import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseTrail, type TrailRecord } from './audit-trail.ts'
import { type Caller, createCaller, GATEWAY_YAML, policyFiles, type TestGatewayOptions, writePolicies } from './gateway.ts'
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts'
import { freePort } from './ports.ts'
import { startRoundRobin } from './round-robin.ts'
import type { TokenMint } from './tokens.ts'

export interface Replica extends Caller {
  /** Its own address, past the balancer. */
  readonly url: string
  /** The process that serves there now. */
  readonly process: GatewayProcess
  /** What it has written down in all its lives; a line that a death cut short is left out. */
  trail(): readonly TrailRecord[]
  /** SIGKILL. */
  kill(): Promise<void>
  /** After `kill`: another process at the same address; resolves when it is ready. */
  restart(): Promise<void>
}

export interface Replicas extends Caller {
  /** The endpoint behind the balancer: what clients are told, and the OAuth resource. */
  readonly url: string
  readonly all: readonly Replica[]
  replica(index: number): Replica
  /** See RoundRobin. */
  pin(index: number | undefined): void
  stop(): Promise<void>
}

export interface ReplicasOptions extends Omit<TestGatewayOptions, 'mint' | 'settings' | 'serve'> {
  readonly mint: TokenMint
  readonly count: number
  /** Where the store is. */
  readonly store: string
  readonly settings?: Readonly<Record<string, string>>
}

/** Several gateways as processes of their own, with one policy folder, one secret and one store, behind a balancer that takes turns. */
export async function startReplicas(options: ReplicasOptions): Promise<Replicas> {
  const { mint, count, store } = options
  const own = await mkdtemp(join(tmpdir(), 'wicketgate-replicas-'))
  const folder = join(own, 'policies')
  const ports = await Promise.all(Array.from({ length: count }, () => freePort()))
  const origins = ports.map(port => `http://127.0.0.1:${port}`)
  const balancer = await startRoundRobin(origins)
  const hosts = [balancer.origin, ...origins].map(origin => `"${new URL(origin).host}"`).join(', ')
  const gatewayYaml = `${options.gatewayYaml ?? GATEWAY_YAML}\nhttp: { hosts: [${hosts}] }`
  await writePolicies(folder, policyFiles(balancer.origin, mint, { ...options, gatewayYaml }))

  const start = (port: number, life: number): Promise<GatewayProcess> =>
    startGatewayProcess({
      storeTimeoutMs: 30_000,
      mint,
      port,
      folder,
      publicOrigin: balancer.origin,
      auditPath: join(own, `audit-${port}-${life}.jsonl`),
      settings: { store, ...options.settings },
      ...(options.environment && { environment: options.environment }),
    })

  const all = await Promise.all(
    ports.map((port, index) =>
      createReplica(
        port,
        balancer.origin,
        mint,
        life => start(port, life),
        isReady => balancer.setReady(index, isReady),
      ),
    ),
  )
  const url = `${balancer.origin}/mcp`
  return {
    url,
    all,
    replica(index) {
      const replica = all[index]
      if (replica === undefined) throw new RangeError(`there are ${count} replicas`)
      return replica
    },
    pin: balancer.pin,
    ...createCaller(url, mint),
    async stop() {
      await Promise.all(all.map(({ process }) => process.stop()))
      await balancer.close()
      await rm(own, { recursive: true, force: true })
    },
  }
}

async function createReplica(
  port: number,
  publicOrigin: string,
  mint: TokenMint,
  start: (life: number) => Promise<GatewayProcess>,
  setReady: (isReady: boolean) => void,
): Promise<Replica> {
  let life = 0
  let process = await start(life)
  const paths = [process.auditPath]
  const url = `http://127.0.0.1:${port}/mcp`
  return {
    url,
    get process() {
      return process
    },
    ...createCaller(url, mint, `${publicOrigin}/mcp`),
    trail: () => paths.flatMap(path => parseTrail(readFileSync(path, 'utf8').split('\n').slice(0, -1))),
    async kill() {
      process.child.kill('SIGKILL')
      await process.exited
    },
    async restart() {
      await process.stop()
      life += 1
      setReady(false)
      process = await start(life)
      setReady(true)
      paths.push(process.auditPath)
    },
  }
}
