import type { ItemPolicy, UpstreamConfig } from '../core/configuration.ts'
import type { UpstreamEntry } from './schema/gateway.ts'

export function configureUpstream(alias: string, entry: UpstreamEntry, tools: readonly ItemPolicy[]): UpstreamConfig {
  return {
    alias,
    url: entry.url,
    credentialHeaders: credentialHeaders(entry),
    forwardHeaders: [...new Set(entry.forwardHeaders.map(name => name.toLowerCase()))],
    timeoutMs: entry.timeoutMs,
    streamIdleMs: entry.streamIdleMs,
    maxConnections: entry.maxConnections,
    maxResponseBytes: entry.maxResponseBytes,
    caFile: entry.caFile,
    dropPointers: entry.dropPointers,
    xMcpHeaderAllowNumber: entry.xMcpHeader.allowNumber,
    tools,
  }
}

function credentialHeaders({ credential }: UpstreamEntry): UpstreamConfig['credentialHeaders'] {
  if (credential?.bearer !== undefined) return [['authorization', `Bearer ${credential.bearer}`]]
  return credential?.header === undefined ? [] : [[credential.header.name.toLowerCase(), credential.header.value]]
}
