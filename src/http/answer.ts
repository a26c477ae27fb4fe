import type { EndpointConfig } from '../core/configuration.ts'
import { ERRORS, type ErrorCode, Refusal } from '../core/errors.ts'
import { type JsonObject, writeJson } from '../core/json.ts'
import type { RequestId } from '../core/model.ts'
import { MODERN_VERSION, writeErrorResponse, writeToolRefusal } from '../mcp/index.ts'
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
  const status = open.status ?? entry.status
  if (deliver === 'tool' && context.requestId !== undefined && context.method === 'tools/call') {
    return { status: 200, headers, body: writeToolRefusal(context.requestId, text, writeJson(refusalData(refusal, context))) }
  }
  if (deliver === 'http') return { status, headers, body: writeJson({ error: { code, message: text, ...refusalData(refusal, context) } }) }
  return {
    status,
    headers,
    body: writeErrorResponse(context.requestId, open.rpc ?? (entry.rpc || -32603), text, rpcData(refusal, context)),
  }
}

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
      return writeJson({ supported: open.supported ?? [MODERN_VERSION], requested: open.requested ?? '' })
    case 'MCP_CAPABILITY_MISSING':
      return writeJson({ requiredCapabilities: open.requiredCapabilities ?? {} })
    default:
      return writeJson(refusalData(refusal, context))
  }
}
