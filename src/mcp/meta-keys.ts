import { type Json, type JsonObject, writeJson } from '../core/json.ts'
import { foldKey } from './envelope-keys.ts'

export const PROTOCOL_VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
export const CLIENT_INFO_KEY = 'io.modelcontextprotocol/clientInfo'
export const CLIENT_CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities'
export const LOG_LEVEL_KEY = 'io.modelcontextprotocol/logLevel'
export const SUBSCRIPTION_ID_KEY = 'io.modelcontextprotocol/subscriptionId'
export const SERVER_INFO_KEY = 'io.modelcontextprotocol/serverInfo'
export const IDEMPOTENCY_KEY = 'dev.wicketgate/idempotencyKey'
export const REFUSAL_KEY = 'dev.wicketgate/refusal'
/** Of results: whose words they are, and what became of them on the way. */
export const SOURCE_KEY = 'dev.wicketgate/source'
export const HIDDEN_CHARACTERS_KEY = 'dev.wicketgate/hiddenCharacters'
export const TRUNCATED_KEY = 'dev.wicketgate/truncated'
/** Of a result that an earlier request with its idempotency key had. */
export const REPLAY_KEY = 'dev.wicketgate/replay'
/** Of a list: upstreams of which nothing is in it. */
export const LACKING_KEY = 'dev.wicketgate/lacking'

/** Keys of a request's `_meta` that somebody acts on (MCP 2026-07-28 basic §_meta, and our own). */
export const META_KEYS: readonly string[] = [
  PROTOCOL_VERSION_KEY,
  CLIENT_INFO_KEY,
  CLIENT_CAPABILITIES_KEY,
  LOG_LEVEL_KEY,
  SUBSCRIPTION_ID_KEY,
  IDEMPOTENCY_KEY,
  'progressToken',
  'traceparent',
  'tracestate',
  'baggage',
]

const HOP_KEYS = new Set(['progresstoken', 'traceparent', 'tracestate', 'baggage'])
const OWN_PREFIX = /^dev\.wicketgate[./]/
const NOTHING: JsonObject = Object.freeze({})

/**
 * A key that belongs to neither hop, and so travels through in both directions: not the protocol's own (a prefix whose second
 * label is `modelcontextprotocol` or `mcp`), not ours, which an upstream could forge a refusal with, and not the trace context
 * or progress token, which are each hop's own.
 */
function isCarriedKey(key: string): boolean {
  const folded = foldKey(key)
  if (HOP_KEYS.has(folded) || OWN_PREFIX.test(folded)) return false
  const slash = folded.indexOf('/')
  if (slash === -1) return true
  const second = folded.slice(0, slash).split('.', 2)[1]
  return second !== 'modelcontextprotocol' && second !== 'mcp'
}

/** Spares the usual keys the folding: nearly every `_meta` holds nothing else. */
const HOP_ONLY: ReadonlySet<string> = new Set([...META_KEYS, SERVER_INFO_KEY])

/** The part of a `_meta` object that travels on. */
export function carriedMeta(meta: JsonObject): JsonObject {
  let carried: [string, Json][] | undefined
  for (const key of Object.keys(meta)) {
    const value = meta[key]
    if (value === undefined || HOP_ONLY.has(key) || !isCarriedKey(key)) continue
    carried ??= []
    carried.push([key, value])
  }
  return carried === undefined ? NOTHING : Object.fromEntries(carried)
}

/** Members of an object as JSON text without the braces; may be empty. */
export function writeMembers(object: JsonObject): string {
  if (object === NOTHING) return ''
  return writeJson(object).slice(1, -1)
}
