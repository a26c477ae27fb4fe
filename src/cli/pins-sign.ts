import { editLock, isLockOf, type Lock, LockFileError, loadLock, visibleName } from '../catalog/index.ts'
import { CommandFailed } from './command-failed.ts'
import { counted } from './counted.ts'
import { type CommandIo, EXIT } from './io.ts'
import { loadSigningKey } from './pins-key.ts'
import { chosen, type PinsSession } from './pins-session.ts'
import { lockText } from './pins-text.ts'

/**
 * Signs lock files as they are: whoever signs stands for every decision in them, so each is shown. This is the way to begin with
 * signatures, to change keys, and on from a merge; `approve --key` goes on only from a file that is signed already.
 */
export async function signLocks(io: CommandIo, session: PinsSession, aliases: readonly string[], keyFile: string): Promise<undefined> {
  const { configuration, lockDirectory } = session
  const key = await loadSigningKey(keyFile, configuration)
  for (const upstream of chosen(session, aliases)) {
    const { alias } = upstream
    // Without signers: what is to be signed need not be so yet.
    if ((await loadLock(lockDirectory, alias, [])) === undefined) {
      io.stdout(`${alias}: there is no lock file, so there is nothing to sign\n`)
      continue
    }
    const lock = await editLock(lockDirectory, alias, { signers: [], key }, found => {
      if (found === undefined) throw new CommandFailed(`${alias}: its lock file is gone`)
      return found
    })
    io.stdout(
      `${lockText(upstream, { ...lock, signature: undefined }, true)}  signed with the key ${key.keyId}: ${counted(lock.items.length, 'decision')}\n`,
    )
  }
}

/** Reads lock files as a gateway does. Exit code 2 when it would refuse one. */
export async function verifyLocks(io: CommandIo, session: PinsSession, aliases: readonly string[]): Promise<number | undefined> {
  const faults: LockFileError['faults'][number][] = []
  for (const upstream of chosen(session, aliases)) {
    const { alias } = upstream
    try {
      const lock = await session.lock(alias)
      if (lock === undefined) io.stdout(`${alias}  there is no lock file: nothing of it is approved\n`)
      else {
        const other = isLockOf(lock, upstream) ? '' : '; about another server, so nothing of it counts'
        io.stdout(`${alias}  ${sayKey(lock, session)}, ${counted(lock.items.length, 'decision')}${other}\n`)
      }
    } catch (error) {
      if (!(error instanceof LockFileError)) throw error
      faults.push(...error.faults)
    }
  }
  if (faults.length > 0) throw new LockFileError(faults)
  if (session.isSigned) return undefined
  io.stderr('No signature was checked: gateway.yaml has no pins.signers\n')
  return EXIT.failed
}

function sayKey({ signature }: Lock, { isSigned }: PinsSession): string {
  if (signature === undefined) return 'whole'
  return isSigned ? `whole, signed with the key ${visibleName(signature.keyId)}` : 'whole, with a signature that was not checked'
}
