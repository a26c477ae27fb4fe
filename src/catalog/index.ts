/**
 * What exists, and is it what we approved?
 * Takes an endpoint and an exposed name; returns an `ApprovedItem`, or throws CATALOG_UNKNOWN_TOOL (one answer for unknown, pending, drifted, withheld).
 * Keeps the lock files' approved descriptors and the last snapshot of each upstream, refreshed outside the call path.
 * Never fetches during a call, and never shows text that was not approved.
 */
import type { Clock } from '../core/clock.ts'
import type { EndpointConfig, PinConfig, UpstreamConfig } from '../core/configuration.ts'
import { Refusal } from '../core/errors.ts'
import { canonicalJson, type JsonDocument, type JsonObject } from '../core/json.ts'
import type { ApprovedItem, ItemKind } from '../core/model.ts'
import type { ListenFilter, UpstreamNews } from '../mcp/index.ts'
import type { Report } from './events.ts'
import { visibleName } from './hidden-characters.ts'
import { loadLocks, marksOf, watchLocks } from './lock-directory.ts'
import { createScreening } from './screening.ts'
import { type Carried, createShelf, type Shelf } from './shelf.ts'
import { buildView, type View } from './view.ts'
import { pollDelayMs } from './watch.ts'

export { type Decision, decide } from './decisions.ts'
export { diffLines } from './diff.ts'
export { changeFindings, type Finding, findingsIn } from './findings.ts'
export { visible, visibleName } from './hidden-characters.ts'
export { isLockOf } from './judge.ts'
export { type Lock, LockFileError } from './lock.ts'
export { editLock, loadLock } from './lock-file.ts'
export { digestOfSet } from './pin.ts'
export { type Connection, type Reviewed, reviewUpstream, type UpstreamReview } from './review.ts'

export interface UpstreamState {
  readonly alias: string
  /** `new`: never seen; `stale`: the last refresh failed and the last good snapshot is still in use; `expired`: too old, nothing of it is served. */
  readonly snapshot: 'new' | 'fresh' | 'stale' | 'expired'
  /** How long ago it showed its tools last; since it was first asked, if it never did. */
  readonly silentMs: number
  readonly approved: number
  readonly pending: number
  readonly drifted: number
  readonly missing: number
  readonly withheld: readonly { readonly name: string; readonly reason: string }[]
}

/** What an endpoint's upstreams can do together, as far as it is served. */
export interface ServedProfile {
  readonly tools: boolean
  readonly prompts: boolean
  readonly resources: boolean
  readonly completions: boolean
  readonly logging: boolean
  readonly tasks: boolean
  /** Approved `instructions`, in the order of the endpoint's upstreams. */
  readonly instructions: readonly { readonly alias: string; readonly text: string }[]
}

export interface Catalog {
  /**
   * What a caller's name stands for; throws CATALOG_UNKNOWN_TOOL, _PROMPT or _RESOURCE. A resource is looked for by its URI: as a listed
   * one, as a template's own text, as an instance of a template, and at last as one that no list names.
   */
  resolve(endpoint: EndpointConfig, kind: 'tool' | 'prompt' | 'resource', exposedName: string): ApprovedItem
  /** Every approved item of a kind, in a stable order. */
  list(endpoint: EndpointConfig, kind: ItemKind): readonly ApprovedItem[]
  /** How long a list may be kept, and which upstreams it lacks. */
  freshness(endpoint: EndpointConfig, kind: ItemKind): { readonly ttlMs: number; readonly lacking: readonly string[] }
  profile(endpoint: EndpointConfig): ServedProfile
  states(): readonly UpstreamState[]
  /** The upstream answered as if its tools had changed: look again soon. */
  suspect(alias: string): void
  /** First snapshots: resolves when every upstream answered or failed, or after `deadlineMs`. */
  start(deadlineMs: number): Promise<void>
  close(): Promise<void>
}

export interface CatalogOptions {
  readonly endpoints: readonly EndpointConfig[]
  readonly upstreams: ReadonlyMap<string, UpstreamConfig>
  readonly pins: PinConfig
  /** `policies/pins` */
  readonly lockDirectory: string
  readonly clock: Clock
  /** One page of an upstream's list: the whole JSON-RPC response. */
  readonly fetchList: (alias: string, kind: ItemKind, cursor: string | undefined) => Promise<JsonDocument>
  /** An upstream's `server/discover`: the whole JSON-RPC response. */
  readonly discover: (alias: string) => Promise<JsonDocument>
  /** News of an upstream's lists until closed; goes on by itself after a drop. */
  readonly listen: (alias: string, filter: ListenFilter, onNews: (news: UpstreamNews) => void) => { close(): void }
  /** Told when what some endpoint shows has changed: after a snapshot, a decision, an expiry. */
  readonly onChange: () => void
  /** Why a schema cannot be enforced, or `undefined` when it can. Asked once per approved pin. */
  readonly screen: (pin: string, descriptor: JsonObject) => string | undefined
  /** Audit events: `pin.*`, `lock.*`, `upstream.*`; docs/pins.md lists them. */
  readonly report: Report
  /** The catalog of the revision before: what it has seen of the same servers is served until they are asked again. */
  readonly previous?: Catalog | undefined
  readonly random?: () => number
}

/** How long a list that lacks an upstream may be kept. */
const PARTIAL_TTL_MS = 5_000

const carriedBy = new WeakMap<Catalog, () => readonly Carried[]>()

/** Loads every lock file; throws LockFileError with all faults of all files. Nothing is fetched before `start`. */
export async function createCatalog(options: CatalogOptions): Promise<Catalog> {
  const { endpoints, upstreams, pins, lockDirectory, clock, fetchTools, report, random = Math.random } = options
  const aliases = [...upstreams.keys()]
  // Before the files are read: what is decided between that and the first look would otherwise go unseen.
  const marks = await marksOf(lockDirectory, aliases)
  const locks = await loadLocks(lockDirectory, aliases)
  const screening = createScreening(options.screen)
  const carried = (options.previous && carriedBy.get(options.previous)?.()) ?? []
  const shelves = new Map<string, Shelf>()
  const views = new Map<string, View>()
  let isReady = false

  function rebuild(alias: string): void {
    for (const endpoint of isReady ? endpoints : []) if (endpoint.upstreams.includes(alias)) build(endpoint)
  }

  function build(endpoint: EndpointConfig): void {
    const before = views.get(endpoint.path)
    const view = buildView(endpoint, stocksOf(endpoint, shelves), before)
    views.set(endpoint.path, view)
    const known = new Set(before?.collisions.map(({ exposedName }) => exposedName))
    for (const { alias, upstreamName, exposedName } of view.collisions) {
      if (!known.has(exposedName)) report('pin.collision', { alias, tool: visibleName(upstreamName), exposedName })
    }
  }

  for (const upstream of upstreams.values()) {
    const { alias } = upstream
    const lock = locks.get(alias)
    const before = carried.find(candidate => isSameServer(candidate.upstream, upstream))
    const wasKnown = carried.some(candidate => candidate.upstream.alias === alias && candidate.isKnown)
    const shared = { upstream, lock, lockDirectory, pins, clock, random, fetchTools, screening, report, carried: before, wasKnown }
    const shelf = createShelf({ ...shared, onChange: () => rebuild(alias) })
    shelves.set(alias, shelf)
    await shelf.relock(lock)
  }
  isReady = true
  for (const endpoint of endpoints) build(endpoint)
  const lockWatch = watchLocks({
    lockDirectory,
    marks,
    report,
    onLock: (alias, lock) => shelves.get(alias)?.relock(lock),
  })

  const catalog: Catalog = {
    resolve(endpoint, exposedName) {
      const view = views.get(endpoint.path)
      const offer = view?.byName.get(exposedName)
      if (offer === undefined) throw unknownTool(exposedName, view?.reasons.get(exposedName) ?? 'unknown')
      if (offer.stock.isExpired()) throw unknownTool(exposedName, 'expired')
      return offer.tool
    },
    list(endpoint) {
      const view = views.get(endpoint.path)
      if (view === undefined) return []
      if (!view.stocks.some(stock => stock.isExpired())) return view.list
      return view.list.filter(tool => view.byName.get(tool.exposedName)?.stock.isExpired() === false)
    },
    freshness(endpoint) {
      const own = stocksOf(endpoint, shelves)
      const lacking = own.filter(shelf => !shelf.isSeen || shelf.isExpired()).map(shelf => shelf.alias)
      const isWhole = own.every(shelf => shelf.freshness() === 'fresh')
      const delays = own.map(shelf => pollDelayMs(shelf.snapshot?.ttlMs ?? 0, pins.pollMs))
      return { ttlMs: Math.floor(Math.min(isWhole ? pins.pollMs : PARTIAL_TTL_MS, ...delays)), lacking }
    },
    states: () => [...shelves.values()].map(shelf => stateOf(shelf, views)),
    suspect: alias => shelves.get(alias)?.watch.suspect(),
    async start(deadlineMs) {
      lockWatch.start()
      // A server seen by the revision before is asked again too, but nobody waits for it.
      const first = [...shelves.values()].flatMap(shelf => {
        const look = shelf.watch.start()
        return shelf.isSeen ? [] : [look]
      })
      await within(deadlineMs, Promise.all(first))
    },
    async close() {
      lockWatch.close()
      for (const shelf of shelves.values()) shelf.watch.close()
    },
  }
  carriedBy.set(catalog, () => [...shelves.values()].map(shelf => shelf.carry()))
  return catalog
}

/** One answer for every reason, byte for byte: only the record tells a hidden tool from one that never was. */
function unknownTool(name: string, reason: string): Refusal {
  return new Refusal('CATALOG_UNKNOWN_TOOL', { name }, { reason })
}

function stocksOf(endpoint: EndpointConfig, shelves: ReadonlyMap<string, Shelf>): readonly Shelf[] {
  return endpoint.upstreams.flatMap(alias => shelves.get(alias) ?? [])
}

/** The same server, judged by the same rules for reading a descriptor. */
function isSameServer(a: UpstreamConfig, b: UpstreamConfig): boolean {
  const [was, is] = [a, b].map(({ alias, url, dropPointers, xMcpHeaderAllowNumber }) =>
    canonicalJson([alias, url, dropPointers, xMcpHeaderAllowNumber]),
  )
  return was === is
}

function stateOf(shelf: Shelf, views: ReadonlyMap<string, View>): UpstreamState {
  const { alias, judged, snapshot } = shelf
  const count = (state: string) => judged.filter(tool => tool.state === state).length
  const withheld = new Map((snapshot?.withheld ?? []).map(({ name, reason }) => [visibleName(name), reason]))
  for (const { name, state, seen } of judged) {
    const reason = state === 'approved' && seen !== undefined ? shelf.unenforceable(seen.pin) : undefined
    if (reason !== undefined) withheld.set(visibleName(name), reason)
  }
  for (const { collisions } of views.values()) {
    for (const { alias: owner, upstreamName } of collisions) if (owner === alias) withheld.set(visibleName(upstreamName), 'collision')
  }
  return {
    alias,
    snapshot: shelf.freshness(),
    silentMs: shelf.silentMs(),
    approved: count('approved'),
    pending: count('pending'),
    drifted: count('drifted'),
    missing: snapshot === undefined ? 0 : count('missing'),
    withheld: [...withheld].map(([name, reason]) => ({ name, reason })),
  }
}

async function within(deadlineMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<void>(resolve => {
    timer = setTimeout(resolve, deadlineMs)
  })
  await Promise.race([work, deadline])
  clearTimeout(timer)
}
