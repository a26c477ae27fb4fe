/**
 * What exists, and is it what we approved?
 * Takes an endpoint and an exposed name or URI; returns an `ApprovedItem`, or throws CATALOG_UNKNOWN_* (one answer for unknown, pending, drifted, withheld).
 * Keeps the lock files' approved descriptors and the last snapshot of each list of each upstream, refreshed outside the call path.
 * Never fetches during a call, and never shows text that was not approved.
 */
import type { Clock } from '../core/clock.ts'
import type { EndpointConfig, PinConfig, UpstreamConfig } from '../core/configuration.ts'
import { canonicalJson, type JsonDocument, type JsonObject } from '../core/json.ts'
import type { ApprovedItem, ItemKind } from '../core/model.ts'
import type { ListenFilter, UpstreamNews } from '../mcp/index.ts'
import type { Report } from './events.ts'
import { visibleName } from './hidden-characters.ts'
import { LIST_KINDS, PIN_KINDS } from './kinds.ts'
import { loadLocks, marksOf, watchLocks } from './lock-directory.ts'
import { profileOf, type ServedProfile } from './profile.ts'
import { createRebuilding } from './rebuilding.ts'
import { resolveName, resolveUri } from './resolve.ts'
import { createScreening } from './screening.ts'
import { type Carried, createShelf, type Shelf } from './shelf.ts'
import { stateOf, type UpstreamState } from './states.ts'
import { pollDelayMs } from './watch.ts'
import { createWindow, type Window } from './window.ts'

export { type Decision, decide } from './decisions.ts'
export { diffLines } from './diff.ts'
export { changeFindings, type Finding, findingsOf } from './findings.ts'
export { visible, visibleName } from './hidden-characters.ts'
export { isLockOf } from './judge.ts'
export { isPinKind, PIN_KINDS, type PinKind } from './kinds.ts'
export { type Lock, LockFileError } from './lock.ts'
export { editLock, loadLock } from './lock-file.ts'
export { parseSigningKey, type SigningKey } from './lock-signature.ts'
export { digestOfSet } from './pin.ts'
export type { ServedProfile } from './profile.ts'
export { type Connection, type Reviewed, reviewUpstream, type UpstreamReview } from './review.ts'
export type { UpstreamState } from './states.ts'

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
  const { endpoints, upstreams, pins, lockDirectory, report, onChange, random = Math.random } = options
  const aliases = [...upstreams.keys()]
  // Before the files are read: what is decided between that and the first look would otherwise go unseen.
  const marks = await marksOf(lockDirectory, aliases)
  const locks = await loadLocks(lockDirectory, aliases, pins.signers)
  const screening = createScreening(options.screen)
  const carried = (options.previous && carriedBy.get(options.previous)?.()) ?? []
  const rebuilding = createRebuilding(onChange)
  const shelves = new Map<string, Shelf>()
  for (const upstream of upstreams.values()) {
    const { alias } = upstream
    const lock = locks.get(alias)
    const before = carried.find(candidate => isSameServer(candidate.upstream, upstream))
    const wasKnown = carried.some(candidate => candidate.upstream.alias === alias && candidate.isKnown)
    const told = { onJudged: rebuilding.judgedOf(alias), onTurn: rebuilding.turned }
    shelves.set(alias, createShelf({ ...options, upstream, lock, random, screening, carried: before, wasKnown, ...told }))
  }
  const screened = screenAll([...shelves.values()])
  // A later revision shows at once what the one before it showed. A first one has nobody to show anything yet, and looks meanwhile.
  if (options.previous !== undefined) await screened
  const windows = new Map<string, Window>()
  for (const endpoint of endpoints) {
    const window = createWindow(endpoint, stocksOf(endpoint, shelves), ({ kind, alias, upstreamName, exposedName }) =>
      report('pin.collision', { alias, kind, name: visibleName(upstreamName), exposedName }),
    )
    window.build(PIN_KINDS)
    windows.set(endpoint.path, window)
  }
  rebuilding.watch([...windows.values()])
  if (options.previous !== undefined) rebuilding.begin()
  const lockWatch = watchLocks({
    lockDirectory,
    signers: pins.signers,
    marks,
    report,
    onLock: async (alias, lock) => {
      await shelves.get(alias)?.relock(lock)
      rebuilding.flush()
    },
  })

  const catalog: Catalog = {
    resolve(endpoint, kind, exposedName) {
      const window = windows.get(endpoint.path)
      if (kind === 'resource') return resolveUri(window?.uris, exposedName)
      return resolveName(window?.view(kind), kind === 'tool' ? 'CATALOG_UNKNOWN_TOOL' : 'CATALOG_UNKNOWN_PROMPT', exposedName)
    },
    list(endpoint, kind) {
      const window = windows.get(endpoint.path)
      if (window === undefined) return []
      const { list, byName } = window.view(kind)
      if (!window.stocks.some(stock => stock.isExpired(kind))) return list
      return list.filter(item => byName.get(item.exposedName)?.stock.isExpired(kind) === false)
    },
    freshness(endpoint, kind) {
      const own = stocksOf(endpoint, shelves)
      const parts = own.map(({ holdings }) => holdings.part(kind))
      const lacking = own.filter(shelf => !shelf.isSeen(kind) || shelf.isExpired(kind)).map(({ alias }) => alias)
      const isWhole = parts.every(part => part.freshness() === 'fresh')
      const delays = parts.map(({ snapshot }) => pollDelayMs(snapshot?.ttlMs ?? 0, pins.pollMs))
      return { ttlMs: Math.floor(Math.min(isWhole ? pins.pollMs : PARTIAL_TTL_MS, ...delays)), lacking }
    },
    profile: endpoint => profileOf(stocksOf(endpoint, shelves), windows.get(endpoint.path)?.instructions ?? []),
    states() {
      const collisions = [...windows.values()].flatMap(window => LIST_KINDS.flatMap(kind => window.view(kind).collisions))
      return [...shelves.values()].map(shelf => stateOf(shelf, collisions))
    },
    suspect: alias => shelves.get(alias)?.watch.suspect(),
    async start(deadlineMs) {
      lockWatch.start()
      // A server seen by the revision before is asked again too, but nobody waits for it.
      const first = [...shelves.values()].flatMap(shelf => {
        const look = shelf.watch.start()
        return shelf.isServed() ? [] : [look]
      })
      await Promise.all([screened, within(deadlineMs, Promise.all(first))])
      rebuilding.begin()
    },
    async close() {
      lockWatch.close()
      rebuilding.close()
      for (const shelf of shelves.values()) shelf.watch.close()
    },
  }
  carriedBy.set(catalog, () => [...shelves.values()].map(shelf => shelf.carry()))
  return catalog
}

/** One after the other: schemas take milliseconds each to compile, and what comes from the network is heard between them. */
function screenAll(shelves: readonly Shelf[]): Promise<void> {
  const screened = (async () => {
    for (const shelf of shelves) await shelf.screen()
  })()
  // Whoever starts the catalog is told of a failure; where nobody does, nobody needs to be.
  screened.catch(() => undefined)
  return screened
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

async function within(deadlineMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<void>(resolve => {
    timer = setTimeout(resolve, deadlineMs)
  })
  await Promise.race([work, deadline])
  clearTimeout(timer)
}
