/**
 * The other side of the house.
 * Takes an `Intent` and the caller's stream; returns the `Answer`, or throws UPSTREAM_UNREACHABLE, UPSTREAM_AUTH_REQUIRED, UPSTREAM_INVALID, UPSTREAM_TIMEOUT, CALLER_GONE.
 * Keeps two connection pools per upstream, one for subscriptions, with its own TLS trust, and our own credential for each class of principals.
 * Never sends a caller's token, follows a redirect to another origin, re-sends a call, or copies a response header.
 */
import { type Clock, systemClock } from '../core/clock.ts'
import type { UpstreamConfig } from '../core/configuration.ts'
import type { JsonDocument } from '../core/json.ts'
import type { Answer, CallerStream, Intent, ItemKind } from '../core/model.ts'
import { aliasOfVariant, SHARED } from '../core/variant.ts'
import type { Handshake, ListenFilter, UpstreamNews } from '../mcp/index.ts'
import { type Era, EraFinder } from './era.ts'
import { fetchDiscovery } from './fetch-document.ts'
import type { HeldCalls } from './held/index.ts'
import { LegacyPeer } from './legacy/legacy-peer.ts'
import { waysTo } from './legacy/open-line.ts'
import { LISTEN_TIMINGS, type ListenTimings } from './listening.ts'
import { type Connections, createConnections, createPeer } from './peer.ts'
import { Side } from './side.ts'
import { ModernPipes } from './stdio/modern-pipes.ts'
import { createProbe } from './stdio/probe.ts'
import { createProcesses, type Processes } from './stdio/processes.ts'

export { createHeldCalls, type HeldCalls } from './held/index.ts'

export interface Upstream {
  /** `traceparent`: our own span, which the upstream's becomes a child of. */
  send(intent: Intent, caller: CallerStream, traceparent?: string): Promise<Answer>
  /** One page of one of the upstream's lists, as the whole JSON-RPC response document. */
  fetchList(alias: string, kind: ItemKind, cursor: string | undefined, variant: string): Promise<JsonDocument>
  /** The upstream's `server/discover`, likewise; of a legacy server, what its `initialize` said, in that form. */
  discover(alias: string, variant: string): Promise<JsonDocument>
  /** News of the upstream until closed. Reconnects by itself, ever more slowly, and then says `resumed`; connections apart from those of calls. */
  listen(alias: string, filter: ListenFilter, onNews: (news: UpstreamNews) => void, variant: string): { close(): void }
  /** Takes nothing new; resolves when what is under way has ended. */
  close(): Promise<void>
  /** Ends what is under way now, whatever its outcome. */
  abort(): Promise<void>
}

type Facts = Readonly<Record<string, string | number | boolean>>

export interface UpstreamOptions {
  readonly upstreams: ReadonlyMap<string, UpstreamConfig>
  /** Told when an answer suggests that what the upstream offers has changed. */
  readonly suspect: (alias: string, variant: string) => void
  /** Told once of each upstream that redirects within its origin: `path` is what its URL should say, without a query. */
  readonly onMoved?: (alias: string, path: string) => void
  /** Told of the era an upstream speaks, when it is found and when it changes. `protocolVersion`: empty where it did not say one. */
  readonly onEra?: (alias: string, variant: string, era: Era, protocolVersion: string) => void
  /** Takes questions of legacy servers to their callers; without it they are offered none. */
  readonly held?: HeldCalls | undefined
  /** A line that a process wrote to its stderr. */
  readonly log?: (alias: string, line: string) => void
  /** What became of processes: facts of ours. */
  readonly report?: (name: string, facts: Facts) => void
  readonly clock?: Clock
  readonly listenTimings?: Partial<ListenTimings>
  readonly random?: () => number
}

export function createUpstream(options: UpstreamOptions): Upstream {
  const { upstreams, suspect, onMoved, onEra, held, log, report, clock = systemClock, listenTimings, random = Math.random } = options
  const moved = new Set<string>()
  const tellMoved = (alias: string, path: string): void => {
    if (moved.has(alias)) return
    moved.add(alias)
    onMoved?.(alias, path.split('?', 1)[0] ?? '')
  }
  const timings = { ...LISTEN_TIMINGS, ...listenTimings }
  const listenings = new Set<{ close(): void }>()
  const connections: Connections[] = []
  const legacies: LegacyPeer[] = []
  const processes: Processes[] = []
  const sides = new Map([...upstreams].map(([alias, config]) => [alias, sidesOf(alias, config)]))

  /** By variant. */
  function sidesOf(alias: string, config: UpstreamConfig): ReadonlyMap<string, Side> {
    const shared = createConnections(config)
    connections.push(shared)
    const started = processesOf(alias, config)
    const made = [{ name: SHARED, credentialHeaders: config.credentialHeaders }, ...config.variants].map(
      ({ name, credentialHeaders }) => [name, sideOf(name, { ...config, credentialHeaders }, shared, started)] as const,
    )
    return new Map(made)
  }

  function processesOf(alias: string, config: UpstreamConfig): Processes | undefined {
    const { transport } = config
    if (transport.kind !== 'stdio') return undefined
    const started = createProcesses(
      { ...config, transport },
      { log: log && (line => log(alias, line)), report: report && ((name, facts) => report(name, { alias, ...facts })), clock },
    )
    processes.push(started)
    return started
  }

  function sideOf(variant: string, config: UpstreamConfig, shared: Connections, started: Processes | undefined): Side {
    const { alias, transport, era } = config
    const pipes = started && new ModernPipes(started, config.timeoutMs)
    const peer = createPeer(config, path => tellMoved(alias, path), shared, pipes?.post)
    const legacy = new LegacyPeer({
      peer,
      ways: waysTo(peer, started && pipes && { pipes, processes: started }, timings),
      processes: started?.size,
      canAsk: held !== undefined,
      clock,
      timings,
      random,
      onNews: ({ kind }) => (kind === 'list_changed' ? suspect(alias, variant) : undefined),
    })
    legacies.push(legacy)
    const shakeHands = (): Promise<Handshake> => legacy.shakeHands()
    const questions =
      pipes !== undefined && era === 'auto' ? createProbe(peer, pipes, shakeHands) : { discover: () => fetchDiscovery(peer), shakeHands }
    const eras = new EraFinder({
      ...questions,
      // HTTP+SSE was never spoken in another.
      era: transport.kind === 'sse' ? 'legacy' : era,
      clock,
      onFound: (found, protocolVersion) => onEra?.(alias, variant, found, protocolVersion),
    })
    return new Side({ peer, legacy, eras, held, suspect, timings, random })
  }

  const sideFor = (alias: string, variant: string): Side => {
    const side = sides.get(alias)?.get(variant)
    // Never another credential in its place.
    if (side === undefined) throw new Error(`no upstream ${aliasOfVariant(alias, variant)}`)
    return side
  }
  /** They never end by themselves, and nobody is waited for who only listens. */
  const endListenings = (): void => {
    for (const listening of listenings) listening.close()
    listenings.clear()
    for (const { desk } of legacies) desk.close()
  }
  const endConnections = async (end: (connections: Connections) => Promise<void> | undefined): Promise<void> => {
    await Promise.all([...connections.map(({ listenPool }) => listenPool.destroy()), ...connections.map(end)])
    await Promise.all(processes.map(started => started.close()))
  }
  return {
    send(intent, caller, traceparent) {
      const { alias, variant } = intent.ticket.admission.checked.grant.item
      return sideFor(alias, variant).send(intent, caller, traceparent)
    },
    fetchList: (alias, kind, cursor, variant) => sideFor(alias, variant).fetchList(kind, cursor),
    discover: (alias, variant) => sideFor(alias, variant).discover(),
    listen(alias, filter, onNews, variant) {
      const listening = sideFor(alias, variant).listen(filter, onNews)
      listenings.add(listening)
      return {
        close() {
          listening.close()
          listenings.delete(listening)
        },
      }
    },
    close: async () => {
      endListenings()
      await Promise.all(legacies.map(legacy => legacy.drain()))
      // A pool that was aborted has nothing left to wait for; to close it would be an error that nobody listens to.
      await endConnections(({ pool }) => (pool.destroyed ? undefined : pool.close()))
    },
    abort: async () => {
      endListenings()
      await endConnections(({ pool }) => pool.destroy())
      await Promise.all(legacies.map(legacy => legacy.close()))
    },
  }
}
