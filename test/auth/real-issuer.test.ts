import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Auth, createAuth } from '../../src/auth/index.ts'
import { systemClock } from '../../src/core/clock.ts'
import { type OAuthServer, startOAuthServer } from '../support/oauth-server.ts'
import { endpointAt, verdictOn } from './room.ts'

const MCP = endpointAt('https://gw.example/mcp')
const GITHUB = endpointAt('https://gw.example/github/mcp')

let server: OAuthServer
let auth: Auth
beforeAll(async () => {
  server = await startOAuthServer({
    resources: [MCP.resource, GITHUB.resource],
    scopes: ['tools:read', 'tools:write'],
    clients: [
      { id: 'reader', scopes: ['tools:read'] },
      { id: 'writer', scopes: ['tools:read', 'tools:write'], claims: { org: 'acme' } },
    ],
  })
  const found = { jwksUrl: undefined, audience: undefined, caFile: undefined }
  const issuer = {
    ...found,
    issuer: server.issuer,
    algorithms: [server.algorithm],
    tenantClaim: 'org',
    clockToleranceSeconds: 5,
    allowPrivateAddress: true,
  }
  auth = createAuth({ clock: systemClock, issuers: [issuer] })
})
afterAll(() => server.close())

test('a token of a real authorization server is accepted for its resource, with its scopes and claims', async () => {
  const token = await server.token({ client: 'writer', resource: MCP.resource })
  const principal = await auth.authenticate(`Bearer ${token}`, MCP)
  expect(principal).toMatchObject({ issuer: server.issuer, subject: 'writer', clientId: 'writer', tenant: 'acme' })
  expect(principal.scopes).toEqual(new Set(['tools:read', 'tools:write']))
})

test('the same token is refused for another resource of the same gateway', async () => {
  const token = await server.token({ client: 'reader', resource: MCP.resource })
  expect(await verdictOn(auth, token, MCP)).toBe('accepted')
  expect(await verdictOn(auth, token, GITHUB)).toBe('AUTH_TOKEN_INVALID audience')
})

test('a client gets the scopes it asks for, and no more than it may have', async () => {
  const token = await server.token({ client: 'writer', scope: 'tools:read', resource: MCP.resource })
  expect((await auth.authenticate(`Bearer ${token}`, MCP)).scopes).toEqual(new Set(['tools:read']))
  await expect(server.token({ client: 'reader', scope: 'tools:write', resource: MCP.resource })).rejects.toThrow('invalid_scope')
})

test('a resource that the server does not know gets no token', async () => {
  await expect(server.token({ client: 'reader', resource: 'https://evil.example/mcp' })).rejects.toThrow('invalid_target')
})
