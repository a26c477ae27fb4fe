import type { JsonObject } from '../core/json.ts'
import { writeJson } from '../core/json.ts'
import { foldKey } from './envelope-keys.ts'

export const PROTOCOL_VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
export const CLIENT_INFO_KEY = 'io.modelcontextprotocol/clientInfo'
export const CLIENT_CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities'
export const LOG_LEVEL_KEY = 'io.modelcontextprotocol/logLevel'
export const SERVER_INFO_KEY = 'io.modelcontextprotocol/serverInfo'
export const IDEMPOTENCY_KEY = 'dev.wicketgate/idempotencyKey'
export const REFUSAL_KEY = 'dev.wicketgate/refusal'

/** Keys of a request's `_meta` that somebody acts on (MCP 2026-07-28 basic §_meta, and our own). */
export const META_KEYS: readonly string[] = [
  PROTOCOL_VERSION_KEY,
  CLIENT_INFO_KEY,
  CLIENT_CAPABILITIES_KEY,
  LOG_LEVEL_KEY,
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
export function isCarriedKey(key: string): boolean {
  const folded = foldKey(key)
  if (HOP_KEYS.has(folded) || OWN_PREFIX.test(folded)) return false
  const slash = folded.indexOf('/')
  if (slash === -1) return true
  const second = folded.slice(0, slash).split('.', 2)[1]
  return second !== 'modelcontextprotocol' && second !== 'mcp'
}

/** The part of a `_meta` object that travels on. */
export function carriedMeta(meta: JsonObject): JsonObject {
  const entries = Object.entries(meta).filter(([key]) => isCarriedKey(key))
  return entries.length === 0 ? NOTHING : Object.fromEntries(entries)
}

/** Members of an object as JSON text without the braces; may be empty. */
export function writeMembers(object: JsonObject): string {
  return writeJson(object).slice(1, -1)
}
