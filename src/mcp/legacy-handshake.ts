import { isJsonObject, type Json, type JsonDocument, type JsonObject, parseJsonText, writeJson } from '../core/json.ts'
import type { RequestId } from '../core/model.ts'
import { invalidAnswer } from './invalid-answer.ts'
import { type LegacyResponse, parseLegacyResponse } from './legacy-message.ts'
import { ownMember } from './own-member.ts'
import { LEGACY_VERSIONS } from './revision.ts'

/** What a server said in `initialize`, as far as somebody acts on it. */
export interface Handshake {
  readonly protocolVersion: string
  readonly hasLogging: boolean
  readonly hasSubscribe: boolean
  /** What catalog/ reads of a server: the answer to a `server/discover` that says the same. */
  readonly discovery: JsonDocument
}

/** Capabilities that mean the same in both eras; of the others a legacy server can promise nothing that we would ask for. */
const CAPABILITIES = ['tools', 'prompts', 'resources', 'completions', 'logging'] as const

/** Reads the response to `initialize` (MCP 2025-11-25 lifecycle §Initialization). Throws UPSTREAM_INVALID, for a revision we do not speak too. */
export function parseHandshake(response: LegacyResponse, id: RequestId): Handshake {
  const answer = parseLegacyResponse(response, id, 'discover')
  if (answer.kind === 'error') throw invalidAnswer('error', { rpc: answer.code })
  const { result } = answer
  const protocolVersion = ownMember(result, 'protocolVersion')
  if (typeof protocolVersion !== 'string' || !LEGACY_VERSIONS.has(protocolVersion)) throw invalidAnswer('version')
  const capabilities = ownMember(result, 'capabilities')
  if (!isJsonObject(capabilities)) throw invalidAnswer('capabilities')
  const resources = ownMember(capabilities, 'resources')
  return {
    protocolVersion,
    hasLogging: isJsonObject(ownMember(capabilities, 'logging')),
    hasSubscribe: isJsonObject(resources) && ownMember(resources, 'subscribe') === true,
    discovery: discoveryOf(response.document, protocolVersion, capabilities),
  }
}

function discoveryOf({ text, spans }: JsonDocument, protocolVersion: string, capabilities: JsonObject): JsonDocument {
  const said = (pointer: string): string | undefined => {
    const span = spans.get(pointer)
    return span && text.slice(span[0], span[1])
  }
  const kept: Record<string, Json> = {}
  for (const name of CAPABILITIES) {
    const value = ownMember(capabilities, name)
    if (isJsonObject(value)) kept[name] = value
  }
  const instructions = said('/result/instructions')
  const members = [
    `"resultType":"complete","supportedVersions":["${protocolVersion}"]`,
    `"capabilities":${writeJson(kept)}`,
    ...(instructions === undefined ? [] : [`"instructions":${instructions}`]),
  ]
  return parseJsonText(`{"jsonrpc":"2.0","id":0,"result":{${members.join(',')},"ttlMs":0,"cacheScope":"private"}}`)
}
