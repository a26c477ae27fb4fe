import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isJsonObject, type Json, writeJson } from '../core/json.ts'
import { escapeHidden } from './hidden-characters.ts'
import { PIN_KINDS } from './kinds.ts'
import { type Lock, type LockItem, parseLock } from './lock.ts'

export function lockPath(lockDirectory: string, alias: string): string {
  return join(lockDirectory, `${alias}.lock.json`)
}

/** The lock of one upstream; `undefined` when there is no file. Throws LockFileError on a file that is not one of ours, or was changed by hand. */
export async function loadLock(lockDirectory: string, alias: string): Promise<Lock | undefined> {
  const bytes = await readFile(lockPath(lockDirectory, alias)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return bytes === undefined ? undefined : parseLock(bytes, `${basename(lockDirectory)}/${alias}.lock.json`)
}

/**
 * Reads, edits and replaces one lock file. The temporary file is created exclusively and held from before the read until the
 * rename, so two reviewers at once cannot lose each other's entry, and a crash leaves the old file whole.
 */
export async function editLock(lockDirectory: string, alias: string, edit: (lock: Lock | undefined) => Lock): Promise<Lock> {
  const path = lockPath(lockDirectory, alias)
  await mkdir(lockDirectory, { recursive: true })
  const temporary = `${path}.new`
  const file = await openExclusively(temporary)
  try {
    const edited = edit(await loadLock(lockDirectory, alias))
    await file.writeFile(lockText(edited), 'utf8')
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
  const held = await stat(path).catch(() => undefined)
  if (held === undefined) return
  await (await open(probe, 'wx')).close()
  const now = await stat(probe)
  await unlink(probe)
  if (now.mtimeMs - held.mtimeMs > ABANDONED_MS) await unlink(path).catch(() => undefined)
}

/** Generated, sorted, stable: the same entries always give the same bytes, so that a review shows only what changed. */
export function lockText(lock: Lock): string {
  const items = lock.items.toSorted(byIdentity).map(({ kind, name, variant, state, pin, by, at, reason, descriptor }) => {
    return { kind, name, variant, state, pin, by, at, reason, descriptor }
  })
  return `${indented({ version: 1, upstream: lock.alias, url: lock.url, items }, '')}\n`
}

function byIdentity(a: LockItem, b: LockItem): number {
  return (
    PIN_KINDS.indexOf(a.kind) - PIN_KINDS.indexOf(b.kind) || compare(a.name, b.name) || compare(a.state, b.state) || compare(a.pin, b.pin)
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function indented(value: Json, margin: string): string {
  const inner = `${margin}  `
  if (Array.isArray(value) && value.length > 0) {
    return `[\n${value.map((item: Json) => inner + indented(item, inner)).join(',\n')}\n${margin}]`
  }
  if (isJsonObject(value) && Object.keys(value).length > 0) {
    const members = Object.entries(value).map(([key, member]) => `${inner}${escapeHidden(writeJson(key))}: ${indented(member, inner)}`)
    return `{\n${members.join(',\n')}\n${margin}}`
  }
  return escapeHidden(writeJson(value))
}
