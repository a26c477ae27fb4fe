/*
 * A server answered at `/mcp/` and redirected `/mcp` there with 307, as many frameworks do. The gateway passed the redirect on, and no
 * client follows one for a POST: every call failed, and nobody saw why.
 * So: a redirect that says "the same request, over there" is followed within the scheme, host and port that the operator named, with the
 * body and our credential, and the trail says once what the URL should be. Any other redirect is an error of the upstream's, and the
 * caller never sees a 3xx.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type Scene, startScene } from '../support/scene.ts'
import type { OnCall } from '../support/upstream-stub.ts'

let scene: Scene
let place = (): string => '/there'
const moved: OnCall = (_request, response) => {
  if (response.req.url !== '/mcp') return undefined
  return void response.writeHead(307, { location: place() }).end()
}
const visits: string[] = []

beforeAll(async () => {
  scene = await startScene({
    upstreamYaml: '    credential: { bearer: "ours-0001" }\n',
    onCall: (request, response) => {
      visits.push(`${response.req.url} ${request.headers.authorization}`)
      moved(request, response)
      return response.headersSent ? undefined : { resultType: 'complete', content: [{ type: 'text', text: 'from there' }] }
    },
  })
})
afterAll(() => scene.close())

it('is called where it stands, once, and the trail says where that is', async () => {
  for (let round = 0; round < 2; round++) {
    const answer = await scene.raw({ headers: { 'Idempotency-Key': `key-${round}` } })
    expect(answer.json.result).toMatchObject({ content: [{ text: 'from there' }] })
    expect(scene.gateway.trail.last()).toMatchObject({ outcome: 'OK', effectStatus: 'committed' })
  }
  expect(visits).toEqual(['/mcp', '/there', '/mcp', '/there'].map(path => `${path} Bearer ours-0001`))
  expect(new Set(scene.upstream.calls.map(({ body }) => body)).size).toBe(2)
  const told = () => scene.gateway.trail.records().filter(({ event }) => event === 'upstream.moved')
  await eventually(() => told().length > 0)
  expect(told()).toEqual([expect.objectContaining({ detail: { alias: 'acme', path: '/there' } })])
})

it.each(['https://evil.example/mcp', 'http://127.0.0.2/mcp', '/mcp'])('is not followed to %s', async location => {
  place = () => location
  const before = visits.length
  const answer = await scene.raw({ headers: { 'Idempotency-Key': location.replaceAll(/\W/g, '') } })
  expect(answer.status).toBe(502)
  expect(answer.headers.get('location')).toBeNull()
  expect(answer.json.error?.data).toMatchObject({ code: 'UPSTREAM_INVALID' })
  expect(visits.length - before).toBe(location === '/mcp' ? 3 : 1)
  expect(visits.every(visit => visit.startsWith('/mcp') || visit.startsWith('/there'))).toBe(true)
})
