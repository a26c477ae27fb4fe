import type { EndpointConfig } from '../core/configuration.ts'
import { ERRORS, Refusal } from '../core/errors.ts'
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
  const text = open.text ?? (code === 'CATALOG_UNKNOWN_TOOL' ? `${entry.text}${open.name ?? ''}` : entry.text)
  const headers: Record<string, string> = { 'content-type': 'application/json', 'cache-control': 'no-store' }
  if (open.retryAfterMs !== undefined) headers['retry-after'] = String(Math.max(1, Math.ceil(open.retryAfterMs / 1000)))
  if (open.allow !== undefined) headers.allow = open.allow
  if (context.endpoint !== undefined) {
    const authenticate = challenge(refusal, context.endpoint, context.publicUrl)
    if (authenticate !== undefined) headers['www-authenticate'] = authenticate
  }
  const status = open.status ?? entry.status
  if (deliver === 'tool' && context.requestId !== undefined) {
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

/** `error.data`. Two answers are fixed by others: the version list is the specification's, and an unknown tool is one answer, byte for byte. */
function rpcData(refusal: Refusal, context: AnswerContext): string | undefined {
  if (refusal.code === 'CATALOG_UNKNOWN_TOOL') return undefined
  if (refusal.code === 'MCP_VERSION_UNSUPPORTED') {
    return writeJson({ supported: refusal.open.supported ?? [MODERN_VERSION], requested: refusal.open.requested ?? '' })
  }
  return writeJson(refusalData(refusal, context))
}
