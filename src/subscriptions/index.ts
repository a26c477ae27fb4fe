/**
 * Who wants to be told of changes?
 * Takes a checked `subscriptions/listen`; acknowledges it, then notifies until the caller leaves, its token ends, or the process drains. Throws LIMITS_STREAMS, HTTP_NOT_ACCEPTABLE.
 * Keeps every open subscription, across policy revisions, and an upstream's news for those that ask for them.
 * Never passes an upstream's word on as it came: lists have changed when this caller's own view has, and who may not read a resource hears nothing of it.
 */
import { setImmediate as breathe } from 'node:timers/promises'
import type { Clock } from '../core/clock.ts'
import type { EndpointConfig } from '../core/configuration.ts'
import { Refusal } from '../core/errors.ts'
import type { CallerStream, Principal, RequestId, RequestMeta, ResultText } from '../core/model.ts'
import { type ListenFilter, subscriptionMeta, type UpstreamNews } from '../mcp/index.ts'
import { Subscription } from './subscription.ts'

export interface Listen {
  readonly id: RequestId
  readonly endpoint: EndpointConfig
  readonly principal: Principal
  readonly wanted: ListenFilter
  readonly meta: RequestMeta
  readonly caller: CallerStream
}

/** What the rooms of the current revision say; replaced when a revision is. */
export interface Outlook {
  /** How many subscriptions one principal may hold open. */
  readonly maxOpen: number
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
  /** News of one upstream until closed; goes on by itself after a drop. */
  listen(alias: string, filter: ListenFilter, onNews: (news: UpstreamNews) => void): { close(): void }
}

export type ListName = 'tools' | 'prompts' | 'resources'

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

/** Long enough to make one notice of a list that is approved item by item. */
const SETTLE_MS = 50
/** Fingerprints of one turn of the event loop. */
const PER_TURN = 32

export function createSubscriptions({ clock }: { readonly clock: Clock }): Subscriptions {
  const open = new Set<Subscription>()
  let outlook: Outlook | undefined
  let isEnding = false
  let isSettling = false

  async function tellChanges(): Promise<void> {
    isSettling = false
    let turn = 0
    for (const subscription of [...open]) {
      if (outlook !== undefined) subscription.compare(outlook)
      turn += 1
      if (turn % PER_TURN === 0) await breathe()
    }
  }

  function viewChanged(): void {
    if (open.size === 0 || isSettling) return
    isSettling = true
    setTimeout(() => void tellChanges(), SETTLE_MS).unref()
  }

  return {
    viewChanged,
    async hold(listen) {
      if (outlook === undefined) throw new Error('no revision stands yet')
      if (countOf(open, listen.principal) >= outlook.maxOpen)
        throw new Refusal('LIMITS_STREAMS', { notProcessed: true }, { open: open.size })
      const subscription = new Subscription(listen, clock)
      subscription.begin(outlook)
      open.add(subscription)
      if (isEnding) subscription.end()
      await subscription.ended
      open.delete(subscription)
      return { members: '', meta: subscriptionMeta(listen.id) }
    },
    move(next) {
      outlook = next
      for (const subscription of open) subscription.follow(next)
      viewChanged()
    },
    end() {
      isEnding = true
      for (const subscription of open) subscription.end()
    },
  }
}

/** By identity, not by token: a caller with a hundred tokens is one caller. */
function countOf(open: ReadonlySet<Subscription>, { identity }: Principal): number {
  let count = 0
  for (const { principal } of open) if (principal.identity === identity) count += 1
  return count
}
