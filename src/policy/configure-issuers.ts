import type { IssuerConfig } from '../core/configuration.ts'
import type { GatewayFile } from './schema/gateway.ts'

/** Fills in every issuer. */
export function configureIssuers(gateway: GatewayFile): readonly IssuerConfig[] {
  return gateway.issuers.map(entry => ({
    issuer: entry.issuer,
    jwksUrl: entry.jwksUrl,
    algorithms: [...new Set(entry.algorithms)],
    audience: entry.audience,
    tenantClaim: entry.tenantClaim,
    clockToleranceSeconds: entry.clockToleranceSeconds,
    caFile: entry.caFile,
    allowPrivateAddress: entry.allowPrivateAddress,
  }))
}
