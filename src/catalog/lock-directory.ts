import { stat } from 'node:fs/promises'
import type { PinSigner } from '../core/configuration.ts'
import type { Report } from '../core/facts.ts'
import { fileMark } from '../core/file-mark.ts'
import { visibleName } from './hidden-characters.ts'
import { type Lock, LockFileError } from './lock.ts'
import { loadLock, lockPath } from './lock-file.ts'

/** The locks of these upstreams. Throws one LockFileError with the faults of all files. */
export async function loadLocks(
  lockDirectory: string,
  aliases: readonly string[],
  signers: readonly PinSigner[],
): Promise<ReadonlyMap<string, Lock>> {
  const locks = new Map<string, Lock>()
  const faults = []
  for (const alias of aliases) {
    try {
      const lock = await loadLock(lockDirectory, alias, signers)
      if (lock !== undefined) locks.set(alias, lock)
    } catch (error) {
      if (!(error instanceof LockFileError)) throw error
      faults.push(...error.faults)
    }
  }
  if (faults.length > 0) throw new LockFileError(faults)
  return locks
}

const CHECK_MS = 1_000

interface LockWatchOptions {
  readonly lockDirectory: string
  readonly signers: readonly PinSigner[]
  /** What `marksOf` said before the locks in use were read. */
  readonly marks: Map<string, string>
  readonly report: Report
  readonly onLock: (alias: string, lock: Lock | undefined) => Promise<void> | undefined
}

interface LockWatch {
  start(): void
  /** Its lock file was written by the gateway itself: it is read again, whether it is there still or gone as if it had never been. */
  doubt(alias: string): void
  close(): void
}

/**
 * Takes up what `wicketgate pins` writes while the gateway runs. Asks the file system instead of being told: rename and symlink
 * swaps of mounted volumes are seen alike. A file with faults changes nothing; the lock in use stays.
 */
export function watchLocks({ lockDirectory, signers, marks, report, onLock }: LockWatchOptions): LockWatch {
  /** Files that could not be opened, which was said already: nothing is wrong with them, so they are tried again. */
  const unopened = new Set<string>()
  let isLooking = false
  let closed = false
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    for (const alias of [...marks.keys()]) {
      const mark = await markOf(lockDirectory, alias)
      if (closed || mark === marks.get(alias)) continue
      marks.set(alias, mark)
      try {
        const lock = await loadLock(lockDirectory, alias, signers)
        if (closed) return
        unopened.delete(alias)
        await onLock(alias, lock)
        const { keyId } = (signers.length > 0 && lock?.signature) || {}
        report('lock.loaded', keyId === undefined ? { alias } : { alias, signer: keyId })
      } catch (error) {
        const isFaulty = error instanceof LockFileError
        if (!isFaulty) marks.set(alias, DOUBTFUL)
        if (isFaulty || !unopened.has(alias))
          report('lock.refused', { alias, reason: isFaulty ? visibleName(error.message) : 'it cannot be read' })
        if (isFaulty) unopened.delete(alias)
        else unopened.add(alias)
      }
    }
  }

  function tick(): void {
    if (isLooking) return
    isLooking = true
    void look().finally(() => {
      isLooking = false
    })
  }

  return {
    start() {
      timer ??= setInterval(tick, CHECK_MS).unref()
      // What was taken up by the revision before, while this one was made, is not taken back for a second.
      tick()
    },
    doubt(alias) {
      marks.set(alias, DOUBTFUL)
    },
    close() {
      closed = true
      clearInterval(timer)
    },
  }
}

/** No file has this mark. */
const DOUBTFUL = 'doubtful'

/** By alias, what tells one state of a lock file from another. */
export async function marksOf(lockDirectory: string, aliases: readonly string[]): Promise<Map<string, string>> {
  const marks = new Map<string, string>()
  for (const alias of aliases) marks.set(alias, await markOf(lockDirectory, alias))
  return marks
}

async function markOf(lockDirectory: string, alias: string): Promise<string> {
  const found = await stat(lockPath(lockDirectory, alias)).catch(() => undefined)
  return found === undefined ? 'none' : fileMark(found)
}
