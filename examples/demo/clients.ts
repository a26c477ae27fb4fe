import type { OAuthServerOptions } from './oauth-server.ts'

const READ = ['tickets:read', 'reports:read', 'notes:read', 'handbook:read']
const WRITE = ['tickets:write', 'notes:write']

export type ClientName = 'ada' | 'ben'
export const TOKEN_MINUTES = 60

/** Another service of the same OAuth server: its tokens are good, and not for the gateway. */
export const ELSEWHERE = 'http://127.0.0.1:1/mcp'

/** Who may ask the OAuth server for tokens: ada, who reads, and ben, who writes too. */
export function clientsFor(resource: string): OAuthServerOptions {
  const claims = { org: 'acme', region: 'eu' }
  return {
    resources: [resource, ELSEWHERE],
    scopes: [...READ, ...WRITE],
    clients: [
      { id: 'ada' satisfies ClientName, scopes: READ, claims },
      { id: 'ben' satisfies ClientName, scopes: [...READ, ...WRITE], claims },
    ],
    ttlSeconds: TOKEN_MINUTES * 60,
  }
}
