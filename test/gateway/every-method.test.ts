import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { ask, asked, METHODS, startSceneOfAll } from '../support/every-method.ts'
import { META, MODERN, type SendOptions } from '../support/gateway.ts'
import { expectRefused } from '../support/refused.ts'
import type { Scene } from '../support/scene.ts'
import { type OnCall, type SeenRequest, sendResult } from '../support/upstream-stub.ts'

/** What holds for each method that asks an upstream. */

const MAX = 12 * 1024 * 1024
const answer: OnCall = ({ message: { method, params } }) => {
  const { result, whoseOf } = asked(method)
  return { resultType: 'complete', ...result(whoseOf(params)) }
}

let scene: Scene
beforeAll(async () => {
  scene = await startSceneOfAll({
    gatewayYaml: `http: { maxBodyBytes: ${MAX} }`,
    limits: 'listsPerMinute: 10000, requestsPerMinute: 10000, failedAuthPerMinute: 10000',
  })
})
afterAll(() => scene.close())
beforeEach(() => {
  scene.upstream.calls.length = 0
  scene.upstream.onCall = answer
})

const send = (method: string, who: string, options: SendOptions = {}) => scene.gateway.send(method, asked(method).params(who), options)
const withId = (method: string, id: unknown): string =>
  JSON.stringify({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), method, params: { ...asked(method).params('a'), _meta: META } })
const postAs = (method: string, body: string) => {
  const name = asked(method).named('a')
  return scene.gateway.post(body, {
    authorization: `Bearer ${scene.gateway.token()}`,
    'mcp-protocol-version': MODERN,
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': name }),
  })
}

describe.each(METHODS)('%s', method => {
  it('B77 is answered under the very id it had, however many ask at once [REQ-RPC-ID-ECHO]', async () => {
    const ids = [1, '1', '001', 'init-1', 0, -1, '', 9007199254740991, '\u{1f600}']
    const answers = await Promise.all(ids.map((id, index) => send(method, `caller${index}`, { id })))
    for (const [index, { status, json, text }] of answers.entries()) {
      expect([status, json.id]).toEqual([200, ids[index]])
      expect([...new Set(text.match(/caller\d+/g))]).toEqual([`caller${index}`])
    }
    const upstreamIds = scene.upstream.calls.map(({ message }) => message.id)
    expect(new Set(upstreamIds).size).toBe(ids.length)
    expect(upstreamIds.every(id => Number.isSafeInteger(id))).toBe(true)
  })

  it.each([null, 1.5, 1e300, true, [1], {}])('B77 is refused under what is no id: %j', async id => {
    await expectRefused(scene, 'MCP_INVALID_REQUEST', () => postAs(method, withId(method, id)))
  })

  it('without an id is a notification, and there is no such one', async () => {
    await expectRefused(scene, 'MCP_METHOD_NOT_FOUND', () => postAs(method, withId(method, undefined)))
  })

  it('whose caller leaves before there is an answer is cancelled at the upstream [REQ-CANCEL-DISCONNECT]', async () => {
    let upstreamSide: ServerResponse | undefined
    scene.upstream.onCall = (_request, response) => {
      upstreamSide = response
    }
    const left = new AbortController()
    const leaving = send(method, 'a', { signal: left.signal }).catch(() => undefined)
    await eventually(() => upstreamSide !== undefined)
    left.abort()
    await leaving
    await eventually(() => upstreamSide?.closed === true)
    await eventually(() => scene.gateway.trail.requests().at(-1)?.outcome === 'CALLER_GONE')
    expect(scene.gateway.trail.last()).toMatchObject({ method, cancelled: true })
  })

  it('that is cancelled with a message goes on: a caller cancels by leaving', async () => {
    scene.upstream.onCall = async (asking, response) => {
      const cancelled = await scene.gateway.post('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}', {
        authorization: `Bearer ${scene.gateway.token()}`,
        'mcp-protocol-version': MODERN,
      })
      expect([cancelled.status, cancelled.text]).toEqual([202, ''])
      return answer(asking, response)
    }
    expect((await send(method, 'a')).json.result).toMatchObject({ resultType: 'complete' })
  })

  it.each([
    [
      'half of an answer',
      (response: ServerResponse) => response.writeHead(200, { 'content-type': 'application/json', 'content-length': 900 }),
    ],
    ['half of an answer in chunks', (response: ServerResponse) => response.writeHead(200, { 'content-type': 'application/json' })],
  ])('of which the upstream brings %s is a 502 under its id', async (_, head) => {
    scene.upstream.onCall = ({ message }, response) => {
      head(response)
      response.write(`{"jsonrpc":"2.0","id":${message.id},"result":{`, () => response.socket?.destroy())
    }
    const { status, json } = await send(method, 'a', { id: 'mine' })
    expect(status).toBe(502)
    expect(json).toMatchObject({ id: 'mine', error: { code: -32603, data: { code: 'UPSTREAM_INVALID' } } })
    expect(json.error?.data).not.toHaveProperty('effect')
  })

  it('passes whole when more than 4 MiB go each way, as far as the configuration lets it', async () => {
    const large = method === 'resources/read' ? 'a' : 'x'.repeat(5 * 1024 * 1024)
    const long = 'y'.repeat(5 * 1024 * 1024)
    scene.upstream.onCall = ({ message }, response) => {
      expect(asked(method).whoseOf(message.params)).toBe(large)
      sendResult(response, message.id, { resultType: 'complete', ...asked(method).result('a'), zz: long })
    }
    const { status, json } = await send(method, large)
    expect([status, json.error]).toEqual([200, undefined])
    expect(json.result?.zz).toBe(long)
    expect(scene.gateway.trail.last()).toMatchObject({ outcome: 'OK' })
  })

  it('of more than the configuration lets in is not read', async () => {
    const body = withId(method, 1)
    const { status } = await postAs(method, body.replace(/}$/, `,"zz":"${'x'.repeat(MAX)}"}`)).catch(() => ({ status: 413 }))
    expect(status).toBe(413)
    expect(scene.upstream.calls).toEqual([])
  })
})

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const PROTOCOL = 'io.modelcontextprotocol'

describe.each(METHODS)('the _meta of %s', method => {
  it('on its way up keeps the trace and what third parties put there; the rest is ours', async () => {
    await send(method, 'a', {
      meta: {
        traceparent: TRACEPARENT,
        tracestate: 'vendor=1',
        baggage: 'secret=1',
        progressToken: 'p',
        'com.example/x': { deep: [1, { y: null }] },
        plain: 'text',
        [`${PROTOCOL}/clientInfo`]: { name: 'caller', version: '9' },
        [`${PROTOCOL}/logLevel`]: 'debug',
        [`${PROTOCOL}/subscriptionId`]: 'forged',
        [`${PROTOCOL}/unheard-of`]: 1,
        'com.mcp.tools/x': 1,
        'dev.wicketgate/refusal': { code: 'X' },
      },
    })
    const [{ message }] = scene.upstream.calls as [SeenRequest]
    const { progressToken, ...meta } = message.params._meta as Record<string, unknown>
    expect(progressToken).toBe(message.id)
    expect(meta).toEqual({
      [`${PROTOCOL}/protocolVersion`]: MODERN,
      [`${PROTOCOL}/clientInfo`]: { name: 'wicketgate', version: expect.any(String) },
      [`${PROTOCOL}/clientCapabilities`]: {},
      [`${PROTOCOL}/logLevel`]: 'debug',
      traceparent: TRACEPARENT,
      tracestate: 'vendor=1',
      'com.example/x': { deep: [1, { y: null }] },
      plain: 'text',
    })
  })

  it('on its way up has no trace that is none', async () => {
    for (const traceparent of [TRACEPARENT.toUpperCase(), '00-0-0-01', 5, { a: 1 }]) {
      await send(method, 'a', { meta: { traceparent, tracestate: 'vendor=1' } as never })
    }
    for (const { body } of scene.upstream.calls) expect(body).not.toMatch(/trace(parent|state)/)
    expect(scene.upstream.calls).toHaveLength(4)
  })

  it('on its way down keeps what third parties put there, digit for digit; the rest is ours', async () => {
    const theirs = `"com.example/y":{"n":9007199254740993,"list":[1.5]},"plain":"é"`
    scene.upstream.onCall = ({ message }, response) => {
      const members = JSON.stringify(asked(method).result('a')).slice(1, -1)
      const reserved = `"${PROTOCOL}/serverInfo":{"name":"evil","version":"1"},"${PROTOCOL}/subscriptionId":1,"com.mcp.x/y":1,"traceparent":"${TRACEPARENT}","dev.wicketgate/replay":true,"dev.wicketgate/refusal":{"notProcessed":true}`
      response.setHeader('content-type', 'application/json')
      response.end(`{"jsonrpc":"2.0","id":${message.id},"result":{${members},"_meta":{${reserved},${theirs}}}}`)
    }
    const { text, json } = await send(method, 'a')
    expect(text).toContain(theirs)
    expect(json.result?._meta).toEqual({
      [`${PROTOCOL}/serverInfo`]: { name: 'wicketgate', version: expect.any(String) },
      // Of what reaches a model, not of helps to fill in a form.
      ...(method !== 'completion/complete' && { 'dev.wicketgate/source': { alias: 'acme', pin: expect.stringMatching(/^p1:/) } }),
      'com.example/y': expect.anything(),
      plain: 'é',
    })
  })

  it('of its notifications likewise', async () => {
    scene.upstream.onCall = ({ message }, response) => {
      const { progressToken } = message.params._meta as Record<string, unknown>
      const meta = { 'com.example/z': 1, [`${PROTOCOL}/subscriptionId`]: 1, traceparent: TRACEPARENT }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress: 1, _meta: meta } }
      const final = { jsonrpc: '2.0', id: message.id, result: { resultType: 'complete', ...asked(method).result('a') } }
      response.end(`data: ${JSON.stringify(progress)}\n\ndata: ${JSON.stringify(final)}\n\n`)
    }
    const stream = await ask(scene, method, 'a', { meta: { progressToken: 'p' } })
    expect(await stream.next()).toMatchObject({ params: { progressToken: 'p', _meta: { 'com.example/z': 1 } } })
    expect(stream.seen).not.toMatch(/subscriptionId|traceparent/)
    await stream.rest()
  })
})

describe('requests of our own', () => {
  it('have the _meta of a client: version, name, capabilities', () => {
    const { lists, discovers } = scene.upstream
    expect(new Set(lists.map(({ message }) => message.method)).size).toBe(4)
    for (const { message, headers } of [...lists, ...discovers]) {
      expect(message.params._meta).toEqual({
        [`${PROTOCOL}/protocolVersion`]: MODERN,
        [`${PROTOCOL}/clientInfo`]: { name: 'wicketgate', version: expect.any(String) },
        [`${PROTOCOL}/clientCapabilities`]: expect.anything(),
      })
      expect(headers['mcp-protocol-version']).toBe(MODERN)
    }
  })
})
