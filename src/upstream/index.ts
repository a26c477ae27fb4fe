/**
 * The other side of the house.
 * Takes an `Intent` and the caller's stream; returns the `Answer`, or throws UPSTREAM_UNREACHABLE, UPSTREAM_AUTH_REQUIRED, UPSTREAM_INVALID, UPSTREAM_TIMEOUT, CALLER_GONE.
 * Keeps two connection pools per upstream, one for subscriptions, with its own TLS trust, and our own credential for each class of principals.
 * Never sends a caller's token, follows a redirect to another origin, re-sends a call, or copies a response header.
 */

import { type Clock, systemClock } from '../core/clock.ts'
import type { UpstreamConfig } from '../core/configuration.ts'
import type { Report } from '../core/facts.ts'
import type { JsonDocument } from '../core/json.ts'
import type { Answer, CallerStream, Intent, ItemKind } from '../core/model.ts'
import { aliasOfVariant } from '../core/variant.ts'
import type { ListenFilter, UpstreamNews } from '../mcp/index.ts'
import { Dealings, type Told } from './dealings.ts'
import type { HeldCalls } from './held/index.ts'
import { LISTEN_TIMINGS, type ListenTimings } from './listening.ts'
import type { Side, SideState } from './side.ts'

export { createHeldCalls, type HeldCalls } from './held/index.ts'

export interface UpstreamSide extends SideState {
  readonly alias: string
  readonly variant: string
}

export interface Upstream {
  /** `traceparent`: our own span, which the upstream's becomes a child of. */
  send(intent: Intent, caller: CallerStream, traceparent?: string): Promise<Answer>
  /** One page of one of the upstream's lists, as the whole JSON-RPC response document. */
  fetchList(alias: string, kind: ItemKind, cursor: string | undefined, variant: string): Promise<JsonDocument>
  /** The upstream's `server/discover`, likewise; of a legacy server, what its `initialize` said, in that form. */
  discover(alias: string, variant: string): Promise<JsonDocument>
  /** News of the upstream until closed. Reconnects by itself, ever more slowly, and then says `resumed`; connections apart from those of calls. */
  listen(alias: string, filter: ListenFilter, onNews: (news: UpstreamNews) => void, variant: string): { close(): void }
  /** Of each variant of each upstream, for operators. */
  states(): readonly UpstreamSide[]
  /** Takes nothing new; resolves when what is under way has ended. */
  close(): Promise<void>
  /** Ends what is under way now, whatever its outcome. */
  abort(): Promise<void>
}

export interface UpstreamOptions {
  readonly upstreams: ReadonlyMap<string, UpstreamConfig>
  /** Told when an answer suggests that what the upstream offers has changed. */
  readonly suspect: (alias: string, variant: string) => void
  /** Takes questions of legacy servers to their callers; without it they are offered none. */
  readonly held?: HeldCalls | undefined
  /** A line that a process wrote to its stderr. */
  readonly log?: (line: string) => void
  /** What became of an upstream, for the trail: names and numbers of ours, never a word of its. */
  readonly report?: Report
  readonly clock?: Clock
  /** That of the revision before: its connections and sessions with servers that are still the same are taken over. */
  readonly previous?: Upstream | undefined
  readonly listenTimings?: Partial<ListenTimings>
  readonly random?: () => number
}

/** What each has to do with its upstreams, for the revision after it. */
const dealingsOf = new WeakMap<Upstream, ReadonlyMap<string, Dealings>>()

export function createUpstream(options: UpstreamOptions): Upstream {
  const listenings = new Set<{ close(): void }>()
  const users = usersOf(options)
  const dealings = deal(options)
  // Once all of them are there: who fails on the way has taken nothing.
  for (const [alias, user] of users) dealings.get(alias)?.take(user)

  const sideFor = (alias: string, variant: string): Side => {
    const side = dealings.get(alias)?.sideOf(variant)
    // Never another credential in its place.
    if (side === undefined) throw new Error(`no upstream ${aliasOfVariant(alias, variant)}`)
    return side
  }
  /** They never end by themselves, and nobody is waited for who only listens. */
  const endListenings = (): void => {
    for (const listening of listenings) listening.close()
    listenings.clear()
  }
  const upstream: Upstream = {
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
    states: () => [...dealings].flatMap(([alias, each]) => each.states().map(state => ({ alias, ...state }))),
    close: async () => {
      endListenings()
      await Promise.all([...users].map(([alias, user]) => dealings.get(alias)?.leave(user)))
    },
    abort: async () => {
      endListenings()
      await Promise.all([...dealings.values()].map(each => each.abort()))
    },
  }
  dealingsOf.set(upstream, dealings)
  return upstream
}

/** Apart from what lives as long as the room: whoever kept the revision before would keep all that were before it. */
function deal({
  upstreams,
  previous,
  held,
  clock = systemClock,
  listenTimings,
  random = Math.random,
}: UpstreamOptions): Map<string, Dealings> {
  const before = previous && dealingsOf.get(previous)
  const timings = { ...LISTEN_TIMINGS, ...listenTimings }
  return new Map(
    [...upstreams].map(([alias, config]) => {
      const known = before?.get(alias)
      return [alias, known?.isFor(config) === true ? known : new Dealings(config, { held, clock, timings, random })]
    }),
  )
}

/** Apart, likewise: a closure over the options in there keeps them for as long as the room. */
function usersOf({ upstreams, suspect, log = () => {}, report = () => {} }: UpstreamOptions): Map<string, Told> {
  return new Map([...upstreams.keys()].map(alias => [alias, { suspect: variant => suspect(alias, variant), log, report }]))
}
