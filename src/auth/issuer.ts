import type { IssuerConfig } from '../core/configuration.ts'
import { canonicalResource } from './audience.ts'
import type { IssuerKeys } from './issuer-keys.ts'
import { isAsymmetric } from './key-set.ts'

/** An issuer's configuration, ready to be compared with. */
export interface Issuer {
  /** The `iss` value, compared as it is: no case, no slash, no escape is normalized. */
  readonly name: string
  readonly algorithms: ReadonlySet<string>
  /** Canonical; `undefined`: the endpoint's own resource. */
  readonly audiences: ReadonlySet<string> | undefined
  readonly tenantClaim: string | undefined
  readonly clockToleranceSeconds: number
  readonly keys: IssuerKeys
}

/** Throws for an algorithm that is symmetric, `none` or unknown: with HMAC, anybody who has the public key could sign. */
export function compileIssuer(config: IssuerConfig): Omit<Issuer, 'keys'> {
  const unfit = config.algorithms.find(algorithm => !isAsymmetric(algorithm))
  if (unfit !== undefined) throw new TypeError(`issuer ${config.issuer}: ${unfit} is not an asymmetric JWS algorithm`)
  return {
    name: config.issuer,
    algorithms: new Set(config.algorithms),
    audiences: config.audience && new Set(config.audience.map(canonicalResource)),
    tenantClaim: config.tenantClaim,
    clockToleranceSeconds: config.clockToleranceSeconds,
  }
}
