import type { Clock } from '../core/clock.ts'
import type { PinConfig } from '../core/configuration.ts'
import type { Report } from '../core/facts.ts'
import { writeJson } from '../core/json.ts'
import { SHARED, variantFact } from '../core/variant.ts'
import { decide } from './decisions.ts'
import type { Face } from './face.ts'
import { type Finding, findingsInTurns, type Scanned } from './findings.ts'
import { visibleName } from './hidden-characters.ts'
import { isLockOf } from './judge.ts'
import { type Lock, LockFileError } from './lock.ts'
import { editLock } from './lock-file.ts'
import type { SeenItem } from './read-item.ts'

interface FirstContact {
  readonly upstream: Face
  readonly lockDirectory: string
  readonly pins: PinConfig
  readonly clock: Clock
  readonly report: Report
  /** Tools of the other upstreams, by alias. */
  readonly elsewhere: () => ReadonlyMap<string, Iterable<string>>
}

/**
 * Whether this was seen before: the first contact is over once something is written down about it. Each class of principals is met by
 * itself, since what a server shows one of them says nothing of what it shows the next.
 */
export function isMet(lock: Lock | undefined, face: Face): boolean {
  if (lock === undefined) return false
  // One that has moved is not new.
  if (!isLockOf(lock, face)) return true
  const { items, met } = lock
  const isEmpty = items.length === 0 && met.length === 0
  return met.includes(face.variant) || items.some(({ variant }) => variant === face.variant) || (isEmpty && face.variant === SHARED)
}

/**
 * `pins.onFirstUse: trust`: approves what a server that was never met shows first, of every kind, except what has a finding of level
 * `block`. The lock file is written before anything is believed: a trust that is forgotten at the next start would let the server change
 * its text by waiting for one. Where it cannot be written, everything stays pending; also where it must be signed, for no gateway has a key.
 */
export async function trustOnFirstUse(contact: FirstContact, shown: readonly SeenItem[]): Promise<Lock | undefined> {
  const { upstream, lockDirectory, pins, clock, report, elsewhere } = contact
  const whose = { alias: upstream.alias, ...variantFact(upstream.variant) }
  if (pins.signers.length > 0) {
    report('pin.trust_refused', { ...whose, reason: 'pins.signers: only a person can sign' })
    return undefined
  }
  const characters = shown.reduce((sum, { descriptor }) => sum + writeJson(descriptor).length, 0)
  if (characters > MAX_TRUSTED) {
    report('pin.trust_refused', { ...whose, reason: `more than ${MAX_TRUSTED} characters` })
    return undefined
  }
  const trusted = await withoutBlock(shown, findingsInTurns(shown, { elsewhere: elsewhere() }))
  const decision = { state: 'approved', by: 'first use', atMs: clock.now(), reason: 'pins.onFirstUse: trust' } as const
  let isFirst = true
  try {
    const lock = await editLock(lockDirectory, upstream.alias, { signers: [] }, current => {
      isFirst = !isMet(current, upstream)
      return current !== undefined && !isFirst ? current : met(decide(current, upstream, trusted, decision), upstream)
    })
    if (isFirst) {
      for (const { kind, name, pin } of trusted) report('pin.trusted', { ...whose, kind, name: visibleName(name), pin })
    }
    return lock
  } catch (error) {
    report('pin.trust_refused', { ...whose, reason: whyRefused(error) })
    return undefined
  }
}

/** In characters: a thousand items of two thousand each. The lock file is read back at once, and a larger one takes longer. */
const MAX_TRUSTED = 2_097_152

/** Where nothing was trusted, that it was met must be written down by itself, or the next start would meet it again. */
function met(lock: Lock, { variant }: Face): Lock {
  return lock.items.some(item => item.variant === variant) ? lock : { ...lock, met: [...lock.met, variant] }
}

async function withoutBlock(
  shown: readonly SeenItem[],
  scan: (item: Scanned) => Promise<readonly Finding[]>,
): Promise<readonly SeenItem[]> {
  const trusted: SeenItem[] = []
  for (const item of shown) {
    const findings = await scan(item)
    if (findings.every(({ level }) => level !== 'block')) trusted.push(item)
  }
  return trusted
}

/** A lock file with faults is for a person to mend, a folder that cannot be written for the operator; a name alone is a fault of ours. */
function whyRefused(error: unknown): string {
  if (error instanceof LockFileError) return 'the lock file has faults'
  const { code, name } = error as NodeJS.ErrnoException
  return code === undefined ? name : `the lock file cannot be written: ${code}`
}
