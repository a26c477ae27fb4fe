import { Refusal } from '../core/errors.ts'
import { type JsonDocument, JsonError, parseJson, parseJsonText } from '../core/json.ts'
import type { ApprovedItem, CallMethod, Grant, RequestId, UpstreamAnswer, UpstreamError } from '../core/model.ts'
import {
  type AnswerTo,
  invalidAnswer,
  LEGACY_VERSIONS,
  MODERN_VERSION,
  mediaType,
  parseResponse,
  rewriteErrorUri,
  supportedVersions,
  upstreamNameOf,
} from '../mcp/index.ts'
import { type PostAnswer, PostError } from './post.ts'

const VERSION_UNSUPPORTED = -32022

/** Errors about our hop: our headers, version or capabilities. The caller can do nothing with them, and the call was not run. */
const OUR_HOP = new Set([-32700, -32600, -32020, -32021, -32022])

/** The document of an upstream's text, strictly parsed: what is checked here must be what the caller reads. */
export function parseAnswer(text: string | Buffer): JsonDocument {
  try {
    return typeof text === 'string' ? parseJsonText(text) : parseJson(text)
  } catch (error) {
    if (error instanceof JsonError) throw invalidAnswer('json')
    throw error
  }
}

/** The document in an HTTP answer that is not an event stream. Throws UPSTREAM_*. */
export function documentOf(answer: PostAnswer): JsonDocument {
  return parseAnswer(bodyOf(answer))
}

/** The JSON text in such an answer. Throws UPSTREAM_*. */
export function bodyOf(answer: PostAnswer): Buffer {
  const { status, contentType, body } = answer
  if (status === 401 || status === 403) throw new Refusal('UPSTREAM_AUTH_REQUIRED', { notProcessed: true }, { status })
  if (status === 429) throw busy(answer)
  // One that was not followed: it would have carried our credential, and what the caller sent, to another host, or round in circles.
  if (mediaType(contentType) !== 'application/json')
    throw invalidAnswer(status >= 300 && status < 400 ? 'redirect' : 'media_type', { status })
  return body
}

/** The final response that the document of an HTTP answer is. Throws UPSTREAM_INVALID. */
export function judgeAnswer(document: JsonDocument, status: number, id: RequestId, answerTo: AnswerTo, isRetry = false): UpstreamAnswer {
  const response = parseResponse(document, id, answerTo, isRetry)
  if (response.kind === 'notification') throw invalidAnswer('notification', { status })
  if (response.kind !== 'error' && status !== 200) throw invalidAnswer('status', { status })
  return response
}

/** The refusal for a list or a discovery that was answered with an error; where that names the revisions a server speaks, with which of ours they are. */
export function documentRefused({ code, dataText }: UpstreamError): Refusal {
  if (code !== VERSION_UNSUPPORTED) return invalidAnswer('error', { rpc: code })
  return new Refusal('UPSTREAM_INVALID', {}, { reason: 'error', rpc: code, era: eraOfVersions(supportedVersions(dataText)) })
}

function eraOfVersions(versions: readonly string[]): 'modern' | 'legacy' | 'none' {
  if (versions.includes(MODERN_VERSION)) return 'modern'
  return versions.some(version => LEGACY_VERSIONS.has(version)) ? 'legacy' : 'none'
}

/** What `judge` returns; its UPSTREAM_INVALID says the status too: it is what all forms of the same refusal have in common. */
export function withStatus<T>(status: number, judge: () => T): T {
  try {
    return judge()
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'UPSTREAM_INVALID' || status === 200) throw error
    throw new Refusal('UPSTREAM_INVALID', error.open, { ...error.detail, status })
  }
}

/**
 * An upstream's error, or our own refusal where the error is about the hop between us. `hasBegun`: it came with status 200, alone or at
 * the end of an event stream. Who cannot read a request, or has no such method, must say so with 400 or 404 (streamable-http
 * §Protocol Version Header, §Server Validation); the same code behind a 200 is a tool's own, perhaps of a server behind it, and says
 * nothing of what was done before.
 */
export function judgeError({ call, item }: Grant, error: UpstreamError, hasBegun: boolean): UpstreamError {
  if (!hasBegun && OUR_HOP.has(error.code)) {
    throw new Refusal('UPSTREAM_INVALID', { notProcessed: true }, { reason: 'protocol', rpc: error.code })
  }
  const judged = hasBegun && !error.ran ? { ...error, ran: true } : error
  return call.method === 'resources/read' ? rewriteErrorUri(judged, upstreamNameOf(item, call), call.name) : judged
}

/**
 * The server's offers are not what we took them for. Of a resource only where a list names it: any caller can ask for one that is not
 * there, and what a server cannot complete, or a task that is over, says nothing of its lists.
 */
export function isSuspicious(code: number, method: CallMethod, item: ApprovedItem): boolean {
  if (method === 'resources/read') return item.kind === 'resource' && item.listed && (code === -32602 || code === -32601)
  if (method !== 'tools/call' && method !== 'prompts/get') return false
  return code === -32602 || code === -32601 || code === -32020
}

/** The refusal for a failed exchange, with certainty about the effect and nothing else; a fault of ours stays what it is. */
export function judgeFailure(error: unknown, effectful: boolean): unknown {
  if (error instanceof PostError) {
    if (error.failure === 'cancelled') return new Refusal('CALLER_GONE', error.sent ? {} : { notProcessed: true })
    const detail = { reason: error.failure, cause: causeOf(error) }
    if (!error.sent) return new Refusal('UPSTREAM_UNREACHABLE', { notProcessed: true, retryAfterMs: 1_000 }, detail)
    return new Refusal(error.failure === 'timeout' ? 'UPSTREAM_TIMEOUT' : 'UPSTREAM_INVALID', effect(effectful), detail)
  }
  if (error instanceof Refusal && error.code === 'UPSTREAM_INVALID' && error.open.notProcessed !== true) {
    return new Refusal('UPSTREAM_INVALID', effect(effectful), error.detail)
  }
  return error
}

function effect(effectful: boolean): { readonly effect?: 'unknown' } {
  return effectful ? { effect: 'unknown' } : {}
}

/** undici's and Node's own words for the failure; never a message, which may hold an address or a URL with a key. */
function causeOf({ cause }: PostError): string {
  const code = (cause as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : ''
}

function busy({ retryAfter }: PostAnswer): Refusal {
  const seconds = Number(retryAfter)
  const retryAfterMs = Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 3_600) * 1_000 : 1_000
  return new Refusal('UPSTREAM_UNREACHABLE', { notProcessed: true, retryAfterMs }, { reason: 'rate_limited', status: 429 })
}

/** The call was not made, and may be in a moment. */
export function unreachable(reason: string): Refusal {
  return new Refusal('UPSTREAM_UNREACHABLE', { notProcessed: true, retryAfterMs: 1_000 }, { reason })
}

/** The failure of something that had to come before a call: of the call itself nothing was sent. */
export function notProcessed(error: unknown): unknown {
  return error instanceof Refusal ? error.with({ notProcessed: true }) : error
}
