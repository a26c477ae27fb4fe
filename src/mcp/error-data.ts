import { ERRORS } from '../core/errors.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject, parseJsonText } from '../core/json.ts'
import type { UpstreamError } from '../core/model.ts'
import { TASKS_EXTENSION } from './client-capabilities.ts'
import { ownMember } from './own-member.ts'
import { spliceText } from './splice.ts'

/** "Resource not found" until 2026-07-28 (MCP 2025-11-25 server/resources §Error Handling); nobody may say it to a modern caller (basic §Error Codes). */
export const RESOURCE_NOT_FOUND = -32_002

/** Members of this gateway's own `error.data`: an upstream's that has one, or a code of ours, could pass for our word on the call. */
const OURS = ['notProcessed', 'effect', 'errorId']

export function looksOurs(data: Json | undefined): boolean {
  if (data === undefined || !isJsonObject(data)) return false
  return OURS.some(name => Object.hasOwn(data, name)) || Object.hasOwn(ERRORS, String(ownMember(data, 'code')))
}

/** Capabilities that we know how to pass on, with the parts of them that can be asked for. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  elicitation: ['form', 'url'],
  sampling: ['tools', 'context'],
  roots: [],
  extensions: [TASKS_EXTENSION],
}

/**
 * Which capabilities an error of code -32021 says the client lacks (MCP 2026-07-28 basic §Capabilities), in words of ours: what we do not
 * know we could not declare for a caller either, and is left out. `undefined` when nothing is left.
 */
export function requiredCapabilities(data: Json | undefined): JsonObject | undefined {
  const required = isJsonObject(data) ? ownMember(data, 'requiredCapabilities') : undefined
  if (!isJsonObject(required)) return undefined
  const found: Record<string, JsonObject> = {}
  for (const [name, parts] of Object.entries(KNOWN)) {
    const asked = ownMember(required, name)
    if (!isJsonObject(asked)) continue
    const known = parts.filter(part => isJsonObject(ownMember(asked, part)))
    if (name !== 'extensions' || known.length > 0) found[name] = Object.fromEntries(known.map(part => [part, {}]))
  }
  return Object.keys(found).length === 0 ? undefined : found
}

/**
 * An upstream's error about a resource repeats the URI (MCP 2026-07-28 server/resources §Error Handling): the caller is shown the one it
 * asked for, and any other that the upstream names instead under the same prefix. `exposed` is `inner` behind that prefix.
 */
export function rewriteErrorUri(error: UpstreamError, inner: string, exposed: string): UpstreamError {
  if (inner === exposed || error.dataText === undefined) return error
  const { value } = parseJsonText(error.dataText)
  const uri = isJsonObject(value) ? ownMember(value, 'uri') : undefined
  if (typeof uri !== 'string') return error
  const prefix = exposed.slice(0, exposed.length - inner.length)
  return { ...error, dataText: spliceText(error.dataText, [{ path: ['uri'], value: JSON.stringify(prefix + uri) }]) }
}

/** The revisions that an error of code -32022 says the server speaks (MCP 2026-07-28 basic/versioning §Protocol Version Negotiation). */
export function supportedVersions(dataText: string | undefined): readonly string[] {
  if (dataText === undefined) return []
  const { value } = parseJsonText(dataText)
  const supported = isJsonObject(value) ? ownMember(value, 'supported') : undefined
  return isJsonArray(supported) ? supported.filter(version => typeof version === 'string') : []
}
