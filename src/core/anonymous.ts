import type { EndpointConfig } from './configuration.ts'
import type { PrincipalFacts } from './model.ts'

/** Who calls an endpoint that lets callers in without a token; `undefined` where it does not. auth/ admits them, policy/ explains them. */
export function anonymousFacts({ path, anonymous }: EndpointConfig): Omit<PrincipalFacts, 'identity'> | undefined {
  return (
    anonymous && {
      issuer: 'anonymous',
      subject: path,
      clientId: undefined,
      tenant: undefined,
      scopes: new Set(anonymous.scopes),
      claims: {},
      anonymous: true,
      expiresAtMs: Number.MAX_SAFE_INTEGER,
    }
  )
}
