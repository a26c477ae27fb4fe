/*
 * A proxy copied every request header to every server behind it. The caller's access token, made for the gateway, reached
 * servers that could use it against the gateway; cookies and API keys reached servers that nobody had meant them for; and a
 * server without a credential of its own got somebody's.
 * So: each server sees our own headers, its own credential if it has one, and nothing of the caller's that policy does not
 * name for that one server.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../support/gateway.ts'
import { startUpstreamStub, type UpstreamStub } from '../support/upstream-stub.ts'

const TOOL = { name: 'read', inputSchema: { type: 'object' } }
const RULES = '  read: { effect: read, allow: [{ scopes: [tools:read] }] }'
const CALLERS = {
  cookie: 'a=SECRET',
  'x-api-key': 'SECRET',
  'proxy-authorization': 'Basic SECRET',
  'x-custom': 'SECRET',
  'x-trace-tag': 'kept',
}

let own: UpstreamStub
let bare: UpstreamStub
let named: UpstreamStub
let gateway: TestGateway
beforeAll(async () => {
  ;[own, bare, named] = (await Promise.all([1, 2, 3].map(() => startUpstreamStub([TOOL])))) as [UpstreamStub, UpstreamStub, UpstreamStub]
  gateway = await startGateway({
    upstreams: { bare: bare.url },
    tools: { bare: RULES },
    environment: { OWN: 'OWN-CREDENTIAL' },
    endpointYaml: `  - { path: /own, upstreams: [own] }\n  - { path: /named, upstreams: [named] }\n`,
    upstreamYaml: `  own:\n    url: ${own.url}\n    credential: { bearer: "\${OWN}" }\n  named:\n    url: ${named.url}\n    forwardHeaders: [x-trace-tag]\n`,
    files: {
      'tools/own.yaml': `version: 1\nupstream: own\ntools:\n${RULES}\n`,
      'tools/named.yaml': `version: 1\nupstream: named\ntools:\n${RULES}\n`,
    },
  })
})
afterAll(async () => {
  await gateway.close()
  await Promise.all([own, bare, named].map(stub => stub.close()))
})

async function callAt(path: string, name: string): Promise<void> {
  const aud = gateway.origin + path
  const response = await fetch(aud, {
    method: 'POST',
    headers: {
      ...CALLERS,
      authorization: `Bearer ${gateway.mint.token({ aud, scope: 'tools:read' })}`,
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name,
        _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} },
      },
    }),
  })
  expect(response.status).toBe(200)
  await response.arrayBuffer()
}

it('B11 each server sees its own credential or none, and only what is named for it', async () => {
  await callAt('/mcp', 'bare__read')
  await callAt('/own', 'own__read')
  await callAt('/named', 'named__read')
  for (const stub of [own, bare, named]) {
    for (const { rawHeaders } of [...stub.lists, ...stub.calls]) expect(rawHeaders.join('\n')).not.toContain('SECRET')
  }
  for (const { headers } of [...bare.lists, ...bare.calls, ...named.calls]) expect(headers).not.toHaveProperty('authorization')
  for (const { headers } of [...own.lists, ...own.calls]) expect(headers.authorization).toBe('Bearer OWN-CREDENTIAL')
  expect(named.calls[0]?.headers['x-trace-tag']).toBe('kept')
  expect(own.calls[0]?.headers).not.toHaveProperty('x-trace-tag')
})
