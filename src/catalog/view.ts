import type { EndpointConfig } from '../core/configuration.ts'
import type { ApprovedItem, ItemKind } from '../core/model.ts'
import { createTemplateMatcher, type TemplateMatcher } from '../mcp/index.ts'
import { exposedAs, makeAwaitedItem, makeListedItem } from './approved-item.ts'
import type { JudgedItem } from './judge.ts'
import { isNamed, type PinKind } from './kinds.ts'
import { collisionsOf, withoutCase } from './naming.ts'
import type { Snapshot } from './snapshot.ts'

/** What one variant of an upstream contributes to every endpoint that shows it. */
export interface Stock {
  readonly alias: string
  readonly variant: string
  /** False until its first snapshot: then every approved name is taken as still there. */
  isSeen(kind: PinKind): boolean
  judged(kind: PinKind): readonly JudgedItem[]
  withheld(kind: PinKind): Snapshot['withheld']
  /** Why an approved item cannot be offered all the same. */
  unenforceable(item: JudgedItem): string | undefined
  /** True once the last good snapshot is too old to be believed. */
  isExpired(kind: PinKind): boolean
  /** False of an upstream that never answered, or not for too long. */
  isServed(): boolean
}

export interface Offer {
  readonly item: ApprovedItem
  readonly stock: Stock
  /** Of a template: whether a URI is an instance of it. */
  readonly matches: TemplateMatcher | undefined
}

/** Items of one kind that one endpoint shows together, built when something changed and never during a call. */
export interface View {
  readonly byName: ReadonlyMap<string, Offer>
  /** By upstream, in the order of the endpoint, then by name. */
  readonly list: readonly ApprovedItem[]
  /** Why a name is not served, for the audit record alone. */
  readonly reasons: ReadonlyMap<string, string>
  /** Approved items of servers that have not been read yet, by name: nobody may use them so far. */
  readonly awaited: ReadonlyMap<string, ApprovedItem>
  readonly collisions: readonly Collision[]
}

export interface Collision {
  readonly kind: ItemKind
  readonly alias: string
  readonly variant: string
  readonly upstreamName: string
  readonly exposedName: string
}

interface Claim {
  readonly stock: Stock
  readonly judged: JudgedItem
  readonly name: string
}

/** `before`: the view that is replaced. */
export function buildView(endpoint: EndpointConfig, kind: ItemKind, stocks: readonly Stock[], before: View | undefined): View {
  const nameOf = ({ alias }: Stock, upstreamName: string) => exposedAs({ endpoint, kind, alias }, upstreamName)
  const claims = stocks.flatMap(stock => stock.judged(kind).map((judged): Claim => ({ stock, judged, name: nameOf(stock, judged.name) })))
  const fold = isNamed(kind) ? withoutCase : asItIs
  // Only approved names take part: text nobody reviewed must not be able to push a reviewed item out.
  const collided = collisionsOf(
    claims.filter(holdsItsName).map(({ name }) => name),
    fold,
  )
  const byName = new Map<string, Offer>()
  const reasons = new Map<string, string>()
  const awaited = new Map<string, ApprovedItem>()
  const collisions: Collision[] = []
  const list: ApprovedItem[] = []
  for (const stock of stocks) for (const { name } of stock.withheld(kind)) reasons.set(nameOf(stock, name), 'withheld')
  for (const { stock, judged, name } of claims) {
    const isCollided = collided.has(fold(name))
    if (isCollided) collisions.push({ kind, alias: stock.alias, variant: stock.variant, upstreamName: judged.name, exposedName: name })
    const reason = isCollided
      ? 'collision'
      : judged.state === 'approved' && stock.unenforceable(judged) !== undefined
        ? 'withheld'
        : judged.state
    const offered = before?.byName.get(name)
    const item = reason === 'approved' ? makeListedItem({ endpoint, kind, alias: stock.alias }, name, judged, offered?.item) : undefined
    if (item === undefined) {
      reasons.set(name, reason)
      if (reason === 'missing' && judged.approved !== undefined && !stock.isSeen(kind))
        awaited.set(name, makeAwaitedItem({ endpoint, kind, alias: stock.alias }, name, judged.approved))
      continue
    }
    byName.set(name, { item, stock, matches: offered?.item === item ? offered.matches : matcherOf(item) })
    list.push(item)
  }
  return { byName, list: list.sort(byOrderOf(stocks)), reasons, awaited, collisions }
}

/** The path of a URI has cases (RFC 3986 §6.2.2.1). */
function asItIs(uri: string): string {
  return uri
}

function matcherOf({ kind, upstreamName }: ApprovedItem): Offer['matches'] {
  return kind === 'resourceTemplate' ? createTemplateMatcher(upstreamName) : undefined
}

/** Approved and not known to be gone; the same whichever upstream answered first. */
function holdsItsName({ stock, judged }: Claim): boolean {
  return judged.approved !== undefined && (judged.state !== 'missing' || !stock.isSeen(judged.kind))
}

function byOrderOf(stocks: readonly Stock[]): (a: ApprovedItem, b: ApprovedItem) => number {
  const order = new Map(stocks.map(({ alias }, index) => [alias, index]))
  return (a, b) => {
    const upstreams = (order.get(a.alias) ?? 0) - (order.get(b.alias) ?? 0)
    return upstreams !== 0 ? upstreams : a.exposedName < b.exposedName ? -1 : 1
  }
}
