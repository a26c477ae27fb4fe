import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventuallyHolds } from '../support/eventually.ts'
import { type RawRequest, sendBytes } from '../support/raw-http.ts'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'
import { text } from '../support/upstream-stub.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())

/** A second good call, hidden behind the first: it must never be answered. */
const smuggled = () => scene.bytes()
const length = () => String(Buffer.byteLength(scene.body()))
const asChunk = (body: string): string => `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`

describe('bytes whose end two readers would see in two places', () => {
  const cases: readonly (readonly [string, () => Partial<RawRequest>])[] = [
    ['Transfer-Encoding and Content-Length', () => ({ headers: { 'Transfer-Encoding': 'chunked' }, body: asChunk(scene.body()) })],
    ['two Content-Length headers that differ', () => ({ headers: { 'Content-Length': [length(), '5'] } })],
    ['two Content-Length headers that are equal', () => ({ headers: { 'Content-Length': [length(), length()] } })],
    ['a list in Content-Length', () => ({ headers: { 'Content-Length': `${length()}, ${length()}` } })],
    ['a sign before Content-Length', () => ({ headers: { 'Content-Length': `+${length()}` } })],
    ['a hexadecimal Content-Length', () => ({ headers: { 'Content-Length': '0x10' } })],
    [
      'a space before the colon of Transfer-Encoding',
      () => ({ headers: { 'Content-Length': undefined }, lines: ['Transfer-Encoding : chunked'], body: asChunk(scene.body()) }),
    ],
    [
      'an unknown transfer coding',
      () => ({ headers: { 'Content-Length': undefined, 'Transfer-Encoding': 'xchunked' }, body: asChunk(scene.body()) }),
    ],
    [
      'chunked that is not the last coding',
      () => ({ headers: { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked, identity' }, body: asChunk(scene.body()) }),
    ],
    [
      'chunked twice',
      () => ({ headers: { 'Content-Length': undefined, 'Transfer-Encoding': ['chunked', 'chunked'] }, body: asChunk(scene.body()) }),
    ],
    [
      'a chunk size that is no number',
      () => ({ headers: { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' }, body: 'zz\r\n' }),
    ],
    [
      'a chunk longer than its size',
      () => ({ headers: { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' }, body: `1\r\n${scene.body()}\r\n0\r\n\r\n` }),
    ],
    ['a header that is folded over two lines', () => ({ lines: ['X-Folded: a', ' b'] })],
    ['a control character in a header', () => ({ lines: ['X-Control: a\x00b'] })],
    ['a header without a name', () => ({ lines: [': a'] })],
    ['a space in a header name', () => ({ lines: ['Mcp Name: a'] })],
    ['another protocol', () => ({ line: 'POST /mcp HTTQ/1.1' })],
    ['a version that does not exist', () => ({ line: 'POST /mcp HTTP/1.7' })],
  ]

  it.each(cases)('A-20 %s: refused, closed, and what follows is no second request [REQ-HTTP-FRAMING]', async (_, changes) => {
    const calls = scene.upstream.calls.length
    const { answers, closed } = await sendBytes(
      scene.gateway.origin,
      Buffer.concat([scene.bytes({ ...changes(), headers: { Connection: 'keep-alive', ...changes().headers } }), smuggled()]),
    )
    expect(answers.map(({ status }) => status)).toEqual([400])
    expect(closed).toBe(true)
    expect(scene.upstream.calls).toHaveLength(calls)
    expect(['HTTP_MALFORMED', 'HTTP_HEADER_DUPLICATE']).toContain(scene.gateway.trail.last().outcome)
  })

  it('A-20 lines that end in a bare LF: refused and closed', async () => {
    const bytes = Buffer.from(
      scene
        .bytes({ headers: { Connection: 'keep-alive' } })
        .toString('latin1')
        .replaceAll('\r\n', '\n'),
      'latin1',
    )
    const calls = scene.upstream.calls.length
    const { answers, closed } = await sendBytes(scene.gateway.origin, Buffer.concat([bytes, smuggled()]))
    expect(answers.map(({ status }) => status)).toEqual([400])
    expect(closed).toBe(true)
    expect(scene.upstream.calls).toHaveLength(calls)
  })

  it('bytes that are no HTTP are answered in HTTP, recorded and closed', async () => {
    await expectRefused(scene, 'HTTP_MALFORMED', async () => {
      const { answers, closed } = await sendBytes(scene.gateway.origin, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03')
      expect(closed).toBe(true)
      const [answer] = answers
      if (answer === undefined) throw new Error('no answer')
      return answer
    })
  })
})

describe('a good request behind a refused one', () => {
  it('on the same connection is judged by itself, when the first was whole', async () => {
    const bad = scene.bytes({ headers: { Connection: 'keep-alive', 'Mcp-Name': 'acme__read' } })
    const { answers } = await sendBytes(scene.gateway.origin, Buffer.concat([bad, scene.bytes()]))
    expect(answers.map(({ status }) => status)).toEqual([400, 200])
  })

  it('is not read out of the body of a caller who was refused before its body', async () => {
    const calls = scene.upstream.calls.length
    const inside = scene.bytes()
    const outer = scene.bytes({ headers: { Connection: 'keep-alive', Authorization: undefined }, body: inside })
    const { answers } = await sendBytes(scene.gateway.origin, outer, 300)
    expect(answers.map(({ status }) => status)).toEqual([401])
    expect(scene.upstream.calls).toHaveLength(calls)
  })
})

describe('bytes that are no HTTP behind a good request', () => {
  it('are not answered while it is worked on: it would take that answer for its own', async () => {
    let finish = (): void => {}
    scene.upstream.onCall = () =>
      new Promise(resolve => {
        finish = () => resolve(text('late'))
      })
    const calls = scene.upstream.calls.length
    const socket = connect(Number(new URL(scene.gateway.origin).port), '127.0.0.1')
    let received = ''
    socket.on('data', chunk => {
      received += String(chunk)
    })
    socket.write(scene.bytes({ headers: { Connection: 'keep-alive' } }))
    await eventuallyHolds(() => expect(scene.upstream.calls).toHaveLength(calls + 1))
    socket.write('\x00\x01\x02\r\n\r\n')
    await once(socket, 'close')
    expect(received).toBe('')
    finish()
    await eventuallyHolds(() =>
      expect(scene.gateway.trail.last()).toMatchObject({ exposedName: 'acme__send', effectStatus: 'committed', cancelled: true }),
    )
    expect(scene.gateway.trail.requests().at(-2)).toMatchObject({ outcome: 'HTTP_MALFORMED' })
    scene.upstream.onCall = () => text('done')
  })
})

describe('a body that breaks off behind its refusal', () => {
  it('gets no second answer: somebody would take it for their own', async () => {
    const socket = connect(Number(new URL(scene.gateway.origin).port), '127.0.0.1')
    let received = ''
    socket.on('data', chunk => {
      received += String(chunk)
    })
    const headers = { Connection: 'keep-alive', Authorization: undefined, 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' }
    const bytes = scene.bytes({ headers })
    socket.write(bytes.subarray(0, bytes.indexOf('\r\n\r\n') + 4))
    await eventuallyHolds(() => expect(received).toContain('HTTP/1.1 401'))
    socket.write('zz\r\n')
    await once(socket, 'close')
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401'])
    expect(scene.gateway.trail.last()).toMatchObject({ outcome: 'AUTH_TOKEN_MISSING', status: 401 })
  })
})

describe('a request target', () => {
  it('in absolute form does not stand above the Host header', async () => {
    await expectRefused(scene, 'HTTP_NOT_FOUND', () => scene.raw({ line: 'POST http://evil.example/mcp HTTP/1.1' }))
    await expectRefused(scene, 'HTTP_HOST_REFUSED', () =>
      scene.raw({ line: `POST ${scene.gateway.url} HTTP/1.1`, headers: { Host: 'evil.example' } }),
    )
  })

  it.each([
    '/%6Dcp',
    '/mcp%2F',
    '/%2e/mcp',
    '/./mcp',
    '/x/../mcp',
    '/mcp%00',
    '/mcp%20',
    '/mcp%3F',
    '/mcp#x',
    '*',
    'mcp',
    '/%',
    '/%zz',
    '/%ff',
  ])('%s is another spelling of a path, never another way in', async target => {
    const calls = scene.upstream.calls.length
    const answer = await scene.raw({ line: `POST ${target} HTTP/1.1` })
    expect([400, 404]).toContain(answer.status)
    expect(scene.upstream.calls).toHaveLength(calls)
    expect(['HTTP_NOT_FOUND', 'HTTP_MALFORMED']).toContain(scene.gateway.trail.last().outcome)
    await expectNotEndpoint(target)
  })

  it('CONNECT is not a proxy', async () => {
    await expectRefused(
      scene,
      'HTTP_MALFORMED',
      () => scene.raw({ line: 'CONNECT 169.254.169.254:80 HTTP/1.1', headers: { 'Content-Length': undefined }, body: '' }),
      { detail: { reason: 'CONNECT' } },
    )
  })

  it('an upgrade is not taken up', async () => {
    const headers = {
      Connection: 'Upgrade, close',
      Upgrade: 'websocket',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Version': '13',
    }
    const answer = await scene.raw({ line: 'GET /mcp HTTP/1.1', headers: { ...headers, 'Content-Length': '0' }, body: '' })
    // A GET like any other: of a session, which this has none of.
    expect(answer.status).toBe(400)
    expect(answer.headers).not.toHaveProperty('upgrade')
  })
})

/** Another spelling must not get past the checks that go by path either: nobody is authenticated there. */
async function expectNotEndpoint(target: string): Promise<void> {
  const answer = await scene.raw({ line: `POST ${target} HTTP/1.1`, headers: { Authorization: undefined } })
  expect([400, 404]).toContain(answer.status)
}
