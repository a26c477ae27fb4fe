/** RFC 9110 §7.6.1, and what a message's framing or routing depends on. */
const FRAMING: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
/** The caller's secrets, and what this gateway speaks for itself. */
const OURS: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'dpop',
  'idempotency-key',
  'last-event-id',
  'traceparent',
  'tracestate',
  'baggage',
  'forwarded',
])

function isOfTheProtocol(name: string): boolean {
  return FRAMING.has(name) || /^(mcp|proxy|content|accept)-/.test(name) || name === 'accept' || name === 'last-event-id'
}

/** Why a configured credential may not be sent as this header: it would override what the gateway computes (B59). */
export function credentialHeaderProblem(name: string): string | undefined {
  return isOfTheProtocol(name.toLowerCase()) ? 'this header belongs to MCP or to HTTP itself and cannot be set' : undefined
}

/** Why a caller's header of this name may not travel on. */
export function forwardHeaderProblem(name: string): string | undefined {
  const lower = name.toLowerCase()
  if (OURS.has(lower) || lower.startsWith('x-forwarded-')) return 'this header is never forwarded'
  return isOfTheProtocol(lower) ? 'this header belongs to MCP or to HTTP itself and is never forwarded' : undefined
}
