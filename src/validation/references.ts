import { isJsonObject, type Json, type JsonObject, pointerValue } from '../core/json.ts'
import { Unenforceable } from './unenforceable.ts'

/**
 * Where a `$ref` leads, inside the same schema only: `#`, `#/json/pointer` or `#anchor`. Anything else would have to be fetched
 * (MCP 2026-07-28 basic §$ref Resolution), and what is not found must not count as "anything goes".
 */
export function resolveReference(
  root: JsonObject,
  anchors: ReadonlyMap<string, JsonObject>,
  reference: Json,
  at: string,
): JsonObject | boolean {
  if (typeof reference !== 'string' || !reference.startsWith('#')) throw new Unenforceable('a $ref that leaves the schema', at)
  const target = targetOf(root, anchors, reference.slice(1))
  if (isJsonObject(target) || typeof target === 'boolean') return target
  throw new Unenforceable('a $ref that leads nowhere', at)
}

function targetOf(root: JsonObject, anchors: ReadonlyMap<string, JsonObject>, fragment: string): Json | undefined {
  if (fragment === '') return root
  if (!fragment.startsWith('/')) return anchors.get(fragment)
  try {
    return pointerValue(root, decodeURIComponent(fragment))
  } catch {
    return undefined
  }
}
