import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Scene, startScene } from '../support/scene.ts'
import { sendEvents, text } from '../support/upstream-stub.ts'

/** What must keep working, however strict everything else becomes. */

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())
beforeEach(() => {
  scene.upstream.onCall = () => text('done')
})

const passes = async (body: string, headers: Record<string, string | undefined> = {}) => {
  const answer = await scene.raw({ body, headers })
  expect({ status: answer.status, body: answer.json }).toMatchObject({
    status: 200,
    body: { result: { content: [{ type: 'text', text: 'done' }] } },
  })
  return scene.upstream.calls.at(-1)?.message.params.arguments
}

describe('a good call', () => {
  it('passes as it is', async () => {
    expect(await passes(scene.body())).toEqual({ to: 'a@b.c', region: 'eu' })
  })

  it('passes with its members in another order, and white space between them', async () => {
    const { jsonrpc, id, method, params } = JSON.parse(scene.body()) as Record<string, unknown>
    const { name, arguments: args, _meta } = params as Record<string, unknown>
    expect(await passes(JSON.stringify({ params: { _meta, arguments: args, name }, method, id, jsonrpc }, undefined, 2))).toEqual(args)
  })

  it.each([
    ['emoji', '👩‍👩‍👧‍👦 🏳️‍🌈'],
    ['text that runs from right to left', 'שלום مرحبا'],
    ['combining marks', 'e\u0301 n\u0303 \u1e69'],
    ['an escaped pair of surrogates', '\u{1f600}'],
    ['control characters', '\u0000\u0001\u007f'],
    ['line separators', '\u2028\u2029\r\n'],
  ])('passes with %s in its arguments', async (_, to) => {
    expect(await passes(scene.body({}, { arguments: { to, region: 'eu' } }))).toEqual({ to, region: 'eu' })
  })

  it('passes with arguments nested sixty levels deep', async () => {
    let note: unknown = 1
    for (let level = 0; level < 60; level++) note = level % 2 === 0 ? [note] : { a: note }
    expect(await passes(scene.body({}, { arguments: { to: 'a', region: 'eu', note } }))).toEqual({ to: 'a', region: 'eu', note })
  })

  it('passes with the largest safe integers', async () => {
    for (const count of [9007199254740991, -9007199254740991]) {
      expect(await passes(scene.body({ id: count }, { arguments: { to: 'a', region: 'eu', count } }))).toMatchObject({ count })
    }
  })

  it('passes with empty arguments, and without any', async () => {
    const headers = { 'Mcp-Name': 'acme__read', 'Mcp-Param-Region': undefined }
    for (const args of [{}, undefined]) expect(await passes(scene.body({}, { name: 'acme__read', arguments: args }), headers)).toEqual({})
  })
})

describe('an upstream', () => {
  it('may answer in JSON, with members that nobody knows [REQ-HTTP-ANSWER-TYPE] [REQ-RESULT-TYPE]', async () => {
    const result = { content: [{ type: 'text', text: 'x', annotations: { audience: ['user'] } }], structuredContent: { a: [1] }, zz: true }
    scene.upstream.onCall = () => ({ ...result, _meta: { 'com.example/x': 1 } })
    const answer = await scene.raw()
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(answer.json.result).toMatchObject({ ...result, resultType: 'complete', _meta: { 'com.example/x': 1 } })
  })

  it('may answer as an event stream, with progress on the way [REQ-HTTP-ANSWER-TYPE] [REQ-PROGRESS-TOKEN]', async () => {
    scene.upstream.onCall = ({ message }, response) => {
      const { progressToken } = message.params._meta as { readonly progressToken: unknown }
      sendEvents(response, [
        { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress: 1, total: 2 } },
        { jsonrpc: '2.0', id: message.id, result: { content: [] } },
      ])
    }
    const answer = await scene.gateway.call('acme__read', {}, { meta: { progressToken: 'mine' }, id: 'x' })
    expect(answer.headers.get('content-type')).toBe('text/event-stream')
    const events = answer.text
      .split('\n\n')
      .filter(Boolean)
      .map(event => JSON.parse(event.replace('data: ', '')) as unknown)
    expect(events).toMatchObject([
      { params: { progressToken: 'mine', progress: 1, total: 2 } },
      { id: 'x', result: { resultType: 'complete' } },
    ])
  })

  it('may say no in its own words: a tool error is not ours', async () => {
    scene.upstream.onCall = () => ({ isError: true, content: [{ type: 'text', text: 'no such mailbox' }] })
    expect((await scene.raw()).json.result).toMatchObject({ isError: true, content: [{ text: 'no such mailbox' }] })
    expect(scene.gateway.trail.last()).toMatchObject({ outcome: 'OK', resultType: 'isError' })
  })

  it('may answer with a protocol error: the caller reads it under its own id [REQ-ERROR-CODES]', async () => {
    scene.upstream.onCall = ({ message }, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, error: { code: -32055, message: 'theirs', data: { a: 1 } } }))
    }
    const answer = await scene.raw({ body: scene.body({ id: 'mine' }) })
    expect(answer).toMatchObject({ status: 200, json: { id: 'mine', error: { code: -32603, message: 'theirs', data: { a: 1 } } } })
  })
})

describe('server/discover', () => {
  it('is our own answer [REQ-DISCOVER] [REQ-CACHE-HINTS] [REQ-TOOLS-CAPABILITY]', async () => {
    const { json } = await scene.gateway.send('server/discover')
    expect(json.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'],
      capabilities: { tools: {} },
      cacheScope: 'private',
      ttlMs: expect.any(Number),
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'wicketgate' } },
    })
  })
})
