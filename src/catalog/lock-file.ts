import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, mkdir, open, rename, stat, unlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PinSigner } from '../core/configuration.ts'
import type { JsonObject } from '../core/json.ts'
import { compareTexts } from '../core/order.ts'
import { PIN_KINDS } from './kinds.ts'
import { type Lock, LockFileError, type LockItem, parseLock } from './lock.ts'
import { type LockSignature, type SigningKey, signLock } from './lock-signature.ts'
import { readableJson } from './readable-json.ts'

export function lockPath(lockDirectory: string, alias: string): string {
  return join(lockDirectory, `${alias}.lock.json`)
}

/** Twice what all lists of a server may hold together. */
const MAX_BYTES = 134_217_728

/**
 * The lock of one upstream; `undefined` when there is no file. Throws LockFileError on a file that is not one of ours, was changed by
 * hand, or, where there are signers, was signed by none of them.
 */
export async function loadLock(lockDirectory: string, alias: string, signers: readonly PinSigner[]): Promise<Lock | undefined> {
  const file = fileName(lockDirectory, alias)
  const bytes = await readWhole(lockPath(lockDirectory, alias)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (typeof bytes === 'string') throw new LockFileError([{ file, line: 1, column: 1, message: bytes }])
  return bytes === undefined ? undefined : parseLock(bytes, file, signers)
}

/** Its bytes, or why it is no lock file: what has no end, or is a pipe that nobody writes to, would be read for ever. */
async function readWhole(path: string): Promise<Buffer | string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const found = await file.stat()
    if (!found.isFile()) return 'is not a file'
    return found.size > MAX_BYTES ? `is larger than ${MAX_BYTES} bytes` : await file.readFile()
  } finally {
    await file.close()
  }
}

function fileName(lockDirectory: string, alias: string): string {
  return `${basename(lockDirectory)}/${alias}.lock.json`
}

export interface Signing {
  /** Whose signature the file must carry before it is edited: what somebody slipped into it must not be signed along with the edit. */
  readonly signers: readonly PinSigner[]
  /** Signs what is written; without it the file is not signed. */
  readonly key?: SigningKey | undefined
}

/**
 * Reads, edits and replaces one lock file. The temporary file is created exclusively and held from before the read until the
 * rename, so two reviewers at once cannot lose each other's entry, and a crash leaves the old file whole.
 */
export async function editLock(
  lockDirectory: string,
  alias: string,
  { signers, key }: Signing,
  edit: (lock: Lock | undefined) => Lock,
): Promise<Lock> {
  const path = lockPath(lockDirectory, alias)
  await mkdir(lockDirectory, { recursive: true })
  const temporary = `${path}.new`
  const file = await openExclusively(temporary)
  try {
    const edited = edit(await loadLock(lockDirectory, alias, signers))
    const bytes = Buffer.from(lockText(edited, key), 'utf8')
    // What would be refused when it is read is not written.
    await parseLock(bytes, fileName(lockDirectory, alias), signers)
    await file.writeFile(bytes)
    await file.sync()
    await rename(temporary, path)
    return edited
  } catch (error) {
    await unlink(temporary).catch(() => undefined)
    throw error
  } finally {
    await file.close()
  }
}

const ABANDONED_MS = 30_000

async function openExclusively(path: string) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await open(path, 'wx', 0o644)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt === 100) throw error
      await clearAbandoned(path)
      await sleep(20 + (randomBytes(1)[0] ?? 0) / 8)
    }
  }
}

/** Left by a process that died while writing. Both times come from the file system, so clocks need not agree. */
async function clearAbandoned(path: string): Promise<void> {
  const probe = `${path}.${randomBytes(4).toString('hex')}`
  // Not where it leads: a link that leads nowhere would be in the way for ever.
  const held = await lstat(path).catch(() => undefined)
  if (held === undefined) return
  await (await open(probe, 'wx')).close()
  const now = await stat(probe)
  await unlink(probe)
  if (now.mtimeMs - held.mtimeMs > ABANDONED_MS) await unlink(path).catch(() => undefined)
}

/** Generated, sorted, stable: the same entries always give the same bytes, so that a review shows only what changed. */
export function lockText(lock: Lock, key?: SigningKey): string {
  const content = contentOf(lock, key === undefined ? 1 : 2)
  const signature: { signature?: LockSignature } = key === undefined ? {} : { signature: signLock(content, key) }
  return `${readableJson({ ...content, ...signature } as JsonObject)}\n`
}

function contentOf({ alias, url, met, items }: Lock, version: 1 | 2): JsonObject {
  const sorted = items.toSorted(byIdentity).map(({ kind, name, variant, state, pin, by, at, reason, descriptor }) => {
    return { kind, name, variant, state, pin, by, at, reason, descriptor }
  })
  return { version, upstream: alias, url, ...(met.length > 0 && { met: met.toSorted() }), items: sorted }
}

function byIdentity(a: LockItem, b: LockItem): number {
  return (
    PIN_KINDS.indexOf(a.kind) - PIN_KINDS.indexOf(b.kind) ||
    compareTexts(a.name, b.name) ||
    compareTexts(a.variant, b.variant) ||
    compareTexts(a.state, b.state) ||
    compareTexts(a.pin, b.pin)
  )
}
