import type { IssuerConfig } from '../core/configuration.ts'
import type { GatewayFile } from './schema/gateway.ts'
import type { SourceDocument } from './source-document.ts'
import { issuerUrlProblem } from './url-rules.ts'

/** Checks and fills in every issuer; faults go to the document. */
export function configureIssuers(gateway: GatewayFile, document: SourceDocument): readonly IssuerConfig[] {
  const seen = new Set<string>()
  return gateway.issuers.map((entry, index) => {
    const path = ['issuers', index]
    const problem = issuerUrlProblem(entry.issuer, 'issuer')
    if (problem !== undefined) document.fault([...path, 'issuer'], problem, 'value')
    if (seen.has(entry.issuer)) document.fault([...path, 'issuer'], 'this issuer appears twice', 'conflict')
    seen.add(entry.issuer)
    const keysProblem = entry.jwksUrl === undefined ? undefined : issuerUrlProblem(entry.jwksUrl, 'jwksUrl')
    if (keysProblem !== undefined) document.fault([...path, 'jwksUrl'], keysProblem, 'value')
    return {
      issuer: entry.issuer,
      jwksUrl: entry.jwksUrl,
      algorithms: [...new Set(entry.algorithms)],
      audience: entry.audience,
      tenantClaim: entry.tenantClaim,
      clockToleranceSeconds: entry.clockToleranceSeconds,
      caFile: entry.caFile,
      allowPrivateAddress: entry.allowPrivateAddress,
    }
  })
}
