import { join } from 'node:path'
import { isLockOf, type LockItem, loadLock } from '../catalog/index.ts'
import type { Configuration } from '../core/configuration.ts'

/** What a lock file says of an upstream. */
export interface Approved {
  /** False: it was written about another URL, so nothing in it counts. */
  readonly isOfThisServer: boolean
  /** Of every kind. */
  readonly items: readonly LockItem[]
  /** By kind and name: `tool send`, `resource file:///a`. */
  readonly byName: ReadonlyMap<string, LockItem>
}

/** What is approved of an upstream, of one variant or of all; `undefined` where nothing was decided yet. Reads a file and asks no server. Throws LockFileError. */
export async function loadApproved(
  { directory, upstreams, pins }: Configuration,
  alias: string,
  variant?: string,
): Promise<Approved | undefined> {
  const upstream = upstreams.get(alias)
  const lock = await loadLock(join(directory, 'pins'), alias, pins.signers)
  if (lock === undefined || upstream === undefined) return undefined
  const isOfThisServer = isLockOf(lock, upstream)
  const items = isOfThisServer
    ? lock.items.filter(item => item.state === 'approved' && (variant === undefined || item.variant === variant))
    : []
  return { isOfThisServer, items, byName: new Map(items.map(item => [`${item.kind} ${item.name}`, item])) }
}
