import type { JsonObject } from '../core/json.ts'
import type { ApprovedItem, Principal } from '../core/model.ts'
import type { Opened } from '../store/index.ts'
import { digest, readParts } from './leg-state.ts'
import { invalid } from './refusals.ts'

/** It travels in the `Mcp-Name` header too (SEP-2663 §Routing Headers), beside a token. */
export const MAX_TASK_ID_LENGTH = 4_096

const HOUR_MS = 3_600_000
const MAX_TTL_MS = 30 * 24 * HOUR_MS

/** A task of one upstream, as its caller's sealed id says. Policy's revision and the tool's pin are not in it: both are asked anew each time. */
export interface TaskId {
  readonly upstreamId: string
  readonly alias: string
  /** Whose credential began it: the server knows it as nobody else's. */
  readonly variant: string
  readonly upstreamName: string
  readonly exposedName: string
}

/** The server decides how long there is such a task, and may lengthen its `ttlMs`; the id is good for an hour at least, and thirty days at most. */
export function taskTtlMs(task: JsonObject): number {
  const { ttlMs } = task
  return typeof ttlMs === 'number' ? Math.min(Math.max(ttlMs, HOUR_MS), MAX_TTL_MS) : MAX_TTL_MS
}

export function writeTaskId(upstreamId: string, item: ApprovedItem, principal: Principal, expiresAtMs: number): string {
  const { alias, variant, upstreamName, exposedName } = item
  return JSON.stringify([expiresAtMs, digest(principal.identity), upstreamId, alias, variant, upstreamName, exposedName])
}

/** Throws STATE_INVALID for an id that is over, or another principal's. */
export function readTaskId({ plain }: Opened, principal: Principal, nowMs: number): TaskId {
  const [expiresAtMs, owner, upstreamId, alias, variant, upstreamName, exposedName] = readParts(plain)
  if (typeof expiresAtMs !== 'number' || typeof upstreamId !== 'string' || typeof alias !== 'string') throw invalid('form')
  if (typeof variant !== 'string' || typeof upstreamName !== 'string' || typeof exposedName !== 'string') throw invalid('form')
  if (expiresAtMs <= nowMs) throw invalid('expired')
  if (owner !== digest(principal.identity)) throw invalid('principal')
  return { upstreamId, alias, variant, upstreamName, exposedName }
}
