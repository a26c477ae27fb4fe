import type { Clock } from '../core/clock.ts'
import type { PinConfig, UpstreamConfig } from '../core/configuration.ts'
import { decide } from './decisions.ts'
import type { Report } from './events.ts'
import { findingsOf } from './findings.ts'
import { visibleName } from './hidden-characters.ts'
import { type Lock, LockFileError } from './lock.ts'
import { editLock } from './lock-file.ts'
import type { SeenItem } from './read-item.ts'

interface FirstContact {
  readonly upstream: UpstreamConfig
  readonly lockDirectory: string
  readonly pins: PinConfig
  readonly clock: Clock
  readonly report: Report
}

/**
 * `pins.onFirstUse: trust`: approves what a server without a lock file shows first, of every kind, except what has a finding of level
 * `block`. The lock file is written before anything is believed: a trust that is forgotten at the next start would let the server change
 * its text by waiting for one. Where it cannot be written, everything stays pending; also where it must be signed, for no gateway has a key.
 */
export async function trustOnFirstUse(contact: FirstContact, shown: readonly SeenItem[]): Promise<Lock | undefined> {
  const { upstream, lockDirectory, pins, clock, report } = contact
  if (pins.signers.length > 0) {
    report('pin.trust_refused', { alias: upstream.alias, reason: 'pins.signers: only a person can sign' })
    return undefined
  }
  const findings = findingsOf(shown)
  const trusted = shown.filter(item => findings(item).every(finding => finding.level !== 'block'))
  const decision = { state: 'approved', by: 'first use', atMs: clock.now(), reason: 'pins.onFirstUse: trust' } as const
  let isFirst = true
  try {
    const lock = await editLock(lockDirectory, upstream.alias, { signers: [] }, current => {
      isFirst = current === undefined
      return current ?? decide(undefined, upstream, trusted, decision)
    })
    if (isFirst) {
      for (const { kind, name, pin } of trusted) report('pin.trusted', { alias: upstream.alias, kind, name: visibleName(name), pin })
    }
    return lock
  } catch (error) {
    report('pin.trust_refused', { alias: upstream.alias, reason: whyRefused(error) })
    return undefined
  }
}

/** A lock file with faults is for a person to mend, a folder that cannot be written for the operator; a name alone is a fault of ours. */
function whyRefused(error: unknown): string {
  if (error instanceof LockFileError) return 'the lock file has faults'
  const { code, name } = error as NodeJS.ErrnoException
  return code === undefined ? name : `the lock file cannot be written: ${code}`
}
