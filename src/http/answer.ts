import type { EndpointConfig } from '../core/configuration.ts'
import { ERRORS, type ErrorCode, Refusal } from '../core/errors.ts'
import { type JsonObject, writeJson } from '../core/json.ts'
import type { RequestId } from '../core/model.ts'
import {
  MODERN_VERSION,
  RESOURCE_NOT_FOUND,
  servedVersions,
  writeErrorResponse,
  writeSessionToolRefusal,
  writeToolRefusal,
} from '../mcp/index.ts'
import { challenge } from './challenge.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface AnswerContext {
  readonly endpoint: EndpointConfig | undefined
  readonly publicUrl: string
  readonly requestId: RequestId | undefined
  readonly method: string | undefined
  readonly era: 'modern' | 'legacy'
  /** Names the audit record to whoever may read it; means nothing to anybody else. */
  readonly errorId: string
}

/** Anything that is not a `Refusal` is our own fault: the caller learns an id, the record has the rest. */
export function asRefusal(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal('INTERNAL', {}, {}, { cause: error })
}

/** The one place where a refusal becomes HTTP. */
export function answerRefusal(refusal: Refusal, context: AnswerContext): Answer {
  const { open, code } = refusal
  const entry = ERRORS[code]
  const deliver = open.deliver ?? entry.deliver
  const text = open.text ?? (NAMING.has(code) ? `${entry.text}${open.name ?? ''}` : entry.text)
  const headers: Record<string, string> = { 'content-type': 'application/json', 'cache-control': 'no-store' }
  if (open.retryAfterMs !== undefined) headers['retry-after'] = String(Math.max(1, Math.ceil(open.retryAfterMs / 1000)))
  if (open.allow !== undefined) headers.allow = open.allow
  if (context.endpoint !== undefined) {
    const authenticate = challenge(refusal, context.endpoint, context.publicUrl)
    if (authenticate !== undefined) headers['www-authenticate'] = authenticate
  }
  const isLegacy = context.era === 'legacy'
  if (deliver === 'tool' && context.requestId !== undefined && context.method === 'tools/call') {
    const write = isLegacy ? writeSessionToolRefusal : writeToolRefusal
    return { status: 200, headers, body: write(context.requestId, text, writeJson(refusalData(refusal, context))) }
  }
  // Official clients of earlier revisions read a JSON-RPC error only where HTTP has none; whatever else they show is a text.
  const isReadAsError = isLegacy && deliver !== 'http' && context.requestId !== undefined && !OF_TRANSPORT.has(code)
  const status = open.status ?? (isReadAsError ? 200 : entry.status)
  if (deliver === 'http') return { status, headers, body: writeJson({ error: { code, message: text, ...refusalData(refusal, context) } }) }
  return {
    status,
    headers,
    body: writeErrorResponse(context.requestId, open.rpc ?? rpcCode(code, isLegacy), text, rpcData(refusal, context)),
  }
}

function rpcCode(code: ErrorCode, isLegacy: boolean): number {
  return isLegacy && code === 'CATALOG_UNKNOWN_RESOURCE' ? RESOURCE_NOT_FOUND : ERRORS[code].rpc || -32603
}

/** The transport of earlier revisions itself has a status for these (MCP 2025-11-25 basic/transports). */
const OF_TRANSPORT: ReadonlySet<ErrorCode> = new Set([
  'MCP_PARSE',
  'MCP_INVALID_REQUEST',
  'MCP_HEADER_MISMATCH',
  'MCP_VERSION_UNSUPPORTED',
  'SESSION_REQUIRED',
  'SESSION_UNKNOWN',
])

function refusalData({ code, open }: Refusal, { errorId }: AnswerContext): JsonObject {
  return {
    code,
    ...(open.retryAfterMs === undefined ? {} : { retryAfterMs: open.retryAfterMs }),
    ...(open.notProcessed === undefined ? {} : { notProcessed: true }),
    ...(open.effect === undefined ? {} : { effect: open.effect }),
    errorId,
  }
}

/** Their texts end with the name that was asked for. */
const NAMING: ReadonlySet<ErrorCode> = new Set(['CATALOG_UNKNOWN_TOOL', 'CATALOG_UNKNOWN_PROMPT'])

/**
 * `error.data`. Some answers are fixed by others: what a version or a missing capability needs is the specification's, and what is unknown
 * is one answer, byte for byte, whatever the reason.
 */
function rpcData(refusal: Refusal, context: AnswerContext): string | undefined {
  const { open } = refusal
  switch (refusal.code) {
    case 'CATALOG_UNKNOWN_TOOL':
    case 'CATALOG_UNKNOWN_PROMPT':
    case 'STATE_INVALID':
      return undefined
    case 'CATALOG_UNKNOWN_RESOURCE':
      return writeJson({ uri: open.name ?? '' })
    case 'MCP_VERSION_UNSUPPORTED':
      return writeJson({
        supported: servedVersions(context.endpoint?.minProtocolVersion ?? MODERN_VERSION),
        requested: open.requested ?? '',
      })
    case 'MCP_CAPABILITY_MISSING':
      return writeJson({ requiredCapabilities: open.requiredCapabilities ?? {} })
    default:
      return writeJson(refusalData(refusal, context))
  }
}
