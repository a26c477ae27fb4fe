import type { UpstreamConfig } from '../core/configuration.ts'
import { decisionsAbout } from './judge.ts'
import type { Lock, LockItem } from './lock.ts'
import type { SeenTool } from './snapshot.ts'

export interface Decision {
  readonly state: 'approved' | 'rejected'
  readonly by: string
  /** Epoch milliseconds. */
  readonly atMs: number
  readonly reason: string
}

/**
 * The lock with one more decision about each tool. An approval replaces the tool's earlier approval and a rejection of the same
 * text; a rejection leaves the approval of another text in place. A lock of another server is replaced: nothing in it is about this one.
 */
export function decide(lock: Lock | undefined, upstream: UpstreamConfig, tools: readonly SeenTool[], decision: Decision): Lock {
  const decided = new Map(tools.map(({ name, pin }) => [name, pin]))
  const kept = decisionsAbout(upstream, lock).filter(item => {
    const pin = decided.get(item.name)
    return pin === undefined || (item.pin !== pin && (item.state === 'rejected' || decision.state === 'rejected'))
  })
  const at = new Date(decision.atMs).toISOString()
  const added = tools.map(({ name, pin, descriptor }): LockItem => {
    return { kind: 'tool', name, variant: 'shared', state: decision.state, pin, by: decision.by, at, reason: decision.reason, descriptor }
  })
  return { alias: upstream.alias, url: upstream.url, items: [...kept, ...added] }
}
