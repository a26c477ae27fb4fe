import type { UpstreamConfig } from '../core/configuration.ts'
import { writeJson } from '../core/json.ts'
import { compareTexts } from '../core/order.ts'
import type { Face } from './face.ts'
import type { PinKind } from './kinds.ts'
import type { Lock, LockItem } from './lock.ts'
import { cosmeticDigestOf } from './pin.ts'
import type { SeenItem } from './read-item.ts'
import type { Snapshot } from './snapshot.ts'

type ItemState = 'pending' | 'approved' | 'drifted' | 'rejected' | 'missing'

/** What one item of an upstream is to us: what it shows now, beside what was decided. */
export interface JudgedItem {
  readonly kind: PinKind
  readonly name: string
  readonly variant: string
  readonly state: ItemState
  /** Absent when `missing`. */
  readonly seen: SeenItem | undefined
  readonly approved: LockItem | undefined
}

/** True when the lock speaks of this very server. A new port or path is another server, and nothing of it was reviewed. */
export function isLockOf(lock: Lock, upstream: UpstreamConfig): boolean {
  return lock.alias === upstream.alias && lock.url === upstream.url
}

/** The decisions that count for this server, whoever is shown what they are about. */
export function decisionsAbout(upstream: UpstreamConfig, lock: Lock | undefined): readonly LockItem[] {
  return lock !== undefined && isLockOf(lock, upstream) ? lock.items : []
}

/** The decisions about what one class of principals is shown. */
export function decisionsFor(face: Face, lock: Lock | undefined): readonly LockItem[] {
  return decisionsAbout(face, lock).filter(({ variant }) => variant === face.variant)
}

/** The approvals among `decisionsFor`. */
export function approvalsFor(face: Face, lock: Lock | undefined): readonly LockItem[] {
  return decisionsFor(face, lock).filter(({ state }) => state === 'approved')
}

/** Every item of a kind that is shown or decided about, with its state, by name. Without a snapshot, what was approved is `missing`. */
export function judge(kind: PinKind, decisions: readonly LockItem[], snapshot: Snapshot | undefined): readonly JudgedItem[] {
  const approved = new Map<string, LockItem>()
  const rejected = new Set<string>()
  for (const item of decisions) {
    if (item.kind !== kind) continue
    if (item.state === 'approved') approved.set(item.name, item)
    else rejected.add(item.pin)
  }
  const judged: JudgedItem[] = []
  for (const seen of snapshot?.items.values() ?? []) {
    judged.push(judgeSeen(seen, approved.get(seen.name), rejected.has(seen.pin)))
  }
  const withheld = new Set(snapshot?.withheld.map(({ name }) => name))
  for (const item of approved.values()) {
    if (snapshot?.items.has(item.name) || withheld.has(item.name)) continue
    judged.push({ kind, name: item.name, variant: item.variant, state: 'missing', seen: undefined, approved: item })
  }
  return judged.sort((a, b) => compareTexts(a.name, b.name))
}

function judgeSeen(seen: SeenItem, approved: LockItem | undefined, isRejected: boolean): JudgedItem {
  const { kind, name, variant } = seen
  if (approved?.pin === seen.pin) return { kind, name, variant, state: 'approved', seen, approved }
  if (isRejected) return { kind, name, variant, state: 'rejected', seen, approved }
  if (approved === undefined) return { kind, name, variant, state: 'pending', seen, approved }
  return { kind, name, variant, state: 'drifted', seen, approved }
}

/** Of what is `drifted`: whether only the order of keys or sets changed. A label for people; it opens nothing, and costs more than to judge. */
export function isCosmetic({ state, seen, approved }: JudgedItem): boolean {
  if (state !== 'drifted' || seen === undefined || approved === undefined) return false
  // What is only in another order is as long as it was, and nearly everything else is told apart by that, at a tenth of the cost.
  if (writeJson(seen.descriptor).length !== writeJson(approved.descriptor).length) return false
  return cosmeticDigestOf(seen.descriptor) === cosmeticDigestOf(approved.descriptor)
}
