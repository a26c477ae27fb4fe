import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import type { Answer } from '../support/gateway.ts'
import type { OnCall } from '../support/upstream-stub.ts'
import { final, startWire, type WireScene } from '../wire/scene.ts'

let scene: WireScene
let elsewhere: WireScene
let onCall: OnCall
beforeAll(async () => {
  scene = await startWire((request, response) => onCall(request, response))
  elsewhere = await startWire(() => undefined)
})
afterAll(() => Promise.all([scene.close(), elsewhere.close()]))
beforeEach(() => {
  scene.upstream.calls.length = 0
})

const JSON_TYPE = { 'content-type': 'application/json' }
const HTML = '<html><body>upstream-secret-4711</body></html>'
type Write = (response: ServerResponse, id: number) => void
const json = (body: (id: number) => string | Buffer, status = 200, headers = {}): Write => {
  return (response, id) => void response.writeHead(status, { ...JSON_TYPE, ...headers }).end(body(id))
}
const good = (id: unknown): string => JSON.stringify(final(id))
const evil = {
  'www-authenticate': 'Bearer resource_metadata="https://evil.example/.well-known/oauth-protected-resource"',
  'set-cookie': 'session=evil',
  'clear-site-data': '"*"',
  location: 'https://evil.example/',
  'x-evil': 'evil',
  'access-control-allow-origin': '*',
}

/** Nothing of an upstream's headers or body may be in what the caller gets. */
function expectNothingOfIt({ headers, text }: Answer): void {
  const shown = `${text}\n${[...headers].map(pair => pair.join(': ')).join('\n')}`
  expect(shown).not.toMatch(/evil|upstream-secret|html/i)
  for (const name of ['www-authenticate', 'set-cookie', 'clear-site-data', 'location']) expect(headers.get(name)).toBeNull()
}

// A-79, B05, B85: each is executed once, and the caller is told whether the call may have had an effect.
describe('an answer that is none', () => {
  const INVALID = [502, 'UPSTREAM_INVALID', { effect: 'unknown' }] as const
  const AUTH = [502, 'UPSTREAM_AUTH_REQUIRED', { notProcessed: true }] as const
  const cases: Readonly<Record<string, readonly [Write, readonly [status: number, code: string, data: object]]>> = {
    '401 with a challenge': [json(() => HTML, 401, evil), AUTH],
    '401 with a JSON-RPC result': [json(good, 401, evil), AUTH],
    '403 insufficient_scope': [json(() => '{}', 403, { 'www-authenticate': 'Bearer error="insufficient_scope", scope="evil"' }), AUTH],
    '301 to elsewhere': [(response, id) => void response.writeHead(301, { location: elsewhere.upstream.url }).end(good(id)), INVALID],
    '302 to a metadata service': [response => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end(), INVALID],
    '307 with a good body': [json(good, 307, { location: 'https://evil.example/' }), INVALID],
    '429': [
      response => void response.writeHead(429, { 'retry-after': '7' }).end(HTML),
      [503, 'UPSTREAM_UNREACHABLE', { notProcessed: true, retryAfterMs: 7000 }],
    ],
    '500 with a page': [response => void response.writeHead(500, { 'content-type': 'text/html', ...evil }).end(HTML), INVALID],
    '500 with a good body': [json(good, 500), INVALID],
    '200 with a page': [response => void response.writeHead(200, { 'content-type': 'text/html', ...evil }).end(HTML), INVALID],
    '204': [response => void response.writeHead(204).end(), INVALID],
    '202': [response => void response.writeHead(202).end(), INVALID],
    'an empty body': [json(() => ''), INVALID],
    'no media type': [(response, id) => void response.writeHead(200).end(good(id)), INVALID],
    'two media types': [
      (response, id) =>
        void response
          .writeHead(200, [
            ['content-type', 'application/json'],
            ['content-type', 'text/html'],
          ])
          .end(good(id)),
      INVALID,
    ],
    'a media type that only begins like JSON': [
      (response, id) => void response.writeHead(200, { 'content-type': 'application/json-seq' }).end(good(id)),
      INVALID,
    ],
    'a stream under another status': [
      (response, id) => void response.writeHead(500, { 'content-type': 'text/event-stream' }).end(`data: ${good(id)}\n\n`),
      INVALID,
    ],
    'a truncated body': [json(id => good(id).slice(0, -2)), INVALID],
    'duplicate keys': [json(id => good(id).replace('"id":', `"id":${id},"id":`)), INVALID],
    'duplicate keys deep inside': [json(id => good(id).replace('"text":', '"text":"x","text":')), INVALID],
    'a byte order mark': [json(id => `\ufeff${good(id)}`), INVALID],
    'bytes that are not UTF-8': [json(id => Buffer.from(good(id).replace('done', '\xff'), 'latin1')), INVALID],
    'the wrong id': [json(id => good(id + 1)), INVALID],
    'the id as text': [json(id => good(String(id))), INVALID],
    'no id': [json(() => '{"jsonrpc":"2.0","result":{}}'), INVALID],
    'a batch': [json(id => `[${good(id)}]`), INVALID],
    'a result and an error': [json(id => `{"jsonrpc":"2.0","id":${id},"result":{},"error":{"code":1,"message":"x"}}`), INVALID],
    'neither result nor error': [json(id => `{"jsonrpc":"2.0","id":${id}}`), INVALID],
    'a notification': [json(() => '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}'), INVALID],
    'a result that is a list': [json(id => `{"jsonrpc":"2.0","id":${id},"result":[]}`), INVALID],
    'a question that asks nothing': [json(id => `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"input_required"}}`), INVALID],
    'a task nobody can follow': [
      json(
        id =>
          `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"task","taskId":"t","status":"working","createdAt":"x","lastUpdatedAt":"x","ttlMs":null}}`,
      ),
      INVALID,
    ],
    'a result of a type nobody knows': [json(id => `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"maybe"}}`), INVALID],
  }
  it.each(Object.keys(cases))('%s', async name => {
    const [write, [status, code, data]] = cases[name] as (typeof cases)[string]
    onCall = ({ message }, response) => write(response, message.id)
    const answer = await scene.gateway.call('acme__write', {}, { id: 'mine' })
    expect(answer.status).toBe(status)
    expect(answer.json).toMatchObject({ id: 'mine', error: { code: -32603, data: { code, ...data } } })
    if (!('effect' in data)) expect(answer.json.error?.data).not.toHaveProperty('effect')
    expectNothingOfIt(answer)
    expect(scene.upstream.calls).toHaveLength(1)
    expect(elsewhere.upstream.calls).toHaveLength(0)
    expect(scene.gateway.trail.last()).toMatchObject({ outcome: code, effectStatus: 'effect' in data ? 'unknown' : 'not_started' })
  })

  it('because it has two media types is told apart from a broken connection', async () => {
    onCall = ({ message }, response) => {
      const types = [
        ['content-type', 'application/json'],
        ['content-type', 'application/json'],
      ]
      response.writeHead(200, types as never).end(good(message.id))
    }
    await scene.gateway.call('acme__read')
    expect(scene.gateway.trail.last()).toMatchObject({ outcome: 'UPSTREAM_INVALID', detail: { reason: 'media_type' } })
  })

  it('says nothing of effects when the tool only reads', async () => {
    onCall = (_request, response) => void response.writeHead(500).end(HTML)
    const answer = await scene.gateway.call('acme__read')
    expect(answer.json.error?.data).toMatchObject({ code: 'UPSTREAM_INVALID' })
    expect(answer.json.error?.data).not.toHaveProperty('effect')
  })
})

describe('a good answer', () => {
  it('comes without any of the upstream’s headers', async () => {
    onCall = ({ message }, response) => json(good, 200, evil)(response, message.id)
    const answer = await scene.gateway.call('acme__read')
    expect(answer.status).toBe(200)
    expectNothingOfIt(answer)
  })

  it('is taken as JSON with any parameter and in any case', async () => {
    onCall = ({ message }, response) =>
      void response.writeHead(200, { 'content-type': 'Application/JSON; Charset=UTF-8' }).end(good(message.id))
    expect((await scene.gateway.call('acme__read')).json.result).toMatchObject({ content: [{ text: 'done' }] })
  })

  it('that is an error of the server’s own reaches the caller with its code and words', async () => {
    onCall = ({ message }, response) =>
      json(
        () => JSON.stringify({ jsonrpc: '2.0', id: message.id, error: { code: -32602, message: 'no such ticket', data: { ticket: 7 } } }),
        400,
      )(response, message.id)
    const answer = await scene.gateway.call('acme__write', {}, { id: 'mine' })
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({ jsonrpc: '2.0', id: 'mine', error: { code: -32602, message: 'no such ticket', data: { ticket: 7 } } })
  })
})

// B05
describe('an upstream that refuses our credential for its list', () => {
  it('is named in the trail, and its tools become stale, not empty', async () => {
    scene.upstream.onList = (_request, response) => void response.writeHead(401, evil).end(HTML)
    onCall = ({ message }, response) =>
      json(() => JSON.stringify({ jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'gone' } }))(response, message.id)
    await scene.gateway.call('acme__read')
    await eventually(() => scene.gateway.trail.records().some(({ event }) => event === 'upstream.stale'))
    expect(scene.gateway.trail.records().find(({ event }) => event === 'upstream.stale')).toMatchObject({
      detail: { alias: 'acme', reason: 'UPSTREAM_AUTH_REQUIRED' },
    })
    expect((await scene.gateway.send('tools/list')).text).toContain('"acme__write"')
    scene.upstream.onList = undefined
  })

  it.each([
    ['a redirect', 302],
    ['a server error', 500],
  ])('%s is no list, however good its body', async (_name, status) => {
    scene.upstream.onList = ({ message }, response) =>
      json(id => JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete', tools: [] } }), status)(response, message.id)
    await expect(scene.gateway.gateway.rooms().upstream.fetchList('acme', 'tool', undefined, 'shared')).rejects.toMatchObject({
      code: 'UPSTREAM_INVALID',
    })
    scene.upstream.onList = undefined
  })
})
