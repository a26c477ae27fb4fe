import type { UpstreamConfig } from '../core/configuration.ts'
import { credentialHeaderProblem, forwardHeaderProblem } from './header-rules.ts'
import type { GatewayFile, UpstreamEntry } from './schema/gateway.ts'
import type { SourceDocument } from './source-document.ts'
import { upstreamUrlProblem } from './url-rules.ts'

export type UpstreamWithoutTools = Omit<UpstreamConfig, 'tools'>

/** Checks and fills in every upstream; faults go to the document. */
export function configureUpstreams(gateway: GatewayFile, document: SourceDocument): ReadonlyMap<string, UpstreamWithoutTools> {
  const upstreams = new Map<string, UpstreamWithoutTools>()
  for (const [alias, entry] of Object.entries(gateway.upstreams)) {
    checkUpstream(alias, entry, document)
    upstreams.set(alias, {
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
    })
  }
  return upstreams
}

function credentialHeaders({ credential }: UpstreamEntry): UpstreamConfig['credentialHeaders'] {
  if (credential?.bearer !== undefined) return [['authorization', `Bearer ${credential.bearer}`]]
  return credential?.header === undefined ? [] : [[credential.header.name.toLowerCase(), credential.header.value]]
}

function checkUpstream(alias: string, entry: UpstreamEntry, document: SourceDocument): void {
  const path = ['upstreams', alias]
  const urlProblem = upstreamUrlProblem(entry.url)
  if (urlProblem !== undefined) document.fault([...path, 'url'], urlProblem, 'value')
  const own = entry.credential?.header?.name
  const ownProblem = own === undefined ? undefined : credentialHeaderProblem(own)
  if (ownProblem !== undefined) document.fault([...path, 'credential', 'header', 'name'], ownProblem, 'value')
  entry.forwardHeaders.forEach((name, index) => {
    const problem =
      forwardHeaderProblem(name) ??
      (name.toLowerCase() === own?.toLowerCase() ? "this header carries the gateway's own credential" : undefined)
    if (problem !== undefined) document.fault([...path, 'forwardHeaders', index], problem, 'value')
  })
}
