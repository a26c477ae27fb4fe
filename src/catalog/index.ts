/**
 * What exists, and is it what we approved?
 * Takes an endpoint, an exposed name or URI and who asks; returns an `ApprovedItem`, or throws CATALOG_UNKNOWN_* (one answer for unknown, pending, drifted, withheld).
 * Keeps the lock files' approved descriptors and the last snapshot of each list of each variant of each upstream, refreshed outside the call path.
 * Never fetches during a call, and never shows text that was not approved, or that another class of principals is shown.
 */

import type { EndpointConfig, UpstreamConfig } from '../core/configuration.ts'
import { canonicalJson } from '../core/json.ts'
import type { ApprovedItem, ItemKind, Principal } from '../core/model.ts'
import { variantFact } from '../core/variant.ts'
import { type Face, facesOf } from './face.ts'
import { createFront, type Front } from './front.ts'
import { visibleName } from './hidden-characters.ts'
import { approvalsFor } from './judge.ts'
import { LIST_KINDS, PIN_KINDS } from './kinds.ts'
import type { Lock, LockItem } from './lock.ts'
import { loadLocks, marksOf, watchLocks } from './lock-directory.ts'
import { profileOf, type ServedProfile } from './profile.ts'
import { createRebuilding } from './rebuilding.ts'
import { type IsShown, resolveName, resolveUri } from './resolve.ts'
import { examine, NOTHING_EXAMINED } from './screening.ts'
import { type Carried, type CatalogContext, createShelf, type Shelf } from './shelf.ts'
import { stateOf, type UpstreamState } from './states.ts'
import type { Stock } from './view.ts'
import { pollDelayMs } from './watch.ts'
import type { Window } from './window.ts'

export { type Decided, type Decision, decide } from './decisions.ts'
export { type Change, changesOf, diffLines } from './diff.ts'
export { type Finding, findingsOf } from './findings.ts'
export { changeFindings } from './findings-change.ts'
export { foldLine } from './fold.ts'
export { visible, visibleName } from './hidden-characters.ts'
export { isLockOf } from './judge.ts'
export { isPinKind, PIN_KINDS, type PinKind } from './kinds.ts'
export { type Lock, LockFileError, type LockItem } from './lock.ts'
export { editLock, loadLock } from './lock-file.ts'
export { parseSigningKey, type SigningKey } from './lock-signature.ts'
export { digestOfSet } from './pin.ts'
export type { ServedProfile } from './profile.ts'
export { readableJson } from './readable-json.ts'
export { RETRY_AFTER_MS } from './resolve.ts'
export { type Connection, type Reviewed, reviewUpstream, type UpstreamReview } from './review.ts'
export type { UpstreamState } from './states.ts'

export interface Catalog {
  /**
   * What a caller's name stands for; throws CATALOG_UNKNOWN_TOOL, _PROMPT or _RESOURCE. A resource is looked for by its URI: as a listed
   * one, as a template's own text, as an instance of a template, and at last as one that no list names. Where its server has not been read
   * yet, or not for too long, who `isShown` the item otherwise is told so: CATALOG_UNAVAILABLE.
   */
  resolve(
    endpoint: EndpointConfig,
    kind: 'tool' | 'prompt' | 'resource',
    exposedName: string,
    principal: Principal,
    isShown?: IsShown,
  ): ApprovedItem
  /** Every approved item of a kind that this principal's variants show, in a stable order. */
  list(endpoint: EndpointConfig, kind: ItemKind, principal: Principal): readonly ApprovedItem[]
  /** How long a list may be kept, and which upstreams it lacks. */
  freshness(endpoint: EndpointConfig, kind: ItemKind, principal: Principal): { readonly ttlMs: number; readonly lacking: readonly string[] }
  profile(endpoint: EndpointConfig, principal: Principal): ServedProfile
  states(): readonly UpstreamState[]
  /** The upstream answered as if its tools had changed: look again soon. */
  suspect(alias: string, variant: string): void
  /** First snapshots: resolves when every upstream answered or failed, or after `deadlineMs`. */
  start(deadlineMs: number): Promise<void>
  close(): Promise<void>
}

export interface CatalogOptions extends CatalogContext {
  readonly endpoints: readonly EndpointConfig[]
  readonly upstreams: ReadonlyMap<string, UpstreamConfig>
  /** Which variant of an upstream is a principal's. */
  readonly variantOf: (alias: string, principal: Principal) => string
  /** Told when what some endpoint shows has changed: after a snapshot, a decision, an expiry. */
  readonly onChange: () => void
  /** The catalog of the revision before: what it has seen of the same servers is served until they are asked again. */
  readonly previous?: Catalog | undefined
  readonly random?: () => number
}

/** How long a list that lacks an upstream may be kept. */
const PARTIAL_TTL_MS = 5_000

const carriedBy = new WeakMap<Catalog, () => readonly Carried[]>()

/** Loads every lock file; throws LockFileError with all faults of all files. Nothing is fetched before `start`. */
export async function createCatalog({ previous, ...options }: CatalogOptions): Promise<Catalog> {
  // What shelves are given does not have the catalog before, or each would keep all that were before it.
  const { endpoints, upstreams, pins, lockDirectory, report, onChange, variantOf, random = Math.random } = options
  const aliases = [...upstreams.keys()]
  // Before the files are read: what is decided between that and the first look would otherwise go unseen.
  const marks = await marksOf(lockDirectory, aliases)
  const locks = await loadLocks(lockDirectory, aliases, pins.signers)
  const faces = [...upstreams.values()].flatMap(facesOf)
  // A later revision shows at once what the one before it showed. A first one has nobody to show anything yet, and looks meanwhile.
  const examined = previous && (await examine(faces.flatMap(approvals(locks)), NOTHING_EXAMINED, options.screen))
  // Last of what takes time: whatever the revision before sees until then, it has not seen in vain.
  const carried = (previous && carriedBy.get(previous)?.()) ?? []
  const rebuilding = createRebuilding(onChange)
  const shelves: Shelf[] = []
  for (const upstream of faces) {
    const { alias, variant } = upstream
    const lock = locks.get(alias)
    const before = carried.find(candidate => isSameServer(candidate.upstream, upstream))
    const wasKnown = carried.some(({ upstream: known, isKnown }) => known.alias === alias && known.variant === variant && isKnown)
    const told = {
      onJudged: rebuilding.judgedOf(upstream),
      onTurn: rebuilding.turned,
      onTrust: () => lockWatch.doubt(alias),
      elsewhere: () => toolsBeside(alias, shelves),
    }
    shelves.push(createShelf({ ...options, upstream, lock, random, examined, carried: before, wasKnown, ...told }))
  }
  const screened = examined === undefined ? screenAll(shelves) : undefined
  const fronts = new Map<string, Front>()
  for (const endpoint of endpoints) {
    const front = createFront(endpoint, {
      stocks: endpoint.upstreams.flatMap(alias => shelves.filter(shelf => shelf.alias === alias)),
      variantOf,
      onCollision: ({ kind, alias, variant, upstreamName, exposedName }) =>
        report('pin.collision', { alias, ...variantFact(variant), kind, name: visibleName(upstreamName), exposedName }),
    })
    for (const window of front.windows) window.build(PIN_KINDS)
    fronts.set(endpoint.path, front)
  }
  const windows = [...fronts.values()].flatMap(front => front.windows)
  const windowsOf = ({ path }: EndpointConfig, principal: Principal) => fronts.get(path)?.windowsOf(principal) ?? []
  const shelfOf = new Map<Stock, Shelf>(shelves.map(shelf => [shelf, shelf]))
  const shelvesOf = (endpoint: EndpointConfig, principal: Principal) =>
    windowsOf(endpoint, principal).flatMap(({ stocks }) => stocks.flatMap(stock => shelfOf.get(stock) ?? []))
  rebuilding.watch(windows)
  if (previous !== undefined) rebuilding.begin()
  const lockWatch = watchLocks({
    lockDirectory,
    signers: pins.signers,
    marks,
    report,
    onLock: async (alias, lock) => {
      await Promise.all(shelves.filter(shelf => shelf.alias === alias).map(shelf => shelf.relock(lock)))
      rebuilding.flush()
    },
  })

  const catalog: Catalog = {
    resolve(endpoint, kind, exposedName, principal, isShown = toNobody) {
      const window = fronts.get(endpoint.path)?.windowOf(kind, exposedName, principal)
      if (kind === 'resource') return resolveUri(window?.uris, exposedName, isShown)
      return resolveName(window?.view(kind), kind === 'tool' ? 'CATALOG_UNKNOWN_TOOL' : 'CATALOG_UNKNOWN_PROMPT', exposedName, isShown)
    },
    list(endpoint, kind, principal) {
      const [first, ...others] = windowsOf(endpoint, principal).map(window => unexpiredIn(window, kind))
      return others.length === 0 ? (first ?? []) : [...(first ?? []), ...others.flat()]
    },
    freshness(endpoint, kind, principal) {
      const own = shelvesOf(endpoint, principal)
      const parts = own.map(({ holdings }) => holdings.part(kind))
      const lacking = own.filter(shelf => !shelf.isSeen(kind) || shelf.isExpired(kind)).map(({ alias }) => alias)
      const isWhole = parts.every(part => part.freshness() === 'fresh')
      const delays = parts.map(({ snapshot }) => pollDelayMs(snapshot?.ttlMs ?? 0, pins.pollMs))
      return { ttlMs: Math.floor(Math.min(isWhole ? pins.pollMs : PARTIAL_TTL_MS, ...delays)), lacking }
    },
    profile(endpoint, principal) {
      const instructions = windowsOf(endpoint, principal).flatMap(window => window.instructions)
      return profileOf(shelvesOf(endpoint, principal), instructions)
    },
    states() {
      const collisions = windows.flatMap(window => LIST_KINDS.flatMap(kind => window.view(kind).collisions))
      return shelves.map(shelf => stateOf(shelf, collisions))
    },
    suspect: (alias, variant) => shelves.find(shelf => shelf.alias === alias && shelf.variant === variant)?.watch.suspect(),
    async start(deadlineMs) {
      lockWatch.start()
      // A server seen by the revision before is asked again too, but nobody waits for it.
      const first = shelves.flatMap(shelf => {
        const look = shelf.watch.start()
        return shelf.isServed() ? [] : [look]
      })
      await Promise.all([screened, within(deadlineMs, Promise.all(first))])
      rebuilding.begin()
    },
    async close() {
      lockWatch.close()
      rebuilding.close()
      await Promise.all(shelves.map(shelf => shelf.close()))
    },
  }
  carriedBy.set(catalog, () => shelves.map(shelf => shelf.carry()))
  return catalog
}

function toNobody(): boolean {
  return false
}

/** Tools of all upstreams but one: what was decided about and what is shown. */
function toolsBeside(alias: string, shelves: readonly Shelf[]): ReadonlyMap<string, readonly string[]> {
  const tools = new Map<string, readonly string[]>()
  for (const shelf of shelves) {
    if (shelf.alias === alias) continue
    const names = [...shelf.judged('tool').map(({ name }) => name), ...(shelf.holdings.part('tool').snapshot?.items.keys() ?? [])]
    tools.set(shelf.alias, [...(tools.get(shelf.alias) ?? []), ...names])
  }
  return tools
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

function approvals(locks: ReadonlyMap<string, Lock>): (face: Face) => readonly LockItem[] {
  return face => approvalsFor(face, locks.get(face.alias))
}

function unexpiredIn(window: Window, kind: ItemKind): readonly ApprovedItem[] {
  const { list, byName } = window.view(kind)
  if (!window.stocks.some(stock => stock.isExpired(kind))) return list
  return list.filter(item => byName.get(item.exposedName)?.stock.isExpired(kind) === false)
}

/** The same class of the same server, judged by the same rules for reading a descriptor. */
function isSameServer(a: Face, b: Face): boolean {
  const [was, is] = [a, b].map(({ alias, variant, url, dropPointers, xMcpHeaderAllowNumber }) =>
    canonicalJson([alias, variant, url, dropPointers, xMcpHeaderAllowNumber]),
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
