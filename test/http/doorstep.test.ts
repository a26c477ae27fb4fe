import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendOne, writeRequest } from '../support/raw-http.ts'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene({ gatewayYaml: 'http: { origins: [https://app.example] }\n' })
})
afterAll(() => scene.close())

describe('Origin', () => {
  it.each(['https://evil.example', 'null', 'file://', 'https://app.example.evil.test', 'http://app.example', 'HTTPS://APP.EXAMPLE', ''])(
    'A-01 B65 a page of %j is refused before its token is looked at [REQ-HTTP-ORIGIN]',
    async origin => {
      await expectRefused(scene, 'HTTP_ORIGIN_REFUSED', () => scene.raw({ headers: { Origin: origin, Authorization: undefined } }))
      await expectRefused(scene, 'HTTP_ORIGIN_REFUSED', () => scene.raw({ headers: { Origin: origin } }))
    },
  )

  it('a configured page and a program without Origin are served', async () => {
    expect((await scene.raw({ headers: { Origin: 'https://app.example' } })).status).toBe(200)
    expect((await scene.raw()).status).toBe(200)
  })

  it('a request with two of them is refused, whichever is good', async () => {
    const pair = ['https://app.example', 'https://evil.example']
    for (const origins of [pair, pair.toReversed()]) {
      await expectRefused(scene, 'HTTP_ORIGIN_REFUSED', () => scene.raw({ headers: { Origin: origins } }))
    }
  })
})

describe('Host', () => {
  it('A-02 a name that is not ours is refused, on the endpoint and on the metadata path', async () => {
    const detail = { host: 'evil.example' }
    await expectRefused(scene, 'HTTP_HOST_REFUSED', () => scene.raw({ headers: { Host: 'evil.example' } }), { detail })
    await expectRefused(scene, 'HTTP_HOST_REFUSED', () => scene.raw({ headers: { Host: 'evil.example', Authorization: undefined } }))
    const line = 'GET /.well-known/oauth-protected-resource/mcp HTTP/1.1'
    await expectRefused(scene, 'HTTP_HOST_REFUSED', () =>
      sendOne(scene.gateway.origin, writeRequest({ line, headers: { Host: 'evil.example', Connection: 'close' } })),
    )
  })

  it.each([
    ['10.0.3.7:8080', '10.0.3.7:8080'],
    ['Gateway_Backend', 'gateway_backend'],
    ['user:s3cret@evil.example', 'no name'],
    [`${'a'.repeat(101)}`, 'no name'],
    ['\u00e4.example', 'no name'],
  ])('the record says which one it was, so that a proxy can be put right: %s', async (host, said) => {
    await expectRefused(scene, 'HTTP_HOST_REFUSED', () => scene.raw({ headers: { Host: host } }), { detail: { host: said } })
  })

  it("A-02 the operator's listener refuses it too", async () => {
    const admin = scene.gateway.gateway.adminAddress ?? ''
    const ask = (host: string) =>
      sendOne(admin, writeRequest({ line: 'GET /metrics HTTP/1.1', headers: { Host: host, Connection: 'close' } }))
    expect((await ask('evil.example')).status).toBe(403)
    expect((await ask(new URL(admin).host)).status).toBe(200)
  })

  it('a request with two Host headers is refused, whichever is good', async () => {
    const ours = new URL(scene.gateway.origin).host
    await expectRefused(scene, 'HTTP_HEADER_DUPLICATE', () => scene.raw({ headers: { Host: [ours, 'evil.example'] } }))
    await expectRefused(scene, 'HTTP_HOST_REFUSED', () => scene.raw({ headers: { Host: ['evil.example', ours] } }))
  })

  it('what a proxy is said to have received changes nothing', async () => {
    await expectRefused(scene, 'HTTP_HOST_REFUSED', () =>
      scene.raw({ headers: { Host: 'gw-internal', 'X-Forwarded-Host': new URL(scene.gateway.origin).host, Forwarded: 'host=x' } }),
    )
  })
})

describe('header section', () => {
  it('A-08 two Authorization headers are refused, whichever of them is good', async () => {
    const good = `Bearer ${scene.gateway.token()}`
    for (const pair of [
      [good, 'Bearer bad'],
      ['Bearer bad', good],
      [good, good],
    ]) {
      await expectRefused(scene, 'HTTP_HEADER_DUPLICATE', () => scene.raw({ headers: { Authorization: pair } }), {
        detail: { header: 'authorization' },
      })
    }
  })

  it.each(['Content-Type', 'Idempotency-Key'])('two %s headers are refused, even when they are equal', async name => {
    const value = name === 'Content-Type' ? 'application/json' : 'k1'
    await expectRefused(scene, 'HTTP_HEADER_DUPLICATE', () => scene.raw({ headers: { [name]: [value, value] } }))
  })

  it('A-18 B59 one large Mcp-Param header, or many, are refused before any is decoded', async () => {
    const many = Array.from({ length: 40 }, (_, index) => `Mcp-Param-X${index}: a`)
    await expectRefused(scene, 'HTTP_HEADERS_TOO_LARGE', () => scene.raw({ lines: many }), { detail: { reason: 'Mcp-Param' } })
    const large = `Mcp-Param-X: =?base64?${'QUJD'.repeat(3_750)}?=`
    await expectRefused(scene, 'HTTP_HEADERS_TOO_LARGE', () => scene.raw({ lines: [large], headers: { Authorization: undefined } }), {
      detail: { reason: 'Mcp-Param' },
    })
  })

  it('more than a hundred headers are refused', async () => {
    const lines = Array.from({ length: 101 }, (_, index) => `X-Filler-${index}: a`)
    await expectRefused(scene, 'HTTP_HEADERS_TOO_LARGE', () => scene.raw({ lines }), { detail: { reason: 'count' } })
  })

  it('more bytes than Node reads are refused before they are a request', async () => {
    await expectRefused(scene, 'HTTP_HEADERS_TOO_LARGE', () => scene.raw({ lines: [`X-Filler: ${'a'.repeat(20_000)}`] }))
  })
})

describe('media type', () => {
  it.each([
    'text/plain',
    undefined,
    '',
    'application/json, text/plain',
    'application/json\ta',
    'application/json; charset=utf-16',
    'application/vnd.x+json',
    'application/jsonp',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
  ])('A-22 Content-Type %j is refused', async type => {
    await expectRefused(scene, 'HTTP_MEDIA_TYPE', () => scene.raw({ headers: { 'Content-Type': type } }))
  })

  it.each(['application/json', 'Application/JSON', 'application/json; charset=utf-8', 'application/json;charset="UTF-8"'])(
    'B73 Content-Type %s is taken',
    async type => {
      expect((await scene.raw({ headers: { 'Content-Type': type } })).status).toBe(200)
    },
  )

  it.each(['br', 'gzip', 'identity', 'zstd, identity'])('A-24 Content-Encoding %s is refused, though the body is plain', async encoding => {
    await expectRefused(scene, 'HTTP_MEDIA_TYPE', () => scene.raw({ headers: { 'Content-Encoding': encoding } }), {
      detail: { reason: 'content-encoding' },
    })
  })

  it.each([undefined, '*/*', 'application/json', 'text/event-stream', 'application/json;q=0.5, text/event-stream'])(
    'Accept %s is taken',
    async accept => {
      expect((await scene.raw({ headers: { Accept: accept } })).status).toBe(200)
    },
  )
})
