import type { EndpointConfig } from '../core/configuration.ts'
import type { Offers } from './rules.ts'
import type { GatewayFile } from './schema/gateway.ts'
import { SECTIONS } from './sections.ts'

/** Fills in every endpoint. */
export function configureEndpoints(gateway: GatewayFile, offers: ReadonlyMap<string, Offers>): readonly EndpointConfig[] {
  return gateway.endpoints.map(entry => ({
    path: entry.path,
    resource: entry.path === '/' ? gateway.publicUrl : gateway.publicUrl + entry.path,
    upstreams: entry.upstreams,
    names: entry.names,
    scopes: entry.scopes === undefined ? readScopes(entry.upstreams, offers) : [...new Set(entry.scopes)].sort(),
    anonymous: entry.anonymous,
    minProtocolVersion: entry.minProtocolVersion,
  }))
}

/** What a client asks for first: enough to read, nothing that changes anything. */
function readScopes(aliases: readonly string[], offers: ReadonlyMap<string, Offers>): readonly string[] {
  const entries = aliases.flatMap(alias => SECTIONS.flatMap(section => [...(offers.get(alias)?.[section].compiled.values() ?? [])]))
  const reads = entries.filter(({ policy }) => policy.effect === 'read')
  return [...new Set(reads.flatMap(({ rules }) => rules.flatMap(({ scopes }) => scopes)))].sort()
}
