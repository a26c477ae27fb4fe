/**
 * Who wants to be told of changes?
 * Takes a checked `subscriptions/listen`; acknowledges it, then notifies until the caller leaves, its token ends, or the process drains. Throws LIMITS_STREAMS.
 * Keeps every open subscription, across policy revisions, and one upstream subscription for each that asks for an upstream's own news.
 * Never passes an upstream's word on as it came: lists have changed when this caller's own view has.
 */
import type { EndpointConfig } from '../core/configuration.ts'
import type { CallerStream, ItemKind, Principal, RequestId, ResultText } from '../core/model.ts'
import type { ListenFilter, UpstreamNews } from '../mcp/index.ts'

export interface Listen {
  readonly id: RequestId
  readonly endpoint: EndpointConfig
  readonly principal: Principal
  readonly wanted: ListenFilter
  readonly caller: CallerStream
}

/** What the rooms of the current revision say; replaced when a revision is. */
export interface Outlook {
  /** Changes when what this principal is shown of this kind does. */
  fingerprint(path: string, principal: Principal, kind: ItemKind): string
  /** Where an exposed URI leads, if this principal may read it: `undefined` is not subscribed to. */
  locate(path: string, principal: Principal, uri: string): Located | undefined
  /** The same for a sealed task id. */
  locateTask(path: string, principal: Principal, taskId: string): Located | undefined
  /** News of one upstream until closed; goes on by itself after a drop. */
  listen(alias: string, filter: ListenFilter, onNews: (news: UpstreamNews) => void): { close(): void }
}

export interface Located {
  readonly alias: string
  /** The upstream's own URI or task id. */
  readonly inner: string
}

export interface Subscriptions {
  /** Resolves with the final result when the subscription ends; the caller's stream is open from then on. */
  hold(listen: Listen): Promise<ResultText>
  /** Somebody's view may have changed: compared, and told, soon. */
  viewChanged(): void
  /** A new revision stands; what is open goes on under it. */
  move(outlook: Outlook): void
  /** Ends every subscription with its final result; later ones end at once. */
  end(): void
}
