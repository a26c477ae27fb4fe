import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultsOf } from '../support/audit-trail.ts'
import { eventually } from '../support/eventually.ts'
import { type GatewayProcess, startGatewayProcess } from '../support/gateway-process.ts'
import { type RedisServer, startRedis } from '../support/redis.ts'
import { streamCall } from '../support/stream-call.ts'
import { startTokenMint, type TokenMint } from '../support/tokens.ts'
import { type OnCall, startUpstreamStub, type UpstreamStub } from '../support/upstream-stub.ts'
import { eventHead, final, progress, writeEvent } from './scene.ts'

/** Secrets are put wherever one can stand, into a gateway at its most talkative; then everything it ever wrote or said is searched. */

const CANARY = 'cAnArY7f3a'
const secret = (where: string): string => `${CANARY}${where}`
const INJECTED = '{"level":"info"}'

let mint: TokenMint
let redis: RedisServer
let upstream: UpstreamStub
let gateway: GatewayProcess
let onCall: OnCall
beforeAll(async () => {
  mint = await startTokenMint()
  redis = await startRedis()
  const inputSchema = { type: 'object', properties: { shown: { type: 'string' }, region: { type: 'string', 'x-mcp-header': 'Region' } } }
  upstream = await startUpstreamStub(
    [
      { name: 'read', inputSchema },
      { name: 'write', inputSchema },
      { name: `evil\n${INJECTED}\n`, inputSchema },
    ],
    (request, response) => onCall(request, response),
  )
  gateway = await startGatewayProcess({
    storeTimeoutMs: 30_000,
    mint,
    upstreams: { acme: `${upstream.url}?key=\${ACME_KEY}` },
    upstreamYaml: `    credential: { bearer: "\${ACME_TOKEN}" }\n    forwardHeaders: [x-tenant]`,
    tools: {
      acme: `  read: { effect: read, limit: { calls: 1000, per: 1s }, allow: [{ scopes: [tools:read] }] }
  write: { effect: write, limit: { calls: 1000, per: 1s }, audit: { keep: [/shown] }, allow: [{ scopes: [tools:write], when: [{ argument: /forbidden, absent: true }] }] }`,
    },
    settings: { store: redis.url, 'audit-fsync': 'always' },
    environment: {
      ACME_KEY: secret('url'),
      ACME_TOKEN: secret('upstream-token'),
      OTEL_TRACES_EXPORTER: 'console',
      OTEL_METRICS_EXPORTER: 'console',
      OTEL_METRIC_EXPORT_INTERVAL: '200',
      OTEL_METRIC_EXPORT_TIMEOUT: '100',
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_LOG_LEVEL: 'debug',
    },
  })
})
afterAll(async () => {
  await gateway.stop()
  await Promise.all([mint.close(), redis.stop(), upstream.close()])
})

/** A raw request whose answer is of no interest to anybody but the search. */
function raw(bytes: string): Promise<string> {
  return new Promise(resolve => {
    let answer = ''
    const socket = connect(Number(new URL(gateway.origin).port), '127.0.0.1', () => socket.end(bytes))
    socket.setEncoding('utf8').on('data', text => {
      answer += text
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer))
  })
}

async function dumpOf(server: RedisServer): Promise<string> {
  const keys = await server.client.keys('*')
  const values = await Promise.all(keys.map(key => server.client.hgetallBuffer(key).catch(() => server.client.getBuffer(key))))
  expect(keys.length).toBeGreaterThan(2)
  return `${keys.join('\n')}\n${values
    .flatMap(value => (value === null ? [] : Buffer.isBuffer(value) ? [value] : Object.values(value)))
    .map(value => value.toString('latin1'))
    .join('\n')}`
}

//
it('no secret is in anything the gateway writes, keeps, or says to anybody else', async () => {
  const claims = { sub: 'ann', api_key: secret('claim'), email: `${secret('mail')}@example.com` }
  const token = gateway.token('tools:read tools:write', claims)
  const headers = {
    cookie: `session=${secret('cookie')}`,
    dpop: secret('dpop'),
    'x-api-key': secret('header'),
    'x-tenant': secret('forwarded'),
    'mcp-param-unknown': secret('param'),
    'user-agent': secret('agent'),
    'x-forwarded-for': secret('forwarded-for'),
  }
  const args = { shown: 'visible', region: secret('region'), password: secret('argument'), [secret('key')]: { deep: [secret('deep')] } }
  const meta = {
    progressToken: secret('progress'),
    'com.example/secret': secret('meta'),
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    tracestate: `vendor=${secret('tracestate')}`,
    baggage: `k=${secret('baggage')}`,
  }
  const options = { token, id: secret('id'), meta, headers: { ...headers, 'mcp-param-region': secret('region') } }

  // Its own caller may see what it sent and what the upstream said to it; everybody else's answers are searched.
  const answers: OnCall[] = [
    ({ message }, response) =>
      void response.setHeader('content-type', 'application/json').end(JSON.stringify(final(message.id, secret('result')))),
    ({ message }, response) => {
      eventHead(response)
      const given = (message.params._meta as { readonly progressToken: unknown }).progressToken
      writeEvent(response, progress(given, 1, secret('progress-message')))
      writeEvent(response, final(message.id, secret('result')))
      response.end()
    },
    ({ message }, response) => {
      const error = { code: -32000, message: secret('upstream-error'), data: { trace: secret('upstream-data') } }
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id: message.id, error }))
    },
    (_request, response) => void response.writeHead(500, { 'x-debug': secret('upstream-header') }).end(secret('upstream-page')),
    (_request, response) => void response.writeHead(302, { location: `https://x.example/?t=${secret('location')}` }).end(),
    (_request, response) => void response.writeHead(401, { 'www-authenticate': `Bearer realm="${secret('challenge')}"` }).end(),
    (_request, response) => void response.setHeader('content-type', 'application/json').end(`{"${secret('broken')}`),
    (_request, response) => void response.socket?.destroy(),
  ]
  for (const [index, answer] of answers.entries()) {
    onCall = answer
    for (const tool of ['read', 'write']) {
      const call = await streamCall(gateway.url, `acme__${tool}`, {
        ...options,
        args,
        headers: { ...options.headers, 'idempotency-key': `${secret('idempotency')}-${tool}-${index}` },
      })
      await call.text()
    }
  }
  expect(upstream.calls).toHaveLength(2 * answers.length)
  expect(upstream.calls[0]?.headers).toMatchObject({ authorization: `Bearer ${secret('upstream-token')}`, 'x-tenant': secret('forwarded') })

  // Calls that are refused on the way, for each reason the caller can bring about with a secret in hand.
  onCall = answers[0] as OnCall
  await gateway.call('acme__write', { ...args, forbidden: secret('forbidden') }, options)
  await gateway.call('acme__write', { ...args, shown: 7 }, options)
  await gateway.call('acme__write', args, { ...options, headers: { ...options.headers, 'mcp-param-region': secret('other') } })
  await gateway.call('acme__write', args, { ...options, headers: { ...options.headers, 'idempotency-key': `${secret('bad key')}` } })
  await gateway.call(`x\n${INJECTED}\n`, args, { ...options, headers: { ...headers, 'mcp-name': '' } })
  await gateway.call(`x${INJECTED}`, args, { ...options, headers })
  await gateway.send(secret('method'), {}, options)
  await gateway.send('tools/list', { cursor: secret('cursor') }, options)
  const strangers = [
    await gateway.call('acme__read', args, { ...options, token: secret('token') }),
    await gateway.call('acme__read', args, { ...options, token: `${token.slice(0, -4)}AAAA` }),
    await gateway.call('acme__read', args, { ...options, token: null }),
    await gateway.post(`{"jsonrpc":"2.0","id":1,"method":"x","${secret('json')}`, { authorization: `Bearer ${token}`, ...headers }),
  ].map(({ text, headers: answered }) => `${text}\n${JSON.stringify([...answered])}`)
  const host = new URL(gateway.origin).host
  strangers.push(
    await raw(`GET /mcp?access_token=${secret('query')} HTTP/1.1\r\nHost: ${host}\r\n\r\n`),
    await raw(`GET /${secret('path')} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
    await raw(`GET /mcp HTTP/1.1\r\nHost: user:${secret('host')}@x\r\nConnection: close\r\n\r\n`),
    await raw(
      `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nOrigin: https://user:${secret('origin')}@x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    ),
    await raw(`${secret('garbage')} \x01\r\n\r\n`),
    await raw(`POST /mcp HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: ${secret('coding')}\r\n\r\n`),
    (await gateway.send('tools/list', {}, { token: gateway.token('tools:read', { sub: 'bob' }) })).text,
    (await gateway.readyz()).text,
  )

  const metrics = await (await fetch(`${gateway.adminUrl}/metrics`)).text()
  const dump = await dumpOf(redis)
  await eventually(() => gateway.stdout.includes('tools/call'))
  gateway.child.kill('SIGTERM')
  expect(await gateway.exited).toBe(0)
  const trail = gateway.trail()

  const evidence: Readonly<Record<string, string>> = {
    stdout: gateway.stdout,
    stderr: gateway.stderr,
    audit: trail.map(record => JSON.stringify(record)).join('\n'),
    metrics,
    redis: dump,
    strangers: strangers.join('\n'),
  }
  const [, payload = '', signature = ''] = token.split('.')
  for (const [where, text] of Object.entries(evidence)) {
    expect({ where, found: text.match(new RegExp(`.{0,80}${CANARY}.{0,40}`, 'i'))?.[0] }).toEqual({ where, found: undefined })
    expect({ where, token: text.includes(payload) || text.includes(signature) }).toEqual({ where, token: false })
    for (const line of text.split('\n')) expect(line.trim()).not.toBe(INJECTED)
  }
  for (const name of ['tools/call write', 'wicketgate.decisions']) expect(evidence.stdout).toContain(name)
  // What policy keeps is there, so the search looked in the right place; and each line is one record of the documented form.
  expect(evidence.audit).toContain('visible')
  for (const record of trail) expect(faultsOf(record)).toEqual([])
  expect(trail.filter(({ kind }) => kind === 'request').length).toBeGreaterThan(30)
})
