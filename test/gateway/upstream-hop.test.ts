import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene({
    upstreamYaml: `    credential: { bearer: "\${UPSTREAM_TOKEN}" }\n`,
    environment: { UPSTREAM_TOKEN: 'ours-0001' },
  })
})
afterAll(() => scene.close())
beforeEach(() => {
  scene.upstream.calls.length = 0
})

/** Everything we send to an upstream on a call; a header that is not here has no business there. */
const OURS = [
  'accept',
  'accept-encoding',
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'host',
  'mcp-method',
  'mcp-name',
  'mcp-param-region',
  'mcp-protocol-version',
]

describe('towards an upstream', () => {
  it('A-19 A-78 nothing the caller sent as a header travels, and the credential is our own [REQ-TOKEN-PASSTHROUGH]', async () => {
    const token = scene.gateway.token()
    const lines = [
      'x-gateway-upstream: http://127.0.0.1:1',
      'x-forwarded-host: evil',
      'x-forwarded-for: 10.0.0.1',
      'mcp-init-host: evil',
      'Cookie: session=SECRET-COOKIE',
      'DPoP: SECRET-PROOF',
      'X-Api-Key: SECRET-KEY',
      'Proxy-Authorization: Basic SECRET',
      'Mcp-Session-Id: SECRET-SESSION',
      'Accept-Encoding: br',
      'Accept-Language: de',
      'User-Agent: somebody',
      'Via: 1.1 evil',
    ]
    expect((await scene.raw({ headers: { Authorization: `Bearer ${token}` }, lines })).status).toBe(200)
    const [seen] = scene.upstream.calls
    expect(Object.keys(seen?.headers ?? {}).sort()).toEqual(OURS)
    expect(seen?.headers.authorization).toBe('Bearer ours-0001')
    expect(seen?.headers['accept-encoding']).toBe('identity')
    const everything = JSON.stringify([seen?.rawHeaders, seen?.body])
    for (const secret of ['SECRET', 'evil', token.slice(-30)]) expect(everything).not.toContain(secret)
  })

  it('A-78 its own listing carries our credential too', () => {
    expect(scene.upstream.lists.length).toBeGreaterThan(0)
    for (const { headers } of scene.upstream.lists) expect(headers.authorization).toBe('Bearer ours-0001')
  })

  it('ids and progress tokens are our own: callers may use id 1 for ever', async () => {
    await Promise.all([1, 1, 1].map(id => scene.raw({ body: scene.body({ id }) })))
    expect(new Set(scene.upstream.calls.map(({ message }) => message.id)).size).toBe(3)
  })

  it('the version and the capabilities are our own', async () => {
    await scene.gateway.call('acme__read', {}, { meta: { 'io.modelcontextprotocol/clientCapabilities': { sampling: {}, roots: {} } } })
    expect(scene.upstream.calls[0]?.message.params._meta).toMatchObject({
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'wicketgate' },
    })
  })
})

describe('back from an upstream', () => {
  it('A-79 no header of its answer is copied', async () => {
    scene.upstream.onCall = ({ message }, response) => {
      response.writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'set-cookie': 'a=b',
        'clear-site-data': '"*"',
        'www-authenticate': 'Bearer resource_metadata="https://evil.example"',
        'access-control-allow-origin': '*',
        'cache-control': 'public, max-age=999',
        'strict-transport-security': 'max-age=0',
        link: '<https://evil.example>; rel=preload',
        refresh: '0; url=https://evil.example',
        'mcp-session-id': 'theirs',
        server: 'theirs',
      })
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: { content: [] } }))
    }
    const answer = await scene.raw()
    expect(answer.status).toBe(200)
    const names = [...answer.headers.keys()].filter(name => !['connection', 'date'].includes(name)).sort()
    expect(names).toEqual(
      ['cache-control', 'content-length', 'content-type', 'vary', 'x-content-type-options'].filter(
        name => name !== 'vary' || answer.headers.has('vary'),
      ),
    )
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
  })

  it('A-79 its own challenge is not ours: the caller is not sent to its authorization server', async () => {
    for (const status of [401, 403]) {
      scene.upstream.onCall = (_, response) => {
        response.writeHead(status, { 'www-authenticate': 'Bearer resource_metadata="https://evil.example/.well-known/x"' }).end('no')
      }
      const answer = await expectRefused(scene, 'UPSTREAM_AUTH_REQUIRED', () => scene.raw(), { id: 1, calls: 1 })
      expect(answer.headers.get('www-authenticate')).toBeNull()
      expect(answer.text).not.toContain('evil')
    }
  })

  it.each([301, 302, 303, 307, 308])('A-79 a %d is not followed', async status => {
    let visits = 0
    const elsewhere = createServer((_, response) => {
      visits += 1
      response.end('{}')
    }).listen(0, '127.0.0.1')
    await new Promise(resolve => elsewhere.once('listening', resolve))
    const { port } = elsewhere.address() as AddressInfo
    scene.upstream.onCall = (_, response) => {
      response.writeHead(status, { location: `http://127.0.0.1:${port}/latest/meta-data` }).end()
    }
    const answer = await expectRefused(scene, 'UPSTREAM_INVALID', () => scene.raw(), { id: 1, calls: 1, detail: { reason: 'redirect' } })
    expect(answer.headers.get('location')).toBeNull()
    expect(visits).toBe(0)
    elsewhere.close()
  })

  it.each([
    ['HTML', 200, 'text/html', '<html>'],
    ['nothing', 200, 'application/json', ''],
    ['half of a JSON', 200, 'application/json', '{"jsonrpc"'],
    ['a member twice', 200, 'application/json', '{"jsonrpc":"2.0","id":ID,"result":{},"result":{}}'],
    ['another id', 200, 'application/json', '{"jsonrpc":"2.0","id":999999,"result":{}}'],
    ['a result that is a list', 200, 'application/json', '{"jsonrpc":"2.0","id":ID,"result":[]}'],
    ['a batch', 200, 'application/json', '[{"jsonrpc":"2.0","id":ID,"result":{}}]'],
    ['an error page', 500, 'text/plain', 'postgres://u:SECRET@db'],
    ['a result under an error status', 500, 'application/json', '{"jsonrpc":"2.0","id":ID,"result":{}}'],
  ])('%s is no answer, and none of it reaches the caller', async (_, status, type, text) => {
    scene.upstream.onCall = ({ message }, response) => {
      response.writeHead(status, { 'content-type': type }).end(text.replace('ID', String(message.id)))
    }
    const answer = await expectRefused(scene, 'UPSTREAM_INVALID', () => scene.raw(), { id: 1, calls: 1 })
    expect(answer.json.error?.data).toMatchObject({ effect: 'unknown' })
    expect(answer.text).not.toContain('SECRET')
    expect(scene.gateway.trail.sink.lines.join()).not.toContain('SECRET')
  })
})
