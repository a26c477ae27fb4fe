import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendOne, writeRequest } from '../support/raw-http.ts'
import { type Scene, startScene } from '../support/scene.ts'
import { openSession } from '../support/session.ts'
import { hear } from '../support/session-events.ts'
import { sendEvents } from '../support/upstream-stub.ts'

const APP = 'https://app.example'
/** Every header that a browser client of some revision asks for. */
const WANTED = 'authorization, content-type, mcp-protocol-version, mcp-method, mcp-name, mcp-param-region, mcp-session-id, last-event-id'

let scene: Scene
beforeAll(async () => {
  scene = await startScene({ gatewayYaml: `http: { origins: [${APP}] }\n` })
})
afterAll(() => scene.close())

const preflight = (path: string, headers: Record<string, string>) =>
  sendOne(
    scene.gateway.origin,
    writeRequest({
      line: `OPTIONS ${path} HTTP/1.1`,
      headers: { Host: new URL(scene.gateway.origin).host, Connection: 'close', ...headers },
    }),
  )

describe('a preflight', () => {
  it('B61 is answered without a token, and names every header that was asked for', async () => {
    const answer = await preflight('/mcp', {
      Origin: APP,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': WANTED,
    })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-origin')).toBe(APP)
    const allowed = answer.headers.get('access-control-allow-headers')?.toLowerCase().split(/, */)
    expect(allowed).toEqual(expect.arrayContaining(WANTED.split(', ')))
    expect(answer.headers.get('access-control-allow-methods')?.split(', ')).toEqual(expect.arrayContaining(['POST', 'GET', 'DELETE']))
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    expect(answer.headers.get('vary')).toContain('Origin')
  })

  it('of a page that was not configured is refused', async () => {
    const answer = await preflight('/mcp', { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' })
    expect(answer.status).toBe(403)
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    expect(scene.gateway.trail.last()).toMatchObject({ outcome: 'HTTP_ORIGIN_REFUSED' })
  })

  it('leaves one record', async () => {
    const before = scene.gateway.trail.requests().length
    await preflight('/mcp', { Origin: APP, 'Access-Control-Request-Method': 'POST' })
    expect(scene.gateway.trail.requests().slice(before)).toMatchObject([{ outcome: 'OK', status: 204 }])
  })
})

describe('an answer to a page', () => {
  it('B61 can be read by it, with the headers that MCP clients need', async () => {
    const answer = await scene.raw({ headers: { Origin: APP } })
    expect(answer.headers.get('access-control-allow-origin')).toBe(APP)
    expect(answer.headers.get('vary')).toContain('Origin')
    const exposed = answer.headers.get('access-control-expose-headers')?.toLowerCase().split(/, */)
    expect(exposed).toEqual(expect.arrayContaining(['www-authenticate', 'retry-after', 'mcp-protocol-version', 'mcp-session-id']))
  })

  it.each([
    ['a missing token', 401, { Authorization: undefined }],
    ['a bad token', 401, { Authorization: 'Bearer x' }],
    ['a wrong media type', 415, { 'Content-Type': 'text/plain' }],
    ['a mismatch', 400, { 'Mcp-Name': 'other' }],
  ])('that refuses %s can be read too', async (_, status, headers) => {
    const answer = await scene.raw({ headers: { Origin: APP, ...headers } })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('access-control-allow-origin')).toBe(APP)
  })

  it('B63 as an event stream has the same headers as any other', async () => {
    scene.upstream.onCall = ({ message }, response) => sendEvents(response, [{ jsonrpc: '2.0', id: message.id, result: { content: [] } }])
    const answer = await scene.raw({ headers: { Origin: APP } })
    expect(answer.headers.get('content-type')).toBe('text/event-stream')
    expect(answer.headers.get('access-control-allow-origin')).toBe(APP)
    expect(answer.headers.get('access-control-expose-headers')?.toLowerCase()).toContain('www-authenticate')
    expect(answer.headers.get('vary')).toContain('Origin')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('x-accel-buffering')).toBe('no')
    expect(answer.headers.get('cache-control')).toBe('no-cache, no-transform')
    expect(answer.text.match(/^data: /gm)).toHaveLength(1)
  })

  it('B61 as the stream of a session, and to its end, can be read by it too', async () => {
    const session = await openSession(scene.gateway)
    const stream = await hear(scene.gateway, session, { headers: { origin: APP } })
    expect(stream.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'access-control-allow-origin': APP,
      'access-control-expose-headers': expect.stringContaining('Mcp-Session-Id'),
    })
    const again = await hear(scene.gateway, session, { headers: { origin: 'https://evil.example' } })
    expect(again.status).toBe(403)
    const ended = await fetch(scene.gateway.url, {
      method: 'DELETE',
      headers: { origin: APP, authorization: `Bearer ${scene.gateway.token()}`, 'mcp-session-id': session.id },
    })
    expect([ended.status, ended.headers.get('access-control-allow-origin')]).toEqual([204, APP])
    expect(await stream.ended()).toBe('whole')
  })

  it('never allows every origin', async () => {
    expect((await scene.raw()).headers.get('access-control-allow-origin')).not.toBe('*')
  })
})
