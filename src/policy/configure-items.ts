import type { IdempotencyPolicy, ItemPolicy, LimitPolicy, ResultPolicy } from '../core/configuration.ts'
import { parseDuration } from './duration.ts'
import { addressOf } from './rules.ts'
import type { PromptEntry, ResourceEntry, ToolEntry, ToolsFile } from './schema/tools.ts'
import type { Section } from './sections.ts'
import type { SourceDocument } from './source-document.ts'

/** One map of a file in plain values, in the order of the file. */
export function configureItems(section: Section, file: ToolsFile, document: SourceDocument): readonly ItemPolicy[] {
  return Object.entries<ToolEntry | PromptEntry | ResourceEntry>(file[section] ?? {}).map(([key, entry]) => ({
    key,
    address: addressOf(document, [section, key]),
    effect: 'effect' in entry ? entry.effect : 'read',
    unlisted: 'unlisted' in entry && entry.unlisted,
    discoverable: entry.discoverable,
    limit: limitOf(entry),
    idempotency: 'idempotency' in entry ? idempotencyOf(entry) : undefined,
    result: resultOf(entry),
    audit: entry.audit,
  }))
}

/** A duration the schema has already accepted. */
export function milliseconds(text: string): number {
  const parsed = parseDuration(text)
  if (parsed === undefined) throw new RangeError('unchecked duration')
  return parsed
}

function limitOf({ limit }: Pick<ToolEntry, 'limit'>): LimitPolicy | undefined {
  if (limit === undefined) return undefined
  return { calls: limit.calls, perMs: milliseconds(limit.per), by: limit.by, burst: limit.burst ?? limit.calls, cost: limit.cost }
}

function idempotencyOf({ idempotency }: Pick<ToolEntry, 'idempotency'>): IdempotencyPolicy | undefined {
  if (idempotency === undefined) return undefined
  const { key, required, ttl, window } = idempotency
  const carrier = key === 'header' || key === 'derived' ? key : { argument: key }
  return { key: carrier, required, ttlMs: milliseconds(ttl), windowMs: milliseconds(window) }
}

/** Prompts and resources have no output schema that a result could miss, and part of a prompt is another prompt. */
function resultOf({ result }: ToolEntry | PromptEntry | ResourceEntry): ResultPolicy {
  return {
    maxBytes: result.maxBytes,
    over: 'over' in result ? result.over : 'withhold',
    schema: 'schema' in result ? result.schema : 'block',
    characters: result.characters,
  }
}
