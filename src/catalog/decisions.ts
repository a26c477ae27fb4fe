import type { UpstreamConfig } from '../core/configuration.ts'
import { decisionsAbout, isLockOf } from './judge.ts'
import type { Lock, LockItem } from './lock.ts'
import type { SeenItem } from './read-item.ts'

export interface Decision {
  readonly state: 'approved' | 'rejected'
  readonly by: string
  /** Epoch milliseconds. */
  readonly atMs: number
  readonly reason: string
}

/** What a decision is about. */
export type Decided = Pick<SeenItem, 'kind' | 'name' | 'variant' | 'pin' | 'descriptor'>

/**
 * The lock with one more decision about each item. An approval replaces the item's earlier approval and a rejection of the same
 * text; a rejection leaves the approval of another text in place. A lock of another server is replaced: nothing in it is about this one.
 */
export function decide(lock: Lock | undefined, upstream: UpstreamConfig, items: readonly Decided[], decision: Decision): Lock {
  const decided = new Map(items.map(item => [identity(item), item.pin]))
  const kept = decisionsAbout(upstream, lock).filter(item => {
    const pin = decided.get(identity(item))
    return pin === undefined || (item.pin !== pin && (item.state === 'rejected' || decision.state === 'rejected'))
  })
  const at = new Date(decision.atMs).toISOString()
  const added = items.map(({ kind, name, variant, pin, descriptor }): LockItem => {
    return { kind, name, variant, state: decision.state, pin, by: decision.by, at, reason: decision.reason, descriptor }
  })
  const met = lock !== undefined && isLockOf(lock, upstream) ? lock.met : []
  return { alias: upstream.alias, url: upstream.url, met, items: [...kept, ...added] }
}

function identity({ kind, name, variant }: Pick<Decided, 'kind' | 'name' | 'variant'>): string {
  return `${variant} ${kind} ${name}`
}
