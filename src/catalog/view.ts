import type { EndpointConfig } from '../core/configuration.ts'
import { writeJson } from '../core/json.ts'
import type { ApprovedItem, ApprovedItemFacts } from '../core/model.ts'
import type { JudgedTool } from './judge.ts'
import { collisionsOf, exposedName } from './naming.ts'

/** What one upstream contributes to every endpoint that shows it. */
export interface Stock {
  readonly alias: string
  /** False until its first snapshot: then every approved name is taken as still there. */
  readonly isSeen: boolean
  readonly judged: readonly JudgedTool[]
  /** Why an approved tool cannot be offered all the same. */
  unenforceable(pin: string): string | undefined
  /** True once the last good snapshot is too old to be believed. */
  isExpired(): boolean
}

interface Offer {
  readonly tool: ApprovedItem
  readonly stock: Stock
}

/** One endpoint's names, built when something changed and never during a call. */
export interface View {
  readonly stocks: readonly Stock[]
  readonly byName: ReadonlyMap<string, Offer>
  readonly list: readonly ApprovedItem[]
  /** Why a name is not callable, for the audit record alone. */
  readonly reasons: ReadonlyMap<string, string>
  readonly collisions: readonly { readonly alias: string; readonly upstreamName: string; readonly exposedName: string }[]
}

interface Claim {
  readonly stock: Stock
  readonly tool: JudgedTool
  readonly name: string
}

/** `before`, the view that is replaced, lends the tools that have not changed: nothing is written out twice. */
export function buildView(endpoint: EndpointConfig, stocks: readonly Stock[], before: View | undefined): View {
  const claims = stocks.flatMap(stock => stock.judged.map(tool => claim(endpoint, stock, tool)))
  // Only approved names take part: text nobody reviewed must not be able to push a reviewed tool out.
  const collided = collisionsOf(claims.filter(holdsItsName).map(({ name }) => name))
  const byName = new Map<string, Offer>()
  const reasons = new Map<string, string>()
  const collisions: { alias: string; upstreamName: string; exposedName: string }[] = []
  const list: ApprovedItem[] = []
  for (const { stock, tool, name } of claims) {
    const inCollision = collided.has(name.toLowerCase())
    if (inCollision) collisions.push({ alias: stock.alias, upstreamName: tool.name, exposedName: name })
    const approved = inCollision ? undefined : makeApprovedTool(stock, name, tool, before?.byName.get(name)?.tool)
    if (approved === undefined) {
      reasons.set(name, inCollision ? 'collision' : tool.state === 'approved' ? 'withheld' : tool.state)
      continue
    }
    byName.set(name, { tool: approved, stock })
    list.push(approved)
  }
  return { stocks, byName, list: list.sort(byOrderOf(stocks)), reasons, collisions }
}

function claim(endpoint: EndpointConfig, stock: Stock, tool: JudgedTool): Claim {
  return { stock, tool, name: exposedName(endpoint.names, { alias: stock.alias, upstreamName: tool.name }) }
}

/** Approved and not known to be gone; the same whichever upstream answered first. */
function holdsItsName({ stock, tool }: Claim): boolean {
  return tool.approved !== undefined && (tool.state !== 'missing' || !stock.isSeen)
}

function byOrderOf(stocks: readonly Stock[]): (a: ApprovedItem, b: ApprovedItem) => number {
  const order = new Map(stocks.map(({ alias }, index) => [alias, index]))
  return (a, b) => {
    const upstreams = (order.get(a.alias) ?? 0) - (order.get(b.alias) ?? 0)
    return upstreams !== 0 ? upstreams : a.exposedName < b.exposedName ? -1 : 1
  }
}

/** The one maker: approved by a person, shown by the upstream in the same words now, and enforceable. */
function makeApprovedTool(stock: Stock, name: string, { state, seen, approved }: JudgedTool, before: ApprovedItem | undefined) {
  if (state !== 'approved' || seen === undefined || approved === undefined || seen.pin !== approved.pin) return undefined
  if (stock.unenforceable(approved.pin) !== undefined) return undefined
  // A pin binds alias, URL, name and every forwarded word.
  if (before?.pin === approved.pin) return before
  const facts: ApprovedItemFacts = {
    alias: stock.alias,
    upstreamName: approved.name,
    exposedName: name,
    pin: approved.pin,
    descriptor: approved.descriptor,
    // The stored text, in the order it was approved in; whatever the upstream sent just now is not used again.
    listing: writeJson({ ...approved.descriptor, name }),
    paramHeaders: seen.paramHeaders,
  }
  return facts as ApprovedItem
}
