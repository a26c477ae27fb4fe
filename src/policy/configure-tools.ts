import type { IdempotencyPolicy, ItemPolicy, LimitPolicy } from '../core/configuration.ts'
import { parseDuration } from './duration.ts'
import { addressOf } from './rules.ts'
import type { ToolEntry, ToolsFile } from './schema/tools.ts'
import type { SourceDocument } from './source-document.ts'

/** One file's tools in plain values, in the order of the file. */
export function configureTools(file: ToolsFile, document: SourceDocument): readonly ItemPolicy[] {
  return Object.entries(file.tools).map(([key, entry]) => ({
    key,
    address: addressOf(document, ['tools', key]),
    effect: entry.effect,
    discoverable: entry.discoverable,
    limit: limitOf(entry),
    idempotency: idempotencyOf(entry),
    result: entry.result,
    audit: entry.audit,
  }))
}

/** A duration the schema has already accepted. */
export function milliseconds(text: string): number {
  const parsed = parseDuration(text)
  if (parsed === undefined) throw new RangeError('unchecked duration')
  return parsed
}

function limitOf({ limit }: ToolEntry): LimitPolicy | undefined {
  if (limit === undefined) return undefined
  return { calls: limit.calls, perMs: milliseconds(limit.per), by: limit.by, burst: limit.burst ?? limit.calls, cost: limit.cost }
}

function idempotencyOf({ idempotency }: ToolEntry): IdempotencyPolicy | undefined {
  if (idempotency === undefined) return undefined
  const { key, required, ttl, window } = idempotency
  const carrier = key === 'header' || key === 'derived' ? key : { argument: key }
  return { key: carrier, required, ttlMs: milliseconds(ttl), windowMs: milliseconds(window) }
}
