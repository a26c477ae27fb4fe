import type { UpstreamConfig } from '../core/configuration.ts'
import type { Lock, LockItem } from './lock.ts'
import { cosmeticDigestOf } from './pin.ts'
import type { SeenTool, Snapshot } from './snapshot.ts'

type ToolState = 'pending' | 'approved' | 'drifted' | 'rejected' | 'missing'

/** What one tool of an upstream is to us: what it shows now, beside what was decided. */
export interface JudgedTool {
  readonly name: string
  readonly state: ToolState
  /** Absent when `missing`. */
  readonly seen: SeenTool | undefined
  readonly approved: LockItem | undefined
  /** For `drifted`: only the order of keys or sets changed. A label for people; it opens nothing. */
  readonly cosmetic: boolean
}

/** True when the lock speaks of this very server. A new port or path is another server, and nothing of it was reviewed. */
export function isLockOf(lock: Lock, upstream: UpstreamConfig): boolean {
  return lock.alias === upstream.alias && lock.url === upstream.url
}

/** The decisions that count for this server. */
export function decisionsAbout(upstream: UpstreamConfig, lock: Lock | undefined): readonly LockItem[] {
  return lock !== undefined && isLockOf(lock, upstream) ? lock.items : []
}

/** Every tool of the snapshot and of the lock with its state, sorted by name. Without a snapshot, what was approved is `missing`. */
export function judge(upstream: UpstreamConfig, lock: Lock | undefined, snapshot: Snapshot | undefined): readonly JudgedTool[] {
  const approved = new Map<string, LockItem>()
  const rejected = new Set<string>()
  for (const item of decisionsAbout(upstream, lock)) {
    if (item.state === 'approved') approved.set(item.name, item)
    else rejected.add(item.pin)
  }
  const judged: JudgedTool[] = []
  for (const seen of snapshot?.tools.values() ?? []) {
    judged.push(judgeSeen(seen, approved.get(seen.name), rejected.has(seen.pin)))
  }
  const withheld = new Set(snapshot?.withheld.map(({ name }) => name))
  for (const item of approved.values()) {
    if (snapshot?.tools.has(item.name) || withheld.has(item.name)) continue
    judged.push({ name: item.name, state: 'missing', seen: undefined, approved: item, cosmetic: false })
  }
  return judged.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

function judgeSeen(seen: SeenTool, approved: LockItem | undefined, isRejected: boolean): JudgedTool {
  const { name } = seen
  if (approved?.pin === seen.pin) return { name, state: 'approved', seen, approved, cosmetic: false }
  if (isRejected) return { name, state: 'rejected', seen, approved, cosmetic: false }
  if (approved === undefined) return { name, state: 'pending', seen, approved, cosmetic: false }
  const cosmetic = cosmeticDigestOf(seen.descriptor) === cosmeticDigestOf(approved.descriptor)
  return { name, state: 'drifted', seen, approved, cosmetic }
}
