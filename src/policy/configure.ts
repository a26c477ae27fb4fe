import type { Configuration, UpstreamConfig } from '../core/configuration.ts'
import { configureEndpoints } from './configure-endpoints.ts'
import { configureIssuers } from './configure-issuers.ts'
import { milliseconds } from './configure-items.ts'
import { configureSigners } from './configure-signers.ts'
import { configureUpstream } from './configure-upstream.ts'
import type { Offers } from './rules.ts'
import type { GatewayFile } from './schema/gateway.ts'
import { hostsOf } from './url-rules.ts'
import type { Environment } from './variables.ts'

/** gateway.yaml and the tools files as the other rooms read them. */
export function configure(
  directory: string,
  revision: string,
  gateway: GatewayFile,
  offers: ReadonlyMap<string, Offers>,
  environment: Environment,
): Configuration {
  const upstreams = new Map<string, UpstreamConfig>()
  for (const [alias, entry] of Object.entries(gateway.upstreams)) {
    upstreams.set(alias, configureUpstream(alias, entry, offers.get(alias), environment))
  }
  return {
    revision,
    directory,
    publicUrl: gateway.publicUrl,
    endpoints: configureEndpoints(gateway, offers),
    issuers: configureIssuers(gateway),
    upstreams,
    http: { ...gateway.http, hosts: gateway.http.hosts ?? hostsOf(gateway.publicUrl) },
    pins: {
      onFirstUse: gateway.pins.onFirstUse,
      pollMs: milliseconds(gateway.pins.pollEvery),
      maxStaleMs: milliseconds(gateway.pins.maxStale),
      signers: configureSigners(gateway),
    },
    limits: gateway.limits,
  }
}
