import { type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { isHostAllowed } from '../../src/admin/host.ts'
import { type Admin, type AdminSettings, createAdmin } from '../../src/admin/index.ts'
import { parseJsonText } from '../../src/core/json.ts'

const opened: Admin[] = []
afterEach(() => Promise.all(opened.splice(0).map(admin => admin.close())))

async function open(settings: Partial<AdminSettings> = {}): Promise<number> {
  const admin = createAdmin({
    host: '127.0.0.1',
    port: 0,
    hosts: ['ops.example.com'],
    metricsHandler: (_, response) => response.end('metric 1\n'),
    ready: async () => ({ ok: true, lines: [{ part: 'store', ok: true }] }),
    ...settings,
  })
  opened.push(admin)
  return (await admin.listen()).port
}

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}
function ask(port: number, path: string, options: { readonly method?: string; readonly host?: string; readonly origin?: string } = {}) {
  const { method = 'GET', host = `127.0.0.1:${port}`, origin } = options
  return new Promise<Answer>((resolve, reject) => {
    const headers = { host, ...(origin && { origin }) }
    request({ host: '127.0.0.1', port, path, method, headers, agent: false }, response => {
      let body = ''
      response.on('data', chunk => {
        body += String(chunk)
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
      .on('error', reject)
      .end()
  })
}

describe("the operator's listener", () => {
  it('says that the process lives', async () => {
    expect(await ask(await open(), '/healthz')).toMatchObject({ status: 200, body: '{"ok":true}\n' })
  })

  it('says of each part whether it is ready, and why not', async () => {
    const lines = [
      { part: 'store', ok: true },
      { part: 'upstream tickets', ok: false, reason: 'never answered' },
    ]
    const { status, headers, body } = await ask(await open({ ready: async () => ({ ok: false, lines }) }), '/readyz')
    expect(status).toBe(503)
    expect(headers['content-type']).toBe('application/json')
    expect(parseJsonText(body).value).toEqual({ ok: false, lines })
    expect((await ask(await open(), '/readyz')).status).toBe(200)
  })

  it.each([
    ['fail', () => Promise.reject(new Error('secret')), 'the checks failed'],
    ['never end', () => new Promise<never>(() => undefined), 'the checks took too long'],
  ])('is not ready when its checks %s', async (_, ready, reason) => {
    const { status, body } = await ask(await open({ ready, readyTimeoutMs: 20 }), '/readyz')
    expect(status).toBe(503)
    expect(body).toContain(reason)
    expect(body).not.toContain('secret')
  })

  it('serves the metrics', async () => {
    expect(await ask(await open(), '/metrics?format=x')).toMatchObject({ status: 200, body: 'metric 1\n' })
  })

  it.each(['/healthz', '/readyz', '/metrics', '/anything'])('A-02: refuses %s under a host that is not its own', async path => {
    expect((await ask(await open(), path, { host: 'evil.example' })).status).toBe(403)
  })

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'])('changes nothing: %s is refused', async method => {
    const { status, headers } = await ask(await open(), '/readyz', { method })
    expect(status).toBe(405)
    expect(headers.allow).toBe('GET')
  })

  it('lets no browser page read it, and no cache keep it', async () => {
    const { headers } = await ask(await open(), '/readyz', { origin: 'https://evil.example' })
    expect(headers).not.toHaveProperty('access-control-allow-origin')
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  })

  it.each(['/', '/admin', '/healthz/', '//metrics', '/mcp'])('has nothing at %s', async path => {
    expect((await ask(await open(), path)).status).toBe(404)
  })

  it('refuses a second Host header, of which Node would keep only the first', async () => {
    const port = await open()
    const answer = await new Promise<string>(resolve => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(`GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n`)
      })
      let text = ''
      socket.on('data', chunk => {
        text += String(chunk)
      })
      socket.on('close', () => resolve(text))
    })
    expect(answer).toMatch(/^HTTP\/1\.1 40[03] /)
  })

  it('says why it cannot listen', async () => {
    const port = await open()
    await expect(open({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })
})

describe('a Host header', () => {
  it.each([
    ['10.1.2.3:9464', true],
    ['[::1]:9464', true],
    ['localhost', true],
    ['LOCALHOST:1', true],
    ['ops.example.com', true],
    ['Ops.Example.com:9464', true],
    ['gateway:9464', true],
    ['gateway:9465', false],
    ['evil.example', false],
    ['localhost.evil.example', false],
    ['127.0.0.1.evil.example', false],
    ['127.0.0.1@evil.example', false],
    ['[evil]', false],
    ['', false],
  ])('%s is served: %s', (host, isAllowed) => {
    expect(isHostAllowed(['Host', host], ['ops.example.com', 'gateway:9464'])).toBe(isAllowed)
  })

  it('must be there, once', () => {
    expect(isHostAllowed([], [])).toBe(false)
    expect(isHostAllowed(['Host', 'localhost', 'hOST', 'localhost'], [])).toBe(false)
  })
})
