import { visibleName } from './hidden-characters.ts'
import { PIN_KINDS, type PinKind } from './kinds.ts'
import type { Freshness } from './part.ts'
import type { Shelf } from './shelf.ts'
import type { Collision } from './view.ts'

/** One upstream as one class of principals is shown it, for the operator. */
export interface UpstreamState {
  readonly alias: string
  readonly variant: string
  /** `new`: never seen; `stale`: the last refresh failed, of one list at least, and the last good snapshot is still in use; `expired`: too old, nothing of it is served. */
  readonly snapshot: Freshness
  /** How long ago it showed the list that was read longest ago; since it was first asked, if it never did. */
  readonly silentMs: number
  /** Why the last look saw nothing, or not everything. */
  readonly problem: string | undefined
  /** Items of every kind. */
  readonly approved: number
  readonly pending: number
  readonly drifted: number
  readonly rejected: number
  readonly missing: number
  /** Of the approved ones, those of lists that could not be read at the last look. */
  readonly stale: number
  readonly withheld: readonly { readonly kind: PinKind; readonly name: string; readonly reason: string }[]
}

export function stateOf(shelf: Shelf, collisions: readonly Collision[]): UpstreamState {
  const { alias, variant, holdings } = shelf
  const items = PIN_KINDS.flatMap(kind => shelf.judged(kind))
  const count = (state: string) => items.filter(item => item.state === state).length
  const withheld = new Map<string, UpstreamState['withheld'][number]>()
  const hold = (kind: PinKind, name: string, reason: string) => withheld.set(`${kind} ${name}`, { kind, name: visibleName(name), reason })
  for (const kind of PIN_KINDS) for (const { name, reason } of shelf.withheld(kind)) hold(kind, name, reason)
  for (const item of items) {
    const reason = shelf.unenforceable(item)
    if (reason !== undefined) hold(item.kind, item.name, reason)
  }
  for (const collision of collisions) {
    if (collision.alias === alias && collision.variant === variant) hold(collision.kind, collision.upstreamName, 'collision')
  }
  return {
    alias,
    variant,
    snapshot: holdings.freshness(),
    silentMs: holdings.silentMs(),
    problem: shelf.problem,
    approved: count('approved'),
    pending: count('pending'),
    drifted: count('drifted'),
    rejected: count('rejected'),
    missing: items.filter(({ kind, state }) => state === 'missing' && shelf.isSeen(kind)).length,
    stale: items.filter(({ kind, state }) => state === 'approved' && holdings.part(kind).isFailing).length,
    withheld: [...withheld.values()],
  }
}
