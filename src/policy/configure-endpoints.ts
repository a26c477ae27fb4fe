import type { EndpointConfig } from '../core/configuration.ts'
import type { ToolsOfUpstream } from './rules.ts'
import type { GatewayFile } from './schema/gateway.ts'

type Entries = ReadonlyMap<string, Pick<ToolsOfUpstream, 'compiled'>>

/** Fills in every endpoint. */
export function configureEndpoints(gateway: GatewayFile, entries: Entries): readonly EndpointConfig[] {
  return gateway.endpoints.map(entry => ({
    path: entry.path,
    resource: entry.path === '/' ? gateway.publicUrl : gateway.publicUrl + entry.path,
    upstreams: entry.upstreams,
    names: entry.names,
    scopes: entry.scopes === undefined ? readScopes(entry.upstreams, entries) : [...new Set(entry.scopes)].sort(),
    anonymous: entry.anonymous,
  }))
}

/** What a client asks for first: enough to read, nothing that changes anything. */
function readScopes(aliases: readonly string[], entries: Entries): readonly string[] {
  const scopes = new Set<string>()
  for (const alias of aliases) {
    for (const { policy, rules } of entries.get(alias)?.compiled.values() ?? []) {
      if (policy.effect === 'read') for (const rule of rules) for (const scope of rule.scopes) scopes.add(scope)
    }
  }
  return [...scopes].sort()
}
