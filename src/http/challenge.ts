import type { EndpointConfig } from '../core/configuration.ts'
import type { Refusal } from '../core/errors.ts'

/** Where an endpoint's protected resource metadata is: the well-known path, then the resource's own (RFC 9728 §3.1). */
export function metadataPath(endpoint: EndpointConfig): string {
  return `/.well-known/oauth-protected-resource${endpoint.path === '/' ? '' : endpoint.path}`
}

/** `WWW-Authenticate` (RFC 6750 §3, RFC 9728 §5.1). Everything in it is configuration; nothing a token or a header said. */
export function challenge(refusal: Refusal, endpoint: EndpointConfig, publicUrl: string): string | undefined {
  const metadata = `resource_metadata="${publicUrl}${metadataPath(endpoint)}"`
  const scopes = refusal.open.scopes ?? endpoint.scopes
  const scope = scopes.length === 0 ? '' : `, scope="${scopes.join(' ')}"`
  switch (refusal.code) {
    case 'AUTH_TOKEN_MISSING':
      return `Bearer ${metadata}${scope}`
    case 'AUTH_TOKEN_INVALID':
      return `Bearer error="invalid_token", ${metadata}${scope}`
    case 'AUTH_SCOPE_INSUFFICIENT':
      return `Bearer error="insufficient_scope"${scope}, ${metadata}`
    default:
      return undefined
  }
}
