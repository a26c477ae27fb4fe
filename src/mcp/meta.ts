import type { Refusal } from '../core/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import type { CallHeaders, ClientCapabilities, LogLevel, RequestMeta } from '../core/model.ts'
import { parseCapabilities } from './client-capabilities.ts'
import { headerMismatch } from './header-mismatch.ts'
import { isLogLevel } from './log-level.ts'
import { isRequestId, type RequestMessage } from './message.ts'
import { CLIENT_CAPABILITIES_KEY, CLIENT_INFO_KEY, carriedMeta, IDEMPOTENCY_KEY, LOG_LEVEL_KEY, PROTOCOL_VERSION_KEY } from './meta-keys.ts'
import { ownMember } from './own-member.ts'
import { paramsInvalid } from './params-invalid.ts'
import { isModern, SERVED_VERSIONS } from './revision.ts'
import { VERSION_HEADER as HEADER } from './session-headers.ts'
import { isTraceparent, isTracestate } from './trace-context.ts'
import { versionUnsupported } from './version-unsupported.ts'

/**
 * Era, `_meta`, and the version's agreement between header and body, in this order.
 * Nothing modern about the request: MCP_VERSION_UNSUPPORTED, which tells a legacy client what is served here. Something modern,
 * but `_meta` lacks what it needs: MCP_PARAMS_INVALID. Header missing, twice or different: MCP_HEADER_MISMATCH. Agreed on a
 * version that is not served: MCP_VERSION_UNSUPPORTED.
 */
export function checkMeta(request: RequestMessage, headers: CallHeaders): RequestMeta {
  const values = headers.get(HEADER)
  const header = values?.[0]
  if (values !== undefined && values.length > 1) throw headerMismatch(HEADER, 'duplicate')
  const meta = ownMember(request.params, '_meta')
  if (!isJsonObject(meta) || !Object.hasOwn(meta, PROTOCOL_VERSION_KEY)) throw withoutVersion(request, header)
  const checked = parseMeta(meta)
  if (header === undefined) throw headerMismatch(HEADER, 'missing')
  if (header !== checked.protocolVersion) throw headerMismatch(HEADER, 'different')
  if (!SERVED_VERSIONS.includes(header)) throw versionUnsupported(header)
  return checked
}

/** The checked form of a `_meta` object that has a protocol version; throws MCP_PARAMS_INVALID. */
export function parseMeta(meta: JsonObject): RequestMeta {
  const protocolVersion = ownMember(meta, PROTOCOL_VERSION_KEY)
  if (typeof protocolVersion !== 'string') throw invalid('protocolVersion')
  const declared = ownMember(meta, CLIENT_CAPABILITIES_KEY)
  if (!isJsonObject(declared)) throw invalid('clientCapabilities')
  const capabilities = parseCapabilities(declared)
  if (!isImplementation(ownMember(meta, CLIENT_INFO_KEY))) throw invalid('clientInfo')
  const logLevel = ownMember(meta, LOG_LEVEL_KEY)
  if (logLevel !== undefined && !isLogLevel(logLevel)) throw invalid('logLevel')
  return readMeta(meta, protocolVersion, capabilities, logLevel)
}

/** What every revision's `_meta` may hold; throws MCP_PARAMS_INVALID. */
export function readMeta(
  meta: JsonObject,
  protocolVersion: string,
  capabilities: ClientCapabilities,
  logLevel: LogLevel | undefined,
): RequestMeta {
  const progressToken = ownMember(meta, 'progressToken')
  // The bound is ours: the token comes back in every progress notification, so a long one would multiply.
  if (progressToken !== undefined && !isRequestId(progressToken)) throw invalid('progressToken')
  const traceparent = ownMember(meta, 'traceparent')
  const traced = isTraceparent(traceparent)
  const tracestate = ownMember(meta, 'tracestate')
  return {
    protocolVersion,
    capabilities,
    progressToken,
    logLevel,
    traceparent: traced ? traceparent : undefined,
    tracestate: traced && isTracestate(tracestate) ? tracestate : undefined,
    idempotencyKey: ownMember(meta, IDEMPOTENCY_KEY),
    carried: carriedMeta(meta),
  }
}

/** Its name and version, where it says them. */
export function isImplementation(value: Json | undefined): boolean {
  if (value === undefined) return true
  return isJsonObject(value) && typeof ownMember(value, 'name') === 'string' && typeof ownMember(value, 'version') === 'string'
}

function withoutVersion(request: RequestMessage, header: string | undefined): Refusal {
  const handshake = request.method === 'initialize'
  if (header !== undefined && isModern(header)) return handshake ? headerMismatch(HEADER, 'different') : invalid('protocolVersion')
  const asked = handshake ? ownMember(request.params, 'protocolVersion') : undefined
  return versionUnsupported(typeof asked === 'string' ? asked : header)
}

function invalid(key: string): Refusal {
  return paramsInvalid('meta', key)
}
