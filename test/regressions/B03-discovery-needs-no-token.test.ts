/*
 * The middleware that asks for a token also stood before the well-known path, so the document that tells where to get a token
 * needed one. Clients found nothing, or finished OAuth elsewhere and then never sent a request.
 * The same happens more quietly when the route judges a token that a client sends along out of habit and that has expired, or
 * when a browser client is kept away by CORS, or when asking for metadata counts as a failed attempt.
 * So: metadata is for everybody, whatever the request carries.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Scene, startScene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene({ limits: 'failedAuthPerMinute: 1' })
})
afterAll(() => scene.close())

const ask = (method: string, headers: Record<string, string>) =>
  scene.raw({
    line: `${method} /.well-known/oauth-protected-resource/mcp HTTP/1.1`,
    headers: { Authorization: undefined, 'Content-Type': undefined, 'Content-Length': undefined, ...headers },
    body: '',
  })

it.each([
  ['without a token', () => ({})],
  ['with an expired token', () => ({ Authorization: `Bearer ${scene.gateway.token('tools:read', { exp: 1 })}` })],
  ['with something that is no token', () => ({ Authorization: 'Basic x' })],
  ['from a page that nobody configured', () => ({ Origin: 'https://app.example' })],
])('B03 metadata is served %s, as often as it is asked for', async (_, headers) => {
  for (let turn = 0; turn < 3; turn++) {
    const answer = await ask('GET', headers())
    expect(answer).toMatchObject({ status: 200, json: { resource: scene.gateway.url } })
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    if ('Origin' in headers()) expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  }
})

it('B03 a page may ask before it asks', async () => {
  const answer = await ask('OPTIONS', {
    Origin: 'https://app.example',
    'Access-Control-Request-Method': 'GET',
    'Access-Control-Request-Headers': 'mcp-protocol-version',
  })
  expect(answer.status).toBe(204)
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  expect(answer.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('mcp-protocol-version')
})

it('B03 none of it counts as a failed attempt', async () => {
  expect((await scene.raw()).status).toBe(200)
})
