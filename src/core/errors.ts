import type { Facts } from './facts.ts'
import type { JsonObject } from './json-value.ts'

/**
 * The catalogue of refusals: code → how it is delivered, HTTP status, JSON-RPC code, the fixed public text.
 *
 * The prefix is the room that refuses. A public text never repeats what a caller, a token or an upstream said; what was seen
 * goes into `Refusal.detail`, which only the audit record shows. Every code has a section in docs/errors.md and a test.
 *
 * `http`: no JSON-RPC body, there is no request to answer yet. `rpc`: a JSON-RPC error, under the caller's id where it could be read.
 * `tool`: a tool result with `isError: true`, because that is what a model reads (MCP 2026-07-28 server/tools §Error Handling); to other
 * methods than `tools/call`, whose results have no such form, a JSON-RPC error with the entry's status and code.
 */
export type Delivery = 'http' | 'rpc' | 'tool'

interface CatalogueEntry {
  readonly deliver: Delivery
  readonly status: number
  readonly rpc: number
  readonly text: string
}

function entry(deliver: Delivery, status: number, rpc: number, text: string): CatalogueEntry {
  return { deliver, status, rpc, text }
}

export const ERRORS = {
  HTTP_HOST_REFUSED: entry('http', 403, 0, 'This host is not served here.'),
  HTTP_ORIGIN_REFUSED: entry('http', 403, 0, 'This origin may not use this endpoint.'),
  HTTP_NOT_FOUND: entry('http', 404, 0, 'There is nothing at this path.'),
  HTTP_METHOD_NOT_ALLOWED: entry('http', 405, 0, 'This method is not served here; Allow says which are.'),
  HTTP_NOT_ACCEPTABLE: entry('http', 406, 0, 'The answer is an event stream: accept text/event-stream.'),
  HTTP_MALFORMED: entry('http', 400, 0, 'The request is not valid HTTP.'),
  HTTP_HEADER_DUPLICATE: entry('http', 400, 0, 'A header that may appear once appears more than once.'),
  HTTP_TIMEOUT: entry('http', 408, 0, 'The request did not arrive in time.'),
  HTTP_BODY_TOO_LARGE: entry('http', 413, 0, 'The body is larger than this endpoint accepts.'),
  HTTP_MEDIA_TYPE: entry('http', 415, 0, 'Send Content-Type: application/json, without Content-Encoding.'),
  HTTP_HEADERS_TOO_LARGE: entry('http', 431, 0, 'The header section is larger than this endpoint accepts.'),
  HTTP_DRAINING: entry('http', 503, 0, 'This process is shutting down; try again.'),

  AUTH_TOKEN_MISSING: entry('http', 401, 0, 'An access token is required.'),
  AUTH_TOKEN_INVALID: entry('http', 401, 0, 'The access token is not valid here.'),
  AUTH_SCOPE_INSUFFICIENT: entry('http', 403, 0, 'The access token lacks a scope this request needs.'),
  AUTH_KEYS_UNAVAILABLE: entry('http', 503, 0, 'Access tokens cannot be verified at the moment; try again.'),

  MCP_PARSE: entry('rpc', 400, -32700, 'The body is not acceptable JSON.'),
  MCP_INVALID_REQUEST: entry('rpc', 400, -32600, 'The body is not a single JSON-RPC request.'),
  MCP_PARAMS_INVALID: entry('rpc', 400, -32602, 'The request parameters are not valid.'),
  MCP_HEADER_MISMATCH: entry('rpc', 400, -32020, 'A request header is missing, malformed or disagrees with the body.'),
  MCP_VERSION_UNSUPPORTED: entry('rpc', 400, -32022, 'Unsupported protocol version'),
  MCP_METHOD_NOT_FOUND: entry('rpc', 404, -32601, 'Method not found'),
  MCP_CAPABILITY_MISSING: entry('rpc', 400, -32021, 'Missing required client capability'),

  SESSION_REQUIRED: entry('rpc', 400, -32600, 'Send the Mcp-Session-Id that initialize gave.'),
  SESSION_UNKNOWN: entry('rpc', 404, -32001, 'There is no such session; initialize again.'),
  SESSION_EVENT_UNKNOWN: entry('rpc', 400, -32600, 'Last-Event-ID is the id of no event of this session.'),
  SESSION_STREAM_LOST: entry('rpc', 502, -32603, 'The answer to this request is lost; what the call has done is not known.'),

  CATALOG_UNKNOWN_TOOL: entry('rpc', 200, -32602, 'Unknown tool: '),
  CATALOG_UNKNOWN_PROMPT: entry('rpc', 200, -32602, 'Unknown prompt: '),
  CATALOG_UNKNOWN_RESOURCE: entry('rpc', 200, -32602, 'Resource not found'),
  CATALOG_UNAVAILABLE: entry('rpc', 503, -32603, 'None of the servers behind this endpoint can be reached at the moment; try again.'),

  POLICY_REFUSED: entry('tool', 200, -32602, 'Refused by policy.'),

  VALIDATION_ARGUMENTS: entry('tool', 200, -32602, 'The arguments do not fit this tool.'),
  VALIDATION_RESULT: entry('tool', 200, -32603, 'The tool ran, and its result was withheld because it does not fit what was approved.'),
  VALIDATION_QUESTION: entry('tool', 200, -32603, 'The server asked its user for something that is not allowed here, so the request ends.'),

  STATE_INVALID: entry('rpc', 200, -32602, 'What was sent back is not valid here, or no longer valid; start over.'),

  LIMITS_EXCEEDED: entry('tool', 429, 429, 'Too many calls.'),
  LIMITS_LIST_EXCEEDED: entry('rpc', 429, 429, 'Too many requests.'),
  LIMITS_STREAMS: entry('rpc', 429, 429, 'Too many open subscriptions.'),
  LIMITS_UNDER_WAY: entry('http', 429, 0, 'Too much of what this caller has sent is still under way; try again when some of it has ended.'),
  LIMITS_ADDRESS: entry('http', 429, 0, 'Too many failed requests from this address.'),

  IDEMPOTENCY_KEY_REQUIRED: entry('rpc', 400, 4001, 'This tool needs an idempotency key.'),
  IDEMPOTENCY_KEY_INVALID: entry('rpc', 400, 4002, 'The idempotency key is not valid, or two different ones were sent.'),
  IDEMPOTENCY_BUSY: entry('rpc', 409, 4091, 'A call with this key is still running; try again.'),
  IDEMPOTENCY_UNKNOWN: entry('rpc', 409, 4092, 'A call with this key was sent and its outcome is not known; it will not be sent again.'),
  IDEMPOTENCY_MISMATCH: entry('rpc', 422, 4221, 'This key was already used for another call.'),

  STORE_UNAVAILABLE: entry('rpc', 503, -32603, 'The gateway cannot record this call at the moment, so it was not made; try again.'),

  UPSTREAM_UNREACHABLE: entry('rpc', 503, -32603, 'The server behind this tool cannot be reached; the call was not made.'),
  UPSTREAM_AUTH_REQUIRED: entry(
    'rpc',
    502,
    -32603,
    "The server behind this tool refused the gateway's own credential; the call was not made.",
  ),
  UPSTREAM_INVALID: entry('rpc', 502, -32603, 'The server behind this tool did not give a valid answer.'),
  UPSTREAM_TIMEOUT: entry('rpc', 504, -32603, 'The server behind this tool did not answer in time.'),

  AUDIT_UNAVAILABLE: entry('rpc', 503, -32603, 'The gateway cannot record this call at the moment, so it was not made; try again.'),

  CALLER_GONE: entry('http', 499, 0, 'The caller left before there was an answer.'),
  INTERNAL: entry('rpc', 500, -32603, 'Something went wrong inside the gateway.'),
} as const satisfies Record<string, CatalogueEntry>

export type ErrorCode = keyof typeof ERRORS

/** What the caller may be told beside the fixed text; travels as `error.data` or as refusal data in `_meta`. */
export interface PublicDetail {
  /** Replaces the fixed text; made by us from the pinned schema, a policy address or a delay, never from what was sent. */
  readonly text?: string
  /** The call was certainly not made: it may be repeated. */
  readonly notProcessed?: true
  /** `in_progress`: the server asked something first, and it ends there. */
  readonly effect?: 'unknown' | 'committed' | 'in_progress'
  /** Rounded up to whole milliseconds, whatever is given. */
  readonly retryAfterMs?: number
  /** For MCP_VERSION_UNSUPPORTED. */
  readonly requested?: string
  /** For AUTH_SCOPE_INSUFFICIENT: all scopes of the smallest sufficient set, in one challenge (RFC 6750 §3.1). */
  readonly scopes?: readonly string[]
  /** For CATALOG_UNKNOWN_*: the name or URI the caller asked for (the one text that is repeated, as the specification does). */
  readonly name?: string
  /** For MCP_CAPABILITY_MISSING: JSON of `data.requiredCapabilities`, made by us. */
  readonly requiredCapabilities?: JsonObject
  /** Overrides the catalogue's delivery where policy chooses (limits.refusal) or a derived key asks for it. */
  readonly deliver?: Delivery
  readonly status?: number
  readonly rpc?: number
  /** For HTTP_METHOD_NOT_ALLOWED. */
  readonly allow?: string
}

/** A step's no. Thrown by guards, turned into an answer by the street door and into a record by audit/. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: ErrorCode
  readonly open: PublicDetail
  /** For the audit record only: reasons, addresses, pointers. */
  readonly detail: Facts

  constructor(code: ErrorCode, open: PublicDetail = {}, detail: Facts = {}, options?: ErrorOptions) {
    super(code, options)
    this.code = code
    // Clocks have fractions of milliseconds; callers read an integer.
    this.open = open.retryAfterMs === undefined ? open : { ...open, retryAfterMs: Math.ceil(open.retryAfterMs) }
    this.detail = detail
  }

  /** The same no, with more for the caller to know. */
  with(open: PublicDetail): Refusal {
    return new Refusal(this.code, { ...this.open, ...open }, this.detail, { cause: this })
  }

  /** The same no, in the middle of something that had begun: that much was done. */
  within(effect: Exclude<PublicDetail['effect'], undefined>): Refusal {
    const { notProcessed: _ofThisLeg, ...open } = this.open
    return new Refusal(this.code, { ...open, effect }, this.detail, { cause: this })
  }
}
