import { Client, ClientCredentialsProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../support/gateway.ts'
import { type OAuthServer, startOAuthServer } from '../support/oauth-server.ts'
import { createMintKey, type TokenMint } from '../support/tokens.ts'
import { startUpstreamStub, type UpstreamStub } from '../support/upstream-stub.ts'

/** The official client with nothing but a URL and its credentials: challenge, metadata, authorization server, token, and more scope when asked. */

const SECRET = 'agent-secret-of-at-least-32-characters'
let upstream: UpstreamStub
let issuer: OAuthServer
let gateway: TestGateway
const clients: Client[] = []
beforeAll(async () => {
  upstream = await startUpstreamStub([
    { name: 'read', inputSchema: { type: 'object' } },
    { name: 'write', inputSchema: { type: 'object' } },
  ])
  const resources: string[] = []
  issuer = await startOAuthServer({
    resources,
    scopes: ['tools:read', 'tools:write', 'tools:admin'],
    clients: [{ id: 'agent', secret: SECRET, scopes: ['tools:read', 'tools:write'] }],
  })
  gateway = await startGateway({
    upstreams: { acme: upstream.url },
    tools: {
      acme: `  read: { effect: read, discoverable: true, allow: [{ scopes: [tools:read] }] }
  write: { effect: write, discoverable: true, allow: [{ scopes: [tools:write] }] }`,
    },
    endpointYaml: '    scopes: [tools:read]',
    mint: { issuer: issuer.issuer, jwksUrl: `${issuer.issuer}/jwks`, key: createMintKey('ES256') } as TokenMint,
  })
  resources.push(gateway.url)
})
afterEach(() => Promise.all(clients.splice(0).map(client => client.close())))
afterAll(async () => {
  await gateway.close()
  await Promise.all([issuer.close(), upstream.close()])
})

function connect(secret: string): Promise<Client> {
  const client = new Client({ name: 'agent', version: '1.0.0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  clients.push(client)
  const authProvider = new ClientCredentialsProvider({ clientId: 'agent', clientSecret: secret, expectedIssuer: issuer.issuer })
  return client.connect(new StreamableHTTPClientTransport(new URL(gateway.url), { authProvider })).then(() => client)
}

it('a client without a token finds its way to one from the 401 alone', async () => {
  const client = await connect(SECRET)
  expect(gateway.trail.requests()[0]).toMatchObject({ outcome: 'AUTH_TOKEN_MISSING' })
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['acme__read', 'acme__write'])
  expect(await client.callTool({ name: 'acme__read', arguments: {} })).toMatchObject({ content: [{ text: 'done' }] })
  // It asked for what the challenge named, and no more.
  expect(gateway.trail.last()).toMatchObject({ outcome: 'OK', clientId: 'agent' })
})

it('a call that needs more scope makes it ask for more, once, and the call goes through', async () => {
  const client = await connect(SECRET)
  const before = gateway.trail.requests().length
  const calls = upstream.calls.length
  expect(await client.callTool({ name: 'acme__write', arguments: {} })).toMatchObject({ content: [{ text: 'done' }] })
  // Between the two it reads the metadata again, which is no call.
  const made = gateway.trail
    .requests()
    .slice(before)
    .filter(({ method }) => method === 'tools/call')
  expect(made.map(({ outcome }) => outcome)).toEqual(['AUTH_SCOPE_INSUFFICIENT', 'OK'])
  expect(upstream.calls).toHaveLength(calls + 1)
})

it('a client the authorization server does not know gets no further', async () => {
  await expect(connect('another-secret-of-at-least-32-characters')).rejects.toThrow()
})
