/**
 * What exists, and is it what we approved?
 * Takes an endpoint and an exposed name; returns an `ApprovedTool`, or throws CATALOG_UNKNOWN_TOOL (one answer for unknown, pending, drifted, withheld).
 * Keeps the lock files' approved descriptors and the last snapshot of each upstream, refreshed outside the call path.
 * Never fetches during a call, and never shows text that was not approved.
 */
import type { EndpointConfig } from '../core/configuration.ts'
import type { ApprovedTool } from '../core/model.ts'

export interface UpstreamState {
  readonly alias: string
  /** `new`: never seen; `stale`: the last refresh failed and the last good snapshot is still in use; `expired`: too old, nothing of it is served. */
  readonly snapshot: 'new' | 'fresh' | 'stale' | 'expired'
  readonly approved: number
  readonly pending: number
  readonly drifted: number
  readonly missing: number
  readonly withheld: readonly { readonly name: string; readonly reason: string }[]
}

export interface Catalog {
  resolve(endpoint: EndpointConfig, exposedName: string): ApprovedTool
  /** Every approved tool of the endpoint, in a stable order. */
  list(endpoint: EndpointConfig): readonly ApprovedTool[]
  /** How long a list may be kept, and which upstreams it lacks. */
  freshness(endpoint: EndpointConfig): { readonly ttlMs: number; readonly lacking: readonly string[] }
  states(): readonly UpstreamState[]
  /** The upstream answered as if its tools had changed: look again soon. */
  suspect(alias: string): void
  /** First snapshots: resolves when every upstream answered or failed, or after `deadlineMs`. */
  start(deadlineMs: number): Promise<void>
  close(): Promise<void>
}
