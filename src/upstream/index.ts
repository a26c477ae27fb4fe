/**
 * The other side of the house.
 * Takes an `Intent` and the caller's stream; returns the `Answer`, or throws UPSTREAM_UNREACHABLE, UPSTREAM_AUTH_REQUIRED, UPSTREAM_INVALID, UPSTREAM_TIMEOUT, CALLER_GONE.
 * Keeps one connection pool per upstream, with its own TLS trust and our own credential.
 * Never sends a caller's token, follows a redirect, re-sends a call, or copies a response header.
 */
import type { JsonDocument } from '../core/json.ts'
import type { Answer, CallerStream, Intent } from '../core/model.ts'

export interface Upstream {
  send(intent: Intent, caller: CallerStream): Promise<Answer>
  /** One page of the upstream's `tools/list`, as the whole JSON-RPC response document. */
  fetchTools(alias: string, cursor: string | undefined): Promise<JsonDocument>
  close(): Promise<void>
}
