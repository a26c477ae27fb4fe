import type { Effect, ItemPolicy, UpstreamConfig } from '../../src/core/configuration.ts'
import type { RequestMeta } from '../../src/core/model.ts'
import { NO_CAPABILITIES } from '../../src/mcp/index.ts'

/** What tests of single rooms put together by hand, with everything that they say nothing about. */

export const NO_META: RequestMeta = {
  protocolVersion: '2026-07-28',
  capabilities: NO_CAPABILITIES,
  progressToken: undefined,
  logLevel: undefined,
  traceparent: undefined,
  tracestate: undefined,
  idempotencyKey: undefined,
  carried: {},
}

export function upstreamConfigOf(alias: string, url: string, changes: Partial<UpstreamConfig> = {}): UpstreamConfig {
  return {
    alias,
    url,
    transport: { kind: 'auto' },
    era: 'modern',
    sessions: 'perPrincipal',
    credentialHeaders: [],
    variants: [],
    forwardHeaders: [],
    timeoutMs: 10_000,
    streamIdleMs: 10_000,
    maxConnections: 2,
    maxResponseBytes: 1_000_000,
    caFile: undefined,
    dropPointers: [],
    xMcpHeaderAllowNumber: false,
    tools: [],
    prompts: [],
    resources: [],
    questions: { form: true, url: false, sampling: false, roots: false, urlHosts: [] },
    linkSchemes: undefined,
    linkHosts: undefined,
    allowTasks: false,
    ...changes,
  }
}

/** Of one tool, `create`. */
export function itemPolicyOf(effect: Effect, changes: Partial<ItemPolicy> = {}): ItemPolicy {
  return {
    key: 'create',
    address: 'tools/tickets.yaml#/tools/create',
    effect,
    unlisted: false,
    discoverable: false,
    limit: undefined,
    idempotency: undefined,
    result: { maxBytes: 1_000_000, over: 'withhold', schema: 'block', characters: 'flag' },
    audit: { keep: [] },
    ...changes,
  }
}
