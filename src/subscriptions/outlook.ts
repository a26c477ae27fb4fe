import type { EndpointConfig } from '../core/configuration.ts'
import type { CallerStream, Principal, RequestId, RequestMeta } from '../core/model.ts'
import type { ListenFilter, UpstreamNews } from '../mcp/index.ts'

export interface Listen {
  readonly id: RequestId
  readonly endpoint: EndpointConfig
  readonly principal: Principal
  readonly wanted: ListenFilter
  readonly meta: RequestMeta
  readonly caller: CallerStream
}

/** The stream of a session (MCP 2025-11-25 basic/transports §Listening for Messages from the Server): all its lists, and what it subscribed to. */
export interface SessionListen {
  readonly endpoint: EndpointConfig
  readonly principal: Principal
  readonly caller: CallerStream
  readonly protocolVersion: string
  readonly uris: readonly string[]
  /** What its client was told of the lists before the last stream broke, as `tell` was given it. */
  readonly seen: string | undefined
  readonly untilMs: number
  /** Says something, or only (`undefined`) that the stream has begun; `seen` is what the client has been told by then. */
  tell(message: string | undefined, seen: string): Promise<void> | void
  /** Runs `run` when the session wants to hear of something else, and with `undefined` when the stream is over. Returns what ends it. */
  watch(run: (uris: readonly string[] | undefined) => void): () => void
}

/** Another stream that stays open, and counts as a subscription does. */
export interface Company {
  readonly principal: Principal
  readonly caller: CallerStream
  readonly untilMs: number
}

/** What the rooms of the current revision say; replaced when a revision is. */
export interface Outlook {
  /** How many subscriptions one principal may hold open. */
  readonly maxOpen: number
  /** Whether callers at this endpoint may speak this revision of MCP. */
  isSpoken(path: string, protocolVersion: string): boolean
  /** Changes when what this principal is shown in this list does. */
  fingerprint(path: string, principal: Principal, list: ListName): string
  /** Where an exposed URI leads, if this principal may read it. */
  locate(path: string, principal: Principal, uri: string): Located | undefined
  /** Where a sealed task id leads, if it is this principal's. */
  locateTask(path: string, principal: Principal, taskId: string): Located | undefined
  /** What callers of an endpoint call an upstream's URI. */
  expose(path: string, alias: string, uri: string): string
  /** Members of the checked `tasks/get` result, asked for anew in this principal's name; `undefined` when there is none for it. */
  readTask(path: string, principal: Principal, taskId: string, meta: RequestMeta): Promise<string | undefined>
  /** News of one upstream, as it tells them of what this principal is shown, until closed; goes on by itself after a drop. */
  listen(principal: Principal, alias: string, filter: ListenFilter, onNews: (news: UpstreamNews) => void): { close(): void }
}

export const LISTS = ['tools', 'prompts', 'resources'] as const
export type ListName = (typeof LISTS)[number]

export interface Located {
  readonly alias: string
  /** The upstream's own URI or task id. */
  readonly inner: string
}
