/**
 * The other side of the house.
 * Takes an `Intent` and the caller's stream; returns the `Answer`, or throws UPSTREAM_UNREACHABLE, UPSTREAM_AUTH_REQUIRED, UPSTREAM_INVALID, UPSTREAM_TIMEOUT, CALLER_GONE.
 * Keeps one connection pool per upstream, with its own TLS trust and our own credential.
 * Never sends a caller's token, follows a redirect, re-sends a call, or copies a response header.
 */
import type { UpstreamConfig } from '../core/configuration.ts'
import type { JsonDocument } from '../core/json.ts'
import type { Answer, CallerStream, Intent, ItemKind } from '../core/model.ts'
import type { ListenFilter, UpstreamNews } from '../mcp/index.ts'
import { fetchPage } from './fetch-page.ts'
import { createPeer, type Peer } from './peer.ts'
import { sendCall } from './send-call.ts'

export interface Upstream {
  /** `traceparent`: our own span, which the upstream's becomes a child of. */
  send(intent: Intent, caller: CallerStream, traceparent?: string): Promise<Answer>
  /** One page of one of the upstream's lists, as the whole JSON-RPC response document. */
  fetchList(alias: string, kind: ItemKind, cursor: string | undefined): Promise<JsonDocument>
  /** The upstream's `server/discover`, likewise. */
  discover(alias: string): Promise<JsonDocument>
  /** News of the upstream until closed. Reconnects by itself, ever more slowly, and then says `resumed`; connections apart from those of calls. */
  listen(alias: string, filter: ListenFilter, onNews: (news: UpstreamNews) => void): { close(): void }
  /** Takes nothing new; resolves when what is under way has ended. */
  close(): Promise<void>
  /** Ends what is under way now, whatever its outcome. */
  abort(): Promise<void>
}

export interface UpstreamOptions {
  readonly upstreams: ReadonlyMap<string, UpstreamConfig>
  /** Told when an answer suggests that the upstream's tools have changed. */
  readonly suspect: (alias: string) => void
}

export function createUpstream({ upstreams, suspect }: UpstreamOptions): Upstream {
  const peers = new Map([...upstreams].map(([alias, config]) => [alias, createPeer(config)]))
  const peerOf = (alias: string): Peer => {
    const peer = peers.get(alias)
    if (peer === undefined) throw new Error(`no upstream ${alias}`)
    return peer
  }
  return {
    send: (intent, caller, traceparent) =>
      sendCall(peerOf(intent.ticket.admission.checked.grant.item.alias), intent, caller, { suspect, traceparent }),
    fetchTools: (alias, cursor) => fetchPage(peerOf(alias), cursor),
    close: async () => {
      // A pool that was aborted has nothing left to wait for; to close it would be an error that nobody listens to.
      await Promise.all([...peers.values()].map(({ pool }) => (pool.destroyed ? undefined : pool.close())))
    },
    abort: async () => {
      await Promise.all([...peers.values()].map(({ pool }) => pool.destroy()))
    },
  }
}
