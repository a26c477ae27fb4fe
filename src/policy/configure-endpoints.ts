import type { EndpointConfig } from '../core/configuration.ts'
import { suggest } from './nearest.ts'
import type { CompiledTool } from './rules.ts'
import type { EndpointEntry, GatewayFile } from './schema/gateway.ts'
import type { SourceDocument } from './source-document.ts'

type Entries = ReadonlyMap<string, ReadonlyMap<string, CompiledTool>>

/** Checks and fills in every endpoint; faults go to the document. */
export function configureEndpoints(
  gateway: GatewayFile,
  entries: Entries,
  anonymousAllowed: boolean,
  document: SourceDocument,
): readonly EndpointConfig[] {
  const seen = new Set<string>()
  return gateway.endpoints.map((entry, index) => {
    checkEndpoint(entry, index, gateway, anonymousAllowed, document)
    if (seen.has(entry.path)) document.fault(['endpoints', index, 'path'], 'this path is served by an endpoint above', 'conflict')
    seen.add(entry.path)
    return {
      path: entry.path,
      resource: entry.path === '/' ? gateway.publicUrl : gateway.publicUrl + entry.path,
      upstreams: entry.upstreams,
      names: entry.names,
      scopes: entry.scopes === undefined ? readScopes(entry.upstreams, entries) : [...new Set(entry.scopes)].sort(),
      anonymous: entry.anonymous,
    }
  })
}

function checkEndpoint(
  entry: EndpointEntry,
  index: number,
  gateway: GatewayFile,
  anonymousAllowed: boolean,
  document: SourceDocument,
): void {
  const path = ['endpoints', index]
  const aliases = Object.keys(gateway.upstreams)
  entry.upstreams.forEach((alias, position) => {
    const at = [...path, 'upstreams', position]
    if (!Object.hasOwn(gateway.upstreams, alias)) {
      document.fault(at, `there is no upstream ${document.quote(at)}${document.isShowable(at) ? suggest(alias, aliases) : ''}`, 'reference')
    }
    if (entry.upstreams.indexOf(alias) < position) document.fault(at, 'this upstream appears twice', 'conflict')
  })
  if (entry.names === 'upstream' && entry.upstreams.length > 1) {
    document.fault(
      [...path, 'names'],
      '`names: upstream` needs an endpoint with a single upstream, or two tools could share a name',
      'conflict',
    )
  }
  if (entry.anonymous !== undefined && !anonymousAllowed) {
    document.fault(
      [...path, 'anonymous'],
      'callers without a token are only served on a loopback listener, or with the explicit override',
      'anonymous',
      'key',
    )
  }
  if (entry.anonymous === undefined && gateway.issuers.length === 0) {
    document.fault(path, 'nobody can use this endpoint: there is no issuer, and it is not anonymous', 'reference')
  }
}

function readScopes(aliases: readonly string[], entries: Entries): readonly string[] {
  const scopes = new Set<string>()
  for (const alias of aliases) {
    for (const { policy, rules } of entries.get(alias)?.values() ?? []) {
      if (policy.effect === 'read') for (const rule of rules) for (const scope of rule.scopes) scopes.add(scope)
    }
  }
  return [...scopes].sort()
}
