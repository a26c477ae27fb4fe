import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendOne, writeRequest } from '../support/raw-http.ts'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'

const PREFIX = '/.well-known/oauth-protected-resource'

let scene: Scene
beforeAll(async () => {
  scene = await startScene({
    endpointYaml:
      '    scopes: [tools:read]\n  - { path: /, upstreams: [acme] }\n  - { path: /team-b/mcp, upstreams: [acme], scopes: [] }\n',
  })
})
afterAll(() => scene.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  sendOne(
    scene.gateway.origin,
    writeRequest({ line: `GET ${path} HTTP/1.1`, headers: { Host: new URL(scene.gateway.origin).host, Connection: 'close', ...headers } }),
  )

describe('protected resource metadata', () => {
  it.each([
    ['/mcp', '/mcp'],
    ['/team-b/mcp', '/team-b/mcp'],
    ['', ''],
  ])('stands at the well-known path before %j and names that resource [REQ-PRM-PATH] [REQ-PRM-RESOURCE]', async (path, resource) => {
    const answer = await get(PREFIX + path)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(answer.json).toMatchObject({
      resource: scene.gateway.origin + resource,
      authorization_servers: [scene.gateway.mint.issuer],
      bearer_methods_supported: ['header'],
    })
  })

  it('names the issuers and the scopes of its endpoint, and no scopes where there are none [REQ-PRM-SERVERS]', async () => {
    expect((await get(`${PREFIX}/mcp`)).json).toMatchObject({ scopes_supported: ['tools:read'] })
    expect((await get(`${PREFIX}/team-b/mcp`)).json).not.toHaveProperty('scopes_supported')
  })

  it('A-81 is built from the configuration, whatever the request says of hosts', async () => {
    const plain = await get(`${PREFIX}/mcp`)
    const spoofed = await get(`${PREFIX}/mcp`, {
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-Prefix': '/evil',
      Forwarded: 'host=evil.example;proto=https',
      'X-Original-URL': '/evil',
    })
    expect(spoofed.text).toBe(plain.text)
    expect(plain.text).not.toContain('evil')
  })

  it.each(['/nope/mcp', '/mcp/', '/MCP', '/team-b'])('has nothing for %s: a path is never echoed as a resource', async path => {
    await expectRefused(scene, 'HTTP_NOT_FOUND', () => get(PREFIX + path))
  })

  it('the other documents that clients probe for are not there, and say so in JSON', async () => {
    for (const path of [
      '/.well-known/oauth-authorization-server',
      '/.well-known/openid-configuration',
      '/mcp/.well-known/openid-configuration',
    ]) {
      await expectRefused(scene, 'HTTP_NOT_FOUND', () => get(path, { Accept: '*/*' }))
    }
  })
})

describe('the challenge of an endpoint', () => {
  it.each([
    ['/mcp', '/mcp', ', scope="tools:read"'],
    ['/team-b/mcp', '/team-b/mcp', ''],
    ['/', '', ', scope="tools:read"'],
  ])('%s points at its own metadata [REQ-PRM-CHALLENGE] [REQ-AUTH-CHALLENGE]', async (path, resource, scope) => {
    const answer = await expectRefused(scene, 'AUTH_TOKEN_MISSING', () =>
      scene.raw({ line: `POST ${path} HTTP/1.1`, headers: { Authorization: undefined } }),
    )
    expect(answer.headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${scene.gateway.origin}${PREFIX}${resource}"${scope}`)
  })
})
