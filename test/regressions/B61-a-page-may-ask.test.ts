/*
 * A browser client's first call worked and its second died before it was sent: the preflight did not name the version header.
 * Elsewhere the preflight itself needed a token, which a browser never sends with it. A `*` in the allowed headers does not
 * help, since it never stands for Authorization.
 * So: the preflight of a configured page is answered without a token and names each header that was asked for, those of
 * mirrored arguments included; the answer varies with the page.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Scene, startScene } from '../support/scene.ts'

const PAGE = 'https://app.example'
const WANTED = [
  'authorization',
  'content-type',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'mcp-param-region',
  'mcp-session-id',
  'last-event-id',
]

let scene: Scene
beforeAll(async () => {
  scene = await startScene({ gatewayYaml: `http: { origins: [${PAGE}] }\n` })
})
afterAll(() => scene.close())

it('B61 the preflight needs no token and names every header of MCP', async () => {
  const answer = await scene.raw({
    line: 'OPTIONS /mcp HTTP/1.1',
    headers: {
      Authorization: undefined,
      'Content-Type': undefined,
      'Content-Length': undefined,
      Origin: PAGE,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': WANTED.join(','),
    },
    body: '',
  })
  expect(answer.status).toBe(204)
  expect(answer.headers.get('access-control-allow-origin')).toBe(PAGE)
  const allowed = answer.headers.get('access-control-allow-headers')?.toLowerCase().split(/, */) ?? []
  expect(allowed).toEqual(expect.arrayContaining(WANTED))
  expect(allowed).not.toContain('*')
  expect(answer.headers.get('vary')).toMatch(/origin/i)
})

it('B61 the call that follows can be read by the page', async () => {
  const answer = await scene.raw({ headers: { Origin: PAGE } })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('access-control-allow-origin')).toBe(PAGE)
})
