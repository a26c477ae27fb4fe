import type { Clock } from '../core/clock.ts'
import type { PinConfig } from '../core/configuration.ts'
import { Refusal } from '../core/errors.ts'
import type { Report } from '../core/facts.ts'
import type { JsonDocument } from '../core/json.ts'
import type { ItemKind } from '../core/model.ts'
import { wordsOfRefusal } from '../core/upstream-words.ts'
import type { ListenFilter, UpstreamNews } from '../mcp/index.ts'
import { createReporter, type Reported } from './events.ts'
import type { Face } from './face.ts'
import { createFollower } from './follower.ts'
import { type CarriedHoldings, createHoldings, type Holdings } from './holdings.ts'
import { approvalsFor, decisionsFor, type JudgedItem, judge } from './judge.ts'
import { LIST_KINDS, PIN_KINDS, type PinKind } from './kinds.ts'
import type { Lock } from './lock.ts'
import { declares, type Look, lookAt, type Sight } from './look.ts'
import { type Discovery, TOOLS_ONLY, type UpstreamProfile } from './read-discovery.ts'
import type { SeenItem } from './read-item.ts'
import { type Examined, examine, NOTHING_EXAMINED, reasonIn, type Screen } from './screening.ts'
import { NOTHING, type Snapshot, SnapshotError } from './snapshot.ts'
import { isMet, trustOnFirstUse } from './trust.ts'
import type { Stock } from './view.ts'
import { createWatch, type Looked, type Watch } from './watch.ts'

/** One upstream as one class of principals is shown it: what was decided about it, what it shows, and how fresh that is. */
export interface Shelf extends Stock {
  readonly upstream: Face
  readonly watch: Watch
  readonly holdings: Holdings
  /** What it says it can do; of one that was never seen, what was approved of it. */
  readonly profile: UpstreamProfile
  /** Why its last look saw nothing, or not everything, in words of ours. */
  readonly problem: string | undefined
  /** Examines what is approved; until then nothing of the upstream is shown. */
  screen(): Promise<void>
  /** Puts another lock in the place of the one in use. */
  relock(lock: Lock | undefined): Promise<void>
  /** What a later revision may go on with, when the server is the same. */
  carry(): Carried
  close(): Promise<void>
}

export interface Carried {
  readonly upstream: Face
  readonly holdings: CarriedHoldings
  readonly profile: UpstreamProfile | undefined
  readonly reported: Reported
  readonly isKnown: boolean
}

/** What all shelves of a catalog are given. */
export interface CatalogContext {
  readonly pins: PinConfig
  /** `policies/pins` */
  readonly lockDirectory: string
  readonly clock: Clock
  /** One page of an upstream's list: the whole JSON-RPC response. */
  readonly fetchList: (alias: string, kind: ItemKind, cursor: string | undefined, variant: string) => Promise<JsonDocument>
  /** An upstream's `server/discover`: the whole JSON-RPC response. */
  readonly discover: (alias: string, variant: string) => Promise<JsonDocument>
  /** News of an upstream's lists until closed; goes on by itself after a drop. */
  readonly listen: (alias: string, filter: ListenFilter, onNews: (news: UpstreamNews) => void, variant: string) => { close(): void }
  /** Why a schema cannot be enforced, or `undefined` when it can. Asked once per approved pin. */
  readonly screen: Screen
  /** Audit events: `pin.*`, `lock.*`, `upstream.*`; docs/pins.md lists them. */
  readonly report: Report
}

interface ShelfOptions extends CatalogContext {
  readonly upstream: Face
  readonly lock: Lock | undefined
  readonly random: () => number
  /** Tools of the other upstreams, by alias: what a text may speak of. */
  readonly elsewhere: () => ReadonlyMap<string, Iterable<string>>
  /** The judged items of a kind are others than before. */
  readonly onJudged: (kind: PinKind) => void
  /** Other items are shown although none has changed. */
  readonly onTurn: () => void
  /** The lock file was written, without a person. */
  readonly onTrust: () => void
  /** What is known of the lock already: then it is used at once, and needs no `screen`. */
  readonly examined?: Examined | undefined
  readonly carried: Carried | undefined
  /** The revision before had met it. */
  readonly wasKnown: boolean
}

export function createShelf(options: ShelfOptions): Shelf {
  const { upstream, pins, clock, carried, onTurn } = options
  const { alias, variant } = upstream
  const reporter = createReporter({ face: upstream, report: options.report, clock, before: carried?.reported })
  const holdings = createHoldings({ clock, pins, event: reporter.event, onTurn, carried: carried?.holdings })
  const follower = createFollower(
    (filter, onNews) => options.listen(alias, filter, onNews, variant),
    () => watch.suspect(),
  )
  let characters = 0
  let problem: string | undefined
  const counted = async (answer: Promise<JsonDocument>): Promise<JsonDocument> => {
    const document = await answer
    characters += document.text.length
    return document
  }
  const source = {
    discover: () => counted(options.discover(alias, variant)),
    fetchList: (kind: ItemKind, cursor: string | undefined) => counted(options.fetchList(alias, kind, cursor, variant)),
  }
  let { lock } = options
  let profile = carried?.profile
  const judged = new Map<PinKind, readonly JudgedItem[]>()
  // A lock file that is gone for a moment, while a volume is swapped, must not make a known server look new; not to a reload either.
  let isKnown = options.wasKnown || isMet(lock, upstream)
  let examined = options.examined ?? NOTHING_EXAMINED
  let isScreened = options.examined !== undefined
  /** The last word on what was decided, also while it is still examined. */
  let latest = lock
  let adopting: symbol | undefined
  let trusting: Promise<unknown> = Promise.resolve()
  let closed = false

  async function refresh(mayGoOn: () => boolean): Promise<Looked> {
    characters = 0
    // A deadline or a newer revision may pass meanwhile; their word stands.
    const isCurrent = () => !closed && mayGoOn()
    const isFirstContact = !isKnown && pins.onFirstUse === 'trust'
    const { failures, ttlMs } = isFirstContact
      ? await meet(mayGoOn, isCurrent)
      : await lookAt(source, upstream, sightWhile(isCurrent), mayGoOn)
    if (!isCurrent()) return { ttlMs: 0, isWhole: true }
    const [first] = failures.values()
    problem = failures.size === 0 ? undefined : wordsOf(first)
    for (const [kind, error] of failures) holdings.fail(kind, reasonOf(error))
    return { ttlMs, isWhole: PIN_KINDS.every(kind => !holdings.part(kind).isFailing) }
  }

  function sightWhile(isCurrent: () => boolean): Sight {
    return {
      read: (kind, snapshot) => isCurrent() && take(kind, snapshot),
      discovered: discovery => isCurrent() && settle(discovery),
    }
  }

  /** The first contact is taken as a whole, so that all of it can be trusted; nothing of it where the tools are not to be had. */
  async function meet(mayGoOn: () => boolean, isCurrent: () => boolean): Promise<Look> {
    const lists = new Map<PinKind, Snapshot>()
    let discovery: Discovery | undefined
    const look = await lookAt(
      source,
      upstream,
      {
        read: (kind, snapshot) => lists.set(kind, snapshot),
        discovered: said => {
          discovery = said
        },
      },
      mayGoOn,
    )
    const shown = [...lists.values(), discovery?.server ?? NOTHING].flatMap(({ items }) => [...items.values()])
    if (!isCurrent()) return look
    const trusted = look.failures.has('tool') ? undefined : await trust(shown)
    const isAdopted = await adopt(trusted ?? latest)
    if (isCurrent()) {
      for (const kind of LIST_KINDS) {
        const snapshot = lists.get(kind)
        if (snapshot !== undefined) take(kind, snapshot)
      }
      settle(discovery)
    }
    // An earlier look may have seen the same; and a `relock` that this came in the way of leaves the judging to us.
    if (isAdopted) rejudgeAll()
    return look
  }

  async function trust(shown: readonly SeenItem[]): Promise<Lock | undefined> {
    const writing = trustOnFirstUse(options, shown)
    trusting = writing.catch(() => undefined)
    const written = await writing
    if (written !== undefined) options.onTrust()
    return written
  }

  function take(kind: PinKind, snapshot: Snapshot): void {
    if (holdings.take(kind, snapshot)) rejudge(kind)
  }

  /** What a server does not offer, it has nothing of; where it does not say, what it had is kept like a list that cannot be read. */
  function settle(discovery: Discovery | undefined): void {
    let isKept = false
    for (const kind of PIN_KINDS) {
      if (kind === 'tool' && discovery === undefined) continue
      if (kind === 'server' && discovery !== undefined) take(kind, discovery.server)
      else if (kind !== 'server' && discovery !== undefined && declares(discovery.profile, kind)) continue
      else if (discovery === undefined && (holdings.part(kind).snapshot?.items.size ?? 0) > 0) {
        isKept = true
        holdings.fail(kind, 'it does not say what it offers')
      } else take(kind, NOTHING)
    }
    profile = discovery?.profile ?? (isKept ? profile : undefined) ?? TOOLS_ONLY
    follower.follow(profile.listChanged)
  }

  function rejudge(kind: PinKind): void {
    if (!isScreened) return
    const { snapshot } = holdings.part(kind)
    const items = judge(kind, decisionsFor(upstream, lock), snapshot)
    judged.set(kind, items)
    if (snapshot !== undefined) reporter.items(kind, items, snapshot.withheld, unenforceable)
    options.onJudged(kind)
  }

  function unenforceable({ kind, state, approved }: JudgedItem): string | undefined {
    return state === 'approved' && approved !== undefined ? reasonIn(examined, { kind, pin: approved.pin }) : undefined
  }

  /** False: another one came meanwhile, and is the later word. */
  async function adopt(next: Lock | undefined): Promise<boolean> {
    const own = Symbol()
    adopting = own
    latest = next
    const known = await examine(approvalsFor(upstream, next), examined, options.screen)
    if (closed || adopting !== own) return false
    lock = next
    examined = known
    isKnown ||= isMet(lock, upstream)
    isScreened = true
    return true
  }

  function rejudgeAll(): void {
    for (const kind of PIN_KINDS) rejudge(kind)
  }

  async function relock(next: Lock | undefined): Promise<void> {
    if (await adopt(next)) rejudgeAll()
  }

  const watch = createWatch({
    refresh,
    onFailure(error) {
      problem = wordsOf(error)
      holdings.failAll(reasonOf(error))
    },
    characters: () => characters,
    pollMs: pins.pollMs,
    clock,
    random: options.random,
  })
  rejudgeAll()
  return {
    upstream,
    alias,
    variant,
    holdings,
    watch,
    get profile() {
      return profile ?? assumedOf(approvalsFor(upstream, lock))
    },
    get problem() {
      return problem
    },
    judged: kind => judged.get(kind) ?? [],
    withheld: kind => holdings.part(kind).snapshot?.withheld ?? [],
    unenforceable,
    isSeen: kind => holdings.part(kind).snapshot !== undefined,
    isExpired: kind => holdings.part(kind).isExpired(),
    isServed: () => holdings.freshness() === 'fresh' || holdings.freshness() === 'stale',
    screen: () => relock(latest),
    relock,
    async close() {
      closed = true
      watch.close()
      follower.close()
      holdings.close()
      // What is being written about a first contact is written to its end: whoever comes next must not find half of it.
      await trusting
    },
    carry: () => ({ upstream, holdings: holdings.carry(), profile, reported: reporter.reported, isKnown }),
  }
}

/** What a server that was never seen is assumed to offer: the kinds of what was approved of it. */
function assumedOf(approved: readonly { readonly kind: PinKind }[]): UpstreamProfile {
  const has = (...kinds: readonly PinKind[]) => approved.some(({ kind }) => kinds.includes(kind))
  return { ...TOOLS_ONLY, prompts: has('prompt'), resources: has('resource', 'resourceTemplate') }
}

/** For the operator, who is to find out what is wrong. */
function wordsOf(error: unknown): string {
  return error instanceof Refusal ? wordsOfRefusal(error) : reasonOf(error)
}

/** For the record: our own words only. */
function reasonOf(error: unknown): string {
  if (error instanceof SnapshotError) return error.message
  return error instanceof Refusal ? error.code : 'failed'
}
