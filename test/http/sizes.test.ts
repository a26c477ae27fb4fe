import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventuallyHolds } from '../support/eventually.ts'
import { sendBytes } from '../support/raw-http.ts'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'

const MAX = 4096

let scene: Scene
beforeAll(async () => {
  scene = await startScene({ gatewayYaml: `http: { maxBodyBytes: ${MAX} }\n` })
})
afterAll(() => scene.close())

const ofLength = (bytes: number): string => {
  const fill = bytes - Buffer.byteLength(scene.body({}, { arguments: { to: '', region: 'eu' } }))
  return scene.body({}, { arguments: { to: 'a'.repeat(fill), region: 'eu' } })
}
const chunked = (body: string): string => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`

describe('a body', () => {
  it('of exactly the limit is taken, one byte more is refused', async () => {
    expect((await scene.raw({ body: ofLength(MAX) })).status).toBe(200)
    await expectRefused(scene, 'HTTP_BODY_TOO_LARGE', () => scene.raw({ body: ofLength(MAX + 1) }))
  })

  it('that only says it is too large is refused before it arrives', async () => {
    await expectRefused(scene, 'HTTP_BODY_TOO_LARGE', () => scene.raw({ headers: { 'Content-Length': '99999999999' }, body: '{' }))
  })

  it('without a length is counted as it arrives', async () => {
    const headers = { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' }
    expect((await scene.raw({ headers, body: chunked(ofLength(MAX)) })).status).toBe(200)
    await expectRefused(scene, 'HTTP_BODY_TOO_LARGE', () => scene.raw({ headers, body: chunked(ofLength(MAX + 1)) }))
  })

  it('of a stranger is not waited for: the refusal comes while it is still on the way', async () => {
    await expectRefused(scene, 'AUTH_TOKEN_MISSING', () =>
      scene.raw({ headers: { Authorization: undefined, 'Content-Length': '4000' }, body: '{' }),
    )
  })

  it('that is empty is not JSON', async () => {
    await expectRefused(scene, 'MCP_PARSE', () => scene.raw({ body: '' }))
    await expectRefused(scene, 'MCP_PARSE', () => scene.raw({ body: '', headers: { 'Content-Length': undefined } }))
  })

  it('whose sender leaves half-way is recorded and reaches nobody', async () => {
    const records = scene.gateway.trail.requests().length
    const { answers } = await sendBytes(scene.gateway.origin, scene.bytes({ headers: { 'Content-Length': '4000' } }), 100)
    expect(answers).toEqual([])
    await eventuallyHolds(() =>
      expect(scene.gateway.trail.requests().slice(records)).toMatchObject([{ outcome: 'CALLER_GONE', status: 499, cancelled: true }]),
    )
  })
})

describe('Expect: 100-continue', () => {
  it('from a known caller is answered, and the call goes on', async () => {
    const bytes = scene.bytes({ headers: { Expect: '100-continue' } })
    const { answers } = await sendBytes(scene.gateway.origin, bytes)
    expect(answers.map(({ status }) => status)).toEqual([100, 200])
  })

  it('with an expectation that nobody knows is judged like any other request', async () => {
    expect((await scene.raw({ headers: { Expect: 'something-else' } })).status).toBe(200)
    await expectRefused(scene, 'AUTH_TOKEN_MISSING', () => scene.raw({ headers: { Expect: 'something-else', Authorization: undefined } }))
  })
})

describe('a connection', () => {
  it('that is kept alive serves one request after the other', async () => {
    const one = scene.bytes({ headers: { Connection: 'keep-alive' } })
    const { answers } = await sendBytes(scene.gateway.origin, Buffer.concat([one, one, scene.bytes()]))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  it('whose bytes come one by one is served', async () => {
    const bytes = scene.bytes()
    const { Socket } = await import('node:net')
    const socket = new Socket().connect(Number(new URL(scene.gateway.origin).port), '127.0.0.1')
    let text = ''
    socket.on('data', chunk => {
      text += String(chunk)
    })
    for (let at = 0; at < bytes.length; at += 97) {
      socket.write(bytes.subarray(at, at + 97))
      await sleep(1)
    }
    await eventuallyHolds(() => expect(text).toContain('HTTP/1.1 200'))
    socket.destroy()
  })

  it('without a Host header, or with two, is refused as HTTP/1.1 says, on every path [REQ-HTTP-HOST]', async () => {
    const ours = new URL(scene.gateway.origin).host
    for (const line of ['POST /mcp HTTP/1.1', 'GET /.well-known/oauth-protected-resource/mcp HTTP/1.1', 'GET /none HTTP/1.1']) {
      await expectRefused(scene, 'HTTP_MALFORMED', () => scene.raw({ line, headers: { Host: undefined } }), { detail: { reason: 'host' } })
      await expectRefused(scene, 'HTTP_HEADER_DUPLICATE', () => scene.raw({ line, headers: { Host: [ours, 'evil.example'] } }))
    }
  })
})
