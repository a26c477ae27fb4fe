import type { Attributes } from '@opentelemetry/api'
import type { ApprovedItem } from '../core/model.ts'

/**
 * Every name that OpenTelemetry is shown, in one place: the MCP conventions have status Development and will change.
 * Source: open-telemetry/semantic-conventions-genai, docs/gen-ai/mcp.md. Our own names begin with `wicketgate.`.
 */
export const ATTR = {
  method: 'mcp.method.name',
  protocolVersion: 'mcp.protocol.version',
  session: 'mcp.session.id',
  toolName: 'gen_ai.tool.name',
  promptName: 'gen_ai.prompt.name',
  resourceUri: 'mcp.resource.uri',
  operation: 'gen_ai.operation.name',
  requestId: 'jsonrpc.request.id',
  rpcStatus: 'rpc.response.status_code',
  errorType: 'error.type',
  networkTransport: 'network.transport',
  networkProtocol: 'network.protocol.name',
  serverAddress: 'server.address',
  serverPort: 'server.port',

  recordId: 'wicketgate.record.id',
  endpoint: 'wicketgate.endpoint',
  outcome: 'wicketgate.outcome',
  upstream: 'wicketgate.upstream',
  variant: 'wicketgate.variant',
  rule: 'wicketgate.policy.rule',
  revision: 'wicketgate.policy.revision',
  step: 'wicketgate.step',
  reason: 'wicketgate.reason',
  decision: 'wicketgate.decision',
  limit: 'wicketgate.limit',
  state: 'wicketgate.state',
  era: 'wicketgate.era',
  result: 'wicketgate.result',
  storeVerb: 'wicketgate.store.verb',
} as const

export const METRIC = {
  serverDuration: 'mcp.server.operation.duration',
  clientDuration: 'mcp.client.operation.duration',
  decisions: 'wicketgate.decisions',
  authFailures: 'wicketgate.auth.failures',
  limitRefusals: 'wicketgate.limits.refusals',
  limitDegraded: 'wicketgate.limits.degraded',
  idempotency: 'wicketgate.idempotency.decisions',
  effectsUnknown: 'wicketgate.effects.unknown',
  descriptors: 'wicketgate.catalog.descriptors',
  storeErrors: 'wicketgate.store.errors',
  storeDegraded: 'wicketgate.store.degraded',
  auditQueue: 'wicketgate.audit.queue',
  auditLost: 'wicketgate.audit.lost',
  reloads: 'wicketgate.policy.reloads',
  reloadTime: 'wicketgate.policy.reload.time',
  openStreams: 'wicketgate.streams.open',
  upstreamEra: 'wicketgate.upstream.era',
  upstreamSessions: 'wicketgate.upstream.sessions',
} as const

/** Boundaries, in seconds, that the convention asks for. */
export const DURATION_BUCKETS_S = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]

const METHODS = new Set([
  'completion/complete',
  'initialize',
  'logging/setLevel',
  'notifications/cancelled',
  'notifications/initialized',
  'notifications/progress',
  'notifications/roots/list_changed',
  'ping',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/read',
  'resources/subscribe',
  'resources/templates/list',
  'resources/unsubscribe',
  'server/discover',
  'subscriptions/listen',
  'tasks/cancel',
  'tasks/get',
  'tasks/update',
  'tools/call',
  'tools/list',
])
const VERSIONS = new Set(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'])
const HTTP_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** What a span says of its target. Names that a person approved; a URI is an attribute, never part of a name: there are too many. */
export function targetOf(method: string, item: ApprovedItem | undefined, name = item?.exposedName): SpanTarget {
  if (item === undefined || name === undefined || !item.listed) return { spanName: method, attributes: {} }
  switch (item.kind) {
    case 'tool':
      return {
        spanName: `${method} ${name}`,
        attributes: { [ATTR.toolName]: name, ...(method === 'tools/call' && { [ATTR.operation]: 'execute_tool' }) },
      }
    case 'prompt':
      return { spanName: `${method} ${name}`, attributes: { [ATTR.promptName]: name } }
    default:
      return { spanName: method, attributes: { [ATTR.resourceUri]: name } }
  }
}

interface SpanTarget {
  readonly spanName: string
  readonly attributes: Attributes
}

/** Text from outside is never a label: what is not in the table is `other`. */
export const OTHER = 'other'
export function knownMethod(method: string): string {
  return METHODS.has(method) ? method : OTHER
}
export function knownVersion(version: string): string {
  return VERSIONS.has(version) ? version : OTHER
}
export function knownHttpMethod(method: string): string {
  return HTTP_METHODS.has(method) ? method : OTHER
}

const RPC_CODES = new Set([-32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022, -32000, -32001, -32002, -32042])

/** An upstream may answer any integer; `_OTHER` is the convention's word for a class we do not name. */
export function knownRpcCode(code: number): string {
  return RPC_CODES.has(code) ? String(code) : '_OTHER'
}
