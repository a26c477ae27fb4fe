/**
 * The other side of the house.
 * Takes an `Intent` and the caller's stream; returns the `Answer`, or throws UPSTREAM_UNREACHABLE, UPSTREAM_AUTH_REQUIRED, UPSTREAM_INVALID, UPSTREAM_TIMEOUT, CALLER_GONE.
 * Keeps two connection pools per upstream, one for subscriptions, with its own TLS trust, and our own credential for each class of principals.
 * Never sends a caller's token, follows a redirect to another origin, re-sends a call, or copies a response header.
 */
import type { UpstreamConfig } from '../core/configuration.ts'
import type { JsonDocument } from '../core/json.ts'
import type { Answer, CallerStream, Intent, ItemKind } from '../core/model.ts'
import { aliasOfVariant, SHARED } from '../core/variant.ts'
import type { ListenFilter, UpstreamNews } from '../mcp/index.ts'
import { fetchDiscovery, fetchList } from './fetch-document.ts'
import { LISTEN_TIMINGS, Listening, type ListenTimings } from './listening.ts'
import { type Connections, createConnections, createPeer, type Peer } from './peer.ts'
import { sendCall } from './send-call.ts'

export interface Upstream {
  /** `traceparent`: our own span, which the upstream's becomes a child of. */
  send(intent: Intent, caller: CallerStream, traceparent?: string): Promise<Answer>
  /** One page of one of the upstream's lists, as the whole JSON-RPC response document. */
  fetchList(alias: string, kind: ItemKind, cursor: string | undefined, variant: string): Promise<JsonDocument>
  /** The upstream's `server/discover`, likewise. */
  discover(alias: string, variant: string): Promise<JsonDocument>
  /** News of the upstream until closed. Reconnects by itself, ever more slowly, and then says `resumed`; connections apart from those of calls. */
  listen(alias: string, filter: ListenFilter, onNews: (news: UpstreamNews) => void, variant: string): { close(): void }
  /** Takes nothing new; resolves when what is under way has ended. */
  close(): Promise<void>
  /** Ends what is under way now, whatever its outcome. */
  abort(): Promise<void>
}

export interface UpstreamOptions {
  readonly upstreams: ReadonlyMap<string, UpstreamConfig>
  /** Told when an answer suggests that what the upstream offers has changed. */
  readonly suspect: (alias: string, variant: string) => void
  /** Told once of each upstream that redirects within its origin: `path` is what its URL should say, without a query. */
  readonly onMoved?: (alias: string, path: string) => void
  readonly listenTimings?: Partial<ListenTimings>
  readonly random?: () => number
}

export function createUpstream({ upstreams, suspect, onMoved, listenTimings, random = Math.random }: UpstreamOptions): Upstream {
  const moved = new Set<string>()
  const tellMoved = (alias: string, path: string): void => {
    if (moved.has(alias)) return
    moved.add(alias)
    onMoved?.(alias, path.split('?', 1)[0] ?? '')
  }
  const timings = { ...LISTEN_TIMINGS, ...listenTimings }
  const listenings = new Set<Listening>()
  const connections: Connections[] = []
  const peers = new Map([...upstreams].map(([alias, config]) => [alias, peersOf(alias, config)]))

  /** By variant. */
  function peersOf(alias: string, config: UpstreamConfig): ReadonlyMap<string, Peer> {
    const shared = createConnections(config)
    connections.push(shared)
    const made = [{ name: SHARED, credentialHeaders: config.credentialHeaders }, ...config.variants].map(
      ({ name, credentialHeaders }) =>
        [name, createPeer({ ...config, credentialHeaders }, path => tellMoved(alias, path), shared)] as const,
    )
    return new Map(made)
  }

  const peerOf = (alias: string, variant: string): Peer => {
    const peer = peers.get(alias)?.get(variant)
    // Never another credential in its place.
    if (peer === undefined) throw new Error(`no upstream ${aliasOfVariant(alias, variant)}`)
    return peer
  }
  /** They never end by themselves, and nobody is waited for who only listens. */
  const endListenings = async (): Promise<void> => {
    for (const listening of listenings) listening.close()
    listenings.clear()
    await Promise.all(connections.map(({ listenPool }) => listenPool.destroy()))
  }
  return {
    send(intent, caller, traceparent) {
      const { alias, variant } = intent.ticket.admission.checked.grant.item
      return sendCall(peerOf(alias, variant), intent, caller, { suspect, traceparent })
    },
    fetchList: (alias, kind, cursor, variant) => fetchList(peerOf(alias, variant), kind, cursor),
    discover: (alias, variant) => fetchDiscovery(peerOf(alias, variant)),
    listen(alias, filter, onNews, variant) {
      const listening = new Listening(peerOf(alias, variant), filter, onNews, timings, random)
      listenings.add(listening)
      return {
        close() {
          listening.close()
          listenings.delete(listening)
        },
      }
    },
    close: async () => {
      // A pool that was aborted has nothing left to wait for; to close it would be an error that nobody listens to.
      await Promise.all([endListenings(), ...connections.map(({ pool }) => (pool.destroyed ? undefined : pool.close()))])
    },
    abort: async () => {
      await Promise.all([endListenings(), ...connections.map(({ pool }) => pool.destroy())])
    },
  }
}
