import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'

let scene: Scene
let modern: Scene
beforeAll(async () => {
  scene = await startScene()
  modern = await startScene({ endpointYaml: "    minProtocolVersion: '2026-07-28'" })
})
afterAll(async () => {
  await scene.close()
  await modern.close()
})

const OTHERS = ['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS']

describe('a method that is not POST', () => {
  it.each(OTHERS)('A-28 %s by a stranger is challenged, and learns nothing of what is served [REQ-AUTH-CHALLENGE]', async method => {
    const answer = await expectRefused(scene, 'AUTH_TOKEN_MISSING', () =>
      scene.raw({ line: `${method} /mcp HTTP/1.1`, headers: { Authorization: undefined, 'Content-Length': '0' }, body: '' }),
    )
    expect(answer.headers.get('www-authenticate')).toContain('resource_metadata=')
    expect(answer.headers.get('allow')).toBeNull()
  })

  it.each(OTHERS)('A-28 %s by a known caller is told to use POST, where no sessions are served [REQ-HTTP-LEGACY-METHODS]', async method => {
    // Whatever session it names: there are none.
    const headers = { 'Content-Length': '0', 'Mcp-Session-Id': 'x', 'MCP-Protocol-Version': '2025-11-25' }
    const answer = await expectRefused(modern, 'HTTP_METHOD_NOT_ALLOWED', () =>
      modern.raw({ line: `${method} /mcp HTTP/1.1`, headers, body: '' }),
    )
    expect(answer.headers.get('allow')).toBe('POST')
  })

  it.each(['PUT', 'PATCH', 'OPTIONS'])('%s is not allowed where sessions are served either', async method => {
    const answer = await expectRefused(scene, 'HTTP_METHOD_NOT_ALLOWED', () =>
      scene.raw({ line: `${method} /mcp HTTP/1.1`, headers: { 'Content-Length': '0' }, body: '' }),
    )
    expect(answer.headers.get('allow')).toBe('GET, POST, DELETE')
  })

  it('HEAD gets the same answer without a body', async () => {
    const answer = await scene.raw({ line: 'HEAD /mcp HTTP/1.1', headers: { 'Content-Length': undefined }, body: '' })
    expect(answer).toMatchObject({ status: 405, text: '' })
    expect(answer.headers.get('allow')).toBe('GET, POST, DELETE')
    expect(scene.gateway.trail.last()).toMatchObject({ outcome: 'HTTP_METHOD_NOT_ALLOWED', httpMethod: 'HEAD' })
  })

  it.each(['GET', 'DELETE'])('%s where sessions are served needs one, of a revision that has them', async method => {
    const send = (headers: Readonly<Record<string, string | readonly string[] | undefined>>) => () =>
      scene.raw({
        line: `${method} /mcp HTTP/1.1`,
        headers: { 'Content-Length': '0', 'MCP-Protocol-Version': undefined, Accept: 'text/event-stream', ...headers },
        body: '',
      })
    await expectRefused(scene, 'SESSION_REQUIRED', send({}))
    await expectRefused(scene, 'SESSION_UNKNOWN', send({ 'Mcp-Session-Id': 'x' }))
    await expectRefused(scene, 'MCP_HEADER_MISMATCH', send({ 'Mcp-Session-Id': ['x', 'x'] }))
    await expectRefused(scene, 'MCP_VERSION_UNSUPPORTED', send({ 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Session-Id': 'x' }))
  })

  it.each(['TRACE', 'PROPFIND', 'SEARCH', 'QUERY'])('%s is nothing we know', async method => {
    await expectRefused(scene, 'HTTP_NOT_FOUND', () =>
      scene.raw({ line: `${method} /mcp HTTP/1.1`, headers: { 'Content-Length': '0' }, body: '' }),
    )
  })

  it('a word that is no method is not HTTP', async () => {
    await expectRefused(scene, 'HTTP_MALFORMED', () => scene.raw({ line: 'FETCH /mcp HTTP/1.1' }))
  })
})

describe('a token in the URL', () => {
  it('A-28 is not a token, and is written down nowhere [REQ-TOKEN-QUERY]', async () => {
    const token = scene.gateway.token()
    await expectRefused(scene, 'AUTH_TOKEN_MISSING', () =>
      scene.raw({ line: `POST /mcp?access_token=${token} HTTP/1.1`, headers: { Authorization: undefined } }),
    )
    await expectRefused(scene, 'AUTH_TOKEN_MISSING', () =>
      scene.raw({
        line: `GET /mcp?access_token=${token} HTTP/1.1`,
        headers: { Authorization: undefined, 'Content-Length': '0' },
        body: '',
      }),
    )
    for (const line of scene.gateway.trail.sink.lines) expect(line).not.toContain(token.slice(-40))
  })
})

describe('a path', () => {
  it.each(['/', '/mcp/', '/MCP', '/mcp/x', '//mcp', '/mcp;x=1', '/admin', '/metrics', '/readyz', '/.well-known/', '/.well-known/x'])(
    '%s that is not configured has nothing, and says so in JSON',
    async path => {
      await expectRefused(scene, 'HTTP_NOT_FOUND', () => scene.raw({ line: `POST ${path} HTTP/1.1` }))
      await expectRefused(scene, 'HTTP_NOT_FOUND', () =>
        scene.raw({ line: `GET ${path} HTTP/1.1`, headers: { 'Content-Length': '0', Authorization: undefined }, body: '' }),
      )
    },
  )

  it('with a query is the path without it', async () => {
    expect((await scene.raw({ line: 'POST /mcp?a=1&b=%zz HTTP/1.1' })).status).toBe(200)
  })
})
