import { Refusal } from '../../core/errors.ts'
import type { ClientCapabilities } from '../../core/model.ts'
import type { UpstreamNews } from '../../mcp/index.ts'
import type { Line, LineEvents } from '../line.ts'
import type { Holds } from './holds.ts'
import type { LegacyCallOptions } from './legacy-call.ts'

export type OpenLine = (events: LineEvents) => Promise<Line>

/** What is said of the channel that belongs to no request, and on it. `over`: the conversation is. */
export type ChannelNews = UpstreamNews | { readonly kind: 'open' | 'lost' | 'none' | 'over' }

export interface ConversationOptions {
  readonly open: OpenLine
  /** What the server is offered: it may ask for nothing else. */
  readonly capabilities: ClientCapabilities
  /** For each request of our own. */
  readonly timeoutMs: number
  readonly nextId: () => number
  readonly onNews: (news: UpstreamNews) => void
  /** One person's alone: what the server asks on the channel for what belongs to no request is meant for that person too. */
  readonly isPersonal: boolean
  readonly holds: Holds
}

export interface CallRequest extends Pick<LegacyCallOptions, 'person' | 'effectful' | 'wantsProgress' | 'judge' | 'onEnd'> {
  readonly write: (id: number) => string
  readonly headers: readonly string[]
  readonly timeoutMs: number
}

/** Whether there is anything that the server may ask for. */
export function offersAnything({ form, url, sampling, roots }: ClientCapabilities): boolean {
  return form || url || sampling || roots
}

/** Whether the server may ask for this at all. */
export function isOffered({ form, url, sampling, roots }: ClientCapabilities, method: string): boolean {
  if (method === 'elicitation/create') return form || url
  return method === 'sampling/createMessage' ? sampling : method === 'roots/list' && roots
}

/** An HTTP answer that is no answer to a request of a session: for another, a server that forgot it may say so in any way it likes. */
export function endsSession(error: Error): boolean {
  return error instanceof Refusal && (error.code === 'UPSTREAM_AUTH_REQUIRED' || typeof error.detail.status === 'number')
}
