import { readFileSync } from 'node:fs'
import type { Clock } from '../core/clock.ts'
import type { UpstreamConfig } from '../core/configuration.ts'
import type { Facts, Report } from '../core/facts.ts'
import { SHARED, variantFact } from '../core/variant.ts'
import type { Handshake } from '../mcp/index.ts'
import { EraFinder } from './era.ts'
import { fetchDiscovery } from './fetch-document.ts'
import type { HeldCalls } from './held/index.ts'
import { LegacyPeer } from './legacy/legacy-peer.ts'
import { waysTo } from './legacy/open-line.ts'
import type { ListenTimings } from './listening.ts'
import { type Connections, createConnections, createPeer } from './peer.ts'
import { Side, type SideState } from './side.ts'
import { ModernPipes } from './stdio/modern-pipes.ts'
import { createProbe } from './stdio/probe.ts'
import { createProcesses, type Processes } from './stdio/processes.ts'

/** What a revision is told of one of its upstreams. */
export interface Told {
  suspect(variant: string): void
  log(line: string): void
  readonly report: Report
}

export interface DealingsOptions {
  readonly held: HeldCalls | undefined
  readonly clock: Clock
  readonly timings: ListenTimings
  readonly random: () => number
}

/**
 * All dealings with one upstream: its connections, its sessions, its processes, by variant. They outlive the revision that began them where the
 * next one leaves the upstream as it is: nobody's session ends because somebody else was given a tool.
 */
export class Dealings {
  readonly #key: string
  readonly #options: DealingsOptions
  readonly #connections: Connections
  readonly #processes: Processes | undefined
  readonly #legacies: LegacyPeer[] = []
  readonly #sides: ReadonlyMap<string, Side>
  /** The revisions that use them, the newest last; only the newest is told of anything. */
  readonly #users: Told[] = []
  readonly #alias: string
  #hasMoved = false

  constructor(config: UpstreamConfig, options: DealingsOptions) {
    this.#alias = config.alias
    this.#key = keyOf(config)
    this.#options = options
    this.#connections = createConnections(config)
    this.#processes = this.#createProcesses(config)
    const variants = [{ name: SHARED, credentialHeaders: config.credentialHeaders }, ...config.variants]
    this.#sides = new Map(
      variants.map(({ name, credentialHeaders }) => [name, this.#createSide(name, { ...config, credentialHeaders })] as const),
    )
  }

  /** Whether they may go on under this configuration: all that they are made of is the same. */
  isFor(config: UpstreamConfig): boolean {
    return this.#key === keyOf(config)
  }

  sideOf(variant: string): Side | undefined {
    return this.#sides.get(variant)
  }

  states(): readonly (SideState & { readonly variant: string })[] {
    return [...this.#sides].map(([variant, { state }]) => ({ variant, ...state }))
  }

  take(user: Told): void {
    this.#users.push(user)
  }

  /** Resolves, for the last who leaves, when what is under way has ended and everything is let go of. */
  async leave(user: Told): Promise<void> {
    const at = this.#users.indexOf(user)
    if (at !== -1) this.#users.splice(at, 1)
    if (this.#users.length > 0) return
    const { pool } = this.#connections
    await Promise.all(this.#legacies.map(legacy => legacy.drain()))
    // A pool that was aborted has nothing left to wait for; to close it would be an error that nobody listens to.
    await this.#letGo(pool.destroyed ? undefined : pool.close())
  }

  /** Ends what is under way now, whoever uses them. */
  async abort(): Promise<void> {
    // At once: those that do not end by themselves need their time, and sessions have their goodbyes to say meanwhile.
    const ended = this.#processes?.close()
    await Promise.all(this.#legacies.map(legacy => legacy.close()))
    await this.#letGo(this.#connections.pool.destroy())
    await ended
  }

  async #letGo(ended: Promise<void> | undefined): Promise<void> {
    await Promise.all([this.#connections.listenPool.destroy(), ended, this.#processes?.close()])
  }

  #tell(tell: (user: Told) => void): void {
    const user = this.#users.at(-1)
    if (user !== undefined) tell(user)
  }

  #report(name: string, facts: Facts): void {
    this.#tell(user => user.report(name, facts))
  }

  /** Once: what its URL should say, without a query. */
  #moved(path: string): void {
    if (this.#hasMoved) return
    this.#hasMoved = true
    this.#report('upstream.moved', { alias: this.#alias, path: path.split('?', 1)[0] ?? '' })
  }

  #createProcesses(config: UpstreamConfig): Processes | undefined {
    const { transport } = config
    if (transport.kind !== 'stdio') return undefined
    return createProcesses(
      { ...config, transport },
      {
        log: line => this.#tell(user => user.log(line)),
        report: (name, facts) => this.#report(name, facts),
        clock: this.#options.clock,
      },
    )
  }

  #createSide(variant: string, config: UpstreamConfig): Side {
    const { held, clock, timings, random } = this.#options
    const { transport, era, timeoutMs } = config
    const processes = this.#processes
    const pipes = processes && new ModernPipes(processes, timeoutMs)
    const peer = createPeer(config, path => this.#moved(path), this.#connections, pipes?.post)
    const suspect = (): void => this.#tell(user => user.suspect(variant))
    const legacy = new LegacyPeer({
      peer,
      ways: waysTo(peer, processes && pipes && { pipes, processes }, timings),
      processes: processes?.size,
      canAsk: held !== undefined,
      clock,
      timings,
      random,
      onNews: ({ kind }) => (kind === 'list_changed' ? suspect() : undefined),
    })
    this.#legacies.push(legacy)
    const shakeHands = (): Promise<Handshake> => legacy.shakeHands()
    const questions =
      pipes !== undefined && era === 'auto' ? createProbe(peer, pipes, shakeHands) : { discover: () => fetchDiscovery(peer), shakeHands }
    const eras = new EraFinder({
      ...questions,
      // HTTP+SSE was never spoken in another.
      era: transport.kind === 'sse' ? 'legacy' : era,
      clock,
      onFound: (found, protocolVersion) =>
        this.#report('upstream.era', { alias: this.#alias, ...variantFact(variant), era: found, protocolVersion }),
    })
    return new Side({ peer, legacy, eras, held, suspect, timings, random })
  }
}

/** All of a configuration that dealings depend on; what is said of its tools is others' business. The trust anchors count as they are now. */
function keyOf(config: UpstreamConfig): string {
  const ofAnswers = { dropPointers: [], xMcpHeaderAllowNumber: false, linkSchemes: [], linkHosts: [] }
  const own = { ...config, tools: [], prompts: [], resources: [], ...ofAnswers }
  return JSON.stringify([own, config.caFile === undefined ? '' : readFileSync(config.caFile, 'utf8')])
}
