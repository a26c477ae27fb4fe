import { Refusal } from '../core/errors.ts'
import type { JsonDocument } from '../core/json.ts'
import type { ItemKind } from '../core/model.ts'
import type { Face } from './face.ts'
import { LIST_KINDS } from './kinds.ts'
import { type Discovery, readDiscovery, TOOLS_ONLY, type UpstreamProfile } from './read-discovery.ts'
import { NOTHING, type Snapshot, takeSnapshot } from './snapshot.ts'

/** Reaches one upstream, outside any call. */
export interface Source {
  discover(): Promise<JsonDocument>
  fetchList(kind: ItemKind, cursor: string | undefined): Promise<JsonDocument>
}

/** Told what a look has seen, as soon as it has: a list that is slow delays no other. */
export interface Sight {
  read(kind: ItemKind, snapshot: Snapshot): void
  /** After the first list, or where there is none. `undefined`: the server does not say what it can do. */
  discovered(discovery: Discovery | undefined): void
}

export interface Look {
  /** Why a list could not be read, where others could. */
  readonly failures: ReadonlyMap<ItemKind, unknown>
  /** The smallest non-zero `ttlMs` of all that was read; 0 when none said one. */
  readonly ttlMs: number
}

/**
 * Asks an upstream what it can do, then for each list it declares, side by side; without a usable answer to the first, for its tools
 * alone. Throws what `source` throws when the server cannot be reached, or none of its lists can be read; one that cannot costs the
 * others nothing.
 */
export async function lookAt(source: Source, upstream: Face, sight: Sight, mayGoOn: () => boolean = () => true): Promise<Look> {
  const discovery = await discover(source, upstream)
  const declared = discovery?.profile ?? TOOLS_ONLY
  const asked = LIST_KINDS.filter(kind => declares(declared, kind))
  const failures = new Map<ItemKind, unknown>()
  const ttls = [discovery?.server.ttlMs ?? 0]
  let isTold = false

  function tell(): void {
    if (!isTold) sight.discovered(discovery)
    isTold = true
  }

  function read(kind: ItemKind, snapshot: Snapshot): void {
    ttls.push(snapshot.ttlMs)
    sight.read(kind, snapshot)
    tell()
  }

  async function readList(kind: ItemKind): Promise<void> {
    try {
      read(kind, await takeSnapshot(kind, cursor => source.fetchList(kind, cursor), upstream, mayGoOn))
    } catch (error) {
      if (hasNone(kind, error)) read(kind, NOTHING)
      else failures.set(kind, error)
    }
  }

  await Promise.all(asked.map(readList))
  if (asked.length > 0 && failures.size === asked.length) throw failures.values().next().value
  tell()
  return { failures, ttlMs: smallest(ttls) }
}

/** The capability that has a list's kind in it. */
export function declares(profile: Pick<UpstreamProfile, 'tools' | 'prompts' | 'resources'>, kind: ItemKind): boolean {
  return kind === 'tool' ? profile.tools : kind === 'prompt' ? profile.prompts : profile.resources
}

/** Who has resources need not have templates of them, nor the method (MCP 2026-07-28 server/resources §Capabilities). */
function hasNone(kind: ItemKind, error: unknown): boolean {
  return kind === 'resourceTemplate' && error instanceof Refusal && error.detail.rpc === METHOD_NOT_FOUND
}

const METHOD_NOT_FOUND = -32601

async function discover(source: Source, upstream: Face): Promise<Discovery | undefined> {
  try {
    return readDiscovery(await source.discover(), upstream)
  } catch (error) {
    if (isAnswer(error)) return undefined
    throw error
  }
}

/** True when the server is there and answered, with an error or with something that is no answer. */
function isAnswer(error: unknown): boolean {
  if (!(error instanceof Refusal) || error.code !== 'UPSTREAM_INVALID') return false
  const { reason, status } = error.detail
  // A JSON-RPC error comes from the server whatever its status; any other text behind a 5xx from what stands before one that is down.
  return reason === 'error' || !(UNANSWERED.has(reason) || (typeof status === 'number' && status >= 500))
}

/** How upstream/ calls an exchange that did not end. */
const UNANSWERED: ReadonlySet<unknown> = new Set(['broken', 'cancelled'])

function smallest(ttls: readonly number[]): number {
  const said = ttls.filter(ttlMs => ttlMs > 0)
  return said.length === 0 ? 0 : Math.min(...said)
}
