import type { IssuerConfig } from '../core/configuration.ts'
import { isJsonObject } from '../core/json.ts'
import { fetchJson, HttpStatusError } from './fetch-json.ts'

/** Where an issuer's metadata may lie, in the order MCP asks for (2026-07-28 authorization-server-discovery §Authorization Server Metadata Discovery). */
function metadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  const inserted = [`${origin}/.well-known/oauth-authorization-server${path}`, `${origin}/.well-known/openid-configuration${path}`]
  return path === '' ? inserted : [...inserted, `${origin}${path}/.well-known/openid-configuration`]
}

/**
 * Finds an issuer's `jwks_uri` (RFC 8414 §3, OpenID Connect Discovery §4). A document that names another issuer is not used
 * (RFC 8414 §3.3). Throws when no document serves; a server that cannot be reached is not asked again under the next name.
 */
export async function discoverJwksUrl(config: IssuerConfig): Promise<string> {
  let fault: unknown
  for (const url of metadataUrls(config.issuer)) {
    try {
      const metadata = await fetchJson(url, config)
      if (isJsonObject(metadata) && metadata.issuer === config.issuer && typeof metadata.jwks_uri === 'string') return metadata.jwks_uri
      fault = new Error('metadata of another issuer, or without jwks_uri')
    } catch (error) {
      if (!(error instanceof HttpStatusError)) throw error
      fault = error
    }
  }
  throw fault
}
