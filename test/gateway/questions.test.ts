import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene } from '../support/scene.ts'
import { type SeenRequest, text } from '../support/upstream-stub.ts'

const POLICY = `  send: { effect: write, allow: [{ scopes: [tools:write] }] }
  read: { effect: read, allow: [{ scopes: [tools:read] }] }
prompts:
  review: { allow: [{ scopes: [tools:read] }] }
resources:
  "file:///a": { allow: [{ scopes: [tools:read] }] }`

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const able = (capabilities: JsonObject): JsonObject => ({ [CAPABILITIES]: capabilities })
const FORM = able({ elicitation: {} })
const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const ask = (message = 'Which city?', more: object = {}): JsonObject => ({
  method: 'elicitation/create',
  params: { mode: 'form', message, requestedSchema: SCHEMA, ...more } as JsonObject,
})
const ACCEPT = { q: { action: 'accept', content: { city: 'Bern' } } }

let scene: Scene
beforeAll(async () => {
  scene = await startScene({
    policy: POLICY,
    stub: { prompts: [{ name: 'review' }], resources: [{ uri: 'file:///a', name: 'a' }] },
    limits: 'listsPerMinute: 100000, requestsPerMinute: 100000',
  })
})
afterAll(() => scene.close())
beforeEach(() => {
  scene.upstream.onCall = askFirst()
})

/** Asks one question, then answers; its state is what a server would want back unchanged. */
function askFirst(inputRequests: object = { q: ask() }, requestState: string | undefined = 'inner state') {
  return ({ message }: SeenRequest): unknown =>
    message.params.inputResponses === undefined
      ? { resultType: 'input_required', inputRequests, requestState }
      : text(JSON.stringify([message.params.inputResponses, message.params.requestState]))
}

const call = (params: JsonObject = {}, options: object = {}) =>
  scene.gateway.send('tools/call', { name: 'acme__read', arguments: { id: 1 }, ...params }, { meta: FORM, ...options })
const stateOf = (answer: { json: { result?: Record<string, unknown> } }) => String(answer.json.result?.requestState)

describe('a question of an upstream', () => {
  it('[REQ-MRTR] reaches the caller with the name of who asks, and its answer comes back with the state it belongs to', async () => {
    const first = await call()
    expect(first.json.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: {
        q: { method: 'elicitation/create', params: { mode: 'form', message: '[acme] Which city?', requestedSchema: SCHEMA } },
      },
      requestState: expect.stringMatching(/^w1\.[^.]+\.[A-Za-z0-9_-]+$/),
    })
    expect(first.text).not.toContain('inner state')
    expect(scene.gateway.trail.last()).toMatchObject({ outcome: 'OK', resultType: 'input_required' })
    const second = await call({ inputResponses: ACCEPT, requestState: stateOf(first) }, { id: 2 })
    expect(second.json).toMatchObject({ id: 2, result: { resultType: 'complete' } })
    expect(second.json.result?.content?.[0]?.text).toBe(JSON.stringify([ACCEPT, 'inner state']))
    expect(scene.gateway.trail.last()).toMatchObject({ outcome: 'OK', leg: 1, resultType: 'result' })
  })

  it.each([
    ['prompts/get', { name: 'acme__review' }, { messages: [] }],
    ['resources/read', { uri: 'acme+file:///a' }, { contents: [] }],
  ] as const)('may be asked on %s too', async (method, params, result) => {
    scene.upstream.onCall = ({ message }) =>
      message.params.inputResponses === undefined
        ? { resultType: 'input_required', inputRequests: { q: ask() } }
        : { resultType: 'complete', ...result }
    const first = await scene.gateway.send(method, params, { meta: FORM })
    expect(first.json.result).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) })
    expect(first.json.result).not.toHaveProperty('ttlMs')
    const second = await scene.gateway.send(method, { ...params, inputResponses: ACCEPT, requestState: stateOf(first) }, { meta: FORM })
    expect(second.json.result).toMatchObject({ resultType: 'complete', ...result })
    // No state was given, so none comes back to the server.
    expect(scene.upstream.calls.at(-1)?.message.params).not.toHaveProperty('requestState')
  })

  it('may not be asked on anything else', async () => {
    scene.upstream.onCall = () => ({ resultType: 'input_required', inputRequests: { q: ask() } })
    const params = { ref: { type: 'ref/prompt', name: 'acme__review' }, argument: { name: 'x', value: '' } }
    const answer = await scene.gateway.send('completion/complete', params, { meta: FORM })
    expect(answer.json.error).toBeDefined()
  })

  it('may be asked again, up to eight times', async () => {
    scene.upstream.onCall = ({ message }) => ({
      resultType: 'input_required',
      inputRequests: { q: ask() },
      requestState: `${message.params.requestState ?? ''}x`,
    })
    let answer = await call()
    for (let leg = 1; leg < 8; leg += 1) {
      answer = await call({ inputResponses: ACCEPT, requestState: stateOf(answer) })
      expect(answer.json.result?.resultType, `leg ${leg}`).toBe('input_required')
    }
    expect(scene.upstream.calls.at(-1)?.message.params.requestState).toBe('xxxxxxx')
    const last = await call({ inputResponses: ACCEPT, requestState: stateOf(answer) })
    expect(last.json.result).toMatchObject({ isError: true, _meta: { 'dev.wicketgate/refusal': { code: 'VALIDATION_QUESTION' } } })
    expect(scene.gateway.trail.last()).toMatchObject({ outcome: 'VALIDATION_QUESTION' })
  })

  it.each([
    ['nothing', {}, {}],
    ['forms', { elicitation: {} }, { elicitation: { form: {} } }],
    ['forms and URLs', { elicitation: { form: {}, url: {} } }, { elicitation: { form: {}, url: {} } }],
    ['sampling and roots, which are off', { sampling: {}, roots: {}, experimental: { x: {} }, extensions: { 'com.example/x': {} } }, {}],
  ])('is only asked for what the caller can and policy lets: %s', async (_, declared, expected) => {
    await call({}, { meta: able(declared as JsonObject) })
    const meta = scene.upstream.calls.at(-1)?.message.params._meta as Record<string, unknown>
    const passed = { ...(meta[CAPABILITIES] as object) } as Record<string, unknown>
    // The tasks extension is another matter.
    delete passed.extensions
    expect(passed).toEqual(expected)
  })

  it.each([
    ['a form to who has none', ask(), {}],
    [
      'a URL to who has only forms',
      { method: 'elicitation/create', params: { mode: 'url', message: 'm', url: 'http://127.0.0.1/x' } },
      { elicitation: {} },
    ],
    ['sampling, which is off', { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } }, { sampling: {} }],
    ['roots, which are off', { method: 'roots/list' }, { roots: {} }],
    ['something else', { method: 'tools/call', params: {} }, { elicitation: {} }],
    [
      'for a password',
      ask('x', { requestedSchema: { type: 'object', properties: { password: { type: 'string' } } } }),
      { elicitation: {} },
    ],
    ['for an apiKey', ask('x', { requestedSchema: { type: 'object', properties: { apiKey: { type: 'string' } } } }), { elicitation: {} }],
    ['for an otp', ask('x', { requestedSchema: { type: 'object', properties: { otp: { type: 'string' } } } }), { elicitation: {} }],
    [
      'a URL elsewhere',
      { method: 'elicitation/create', params: { mode: 'url', message: 'm', url: 'https://evil.example/x' } },
      { elicitation: { url: {} } },
    ],
    [
      'a URL with a name in front',
      { method: 'elicitation/create', params: { mode: 'url', message: 'm', url: 'https://bank.com@evil.example' } },
      { elicitation: { url: {} } },
    ],
    [
      'a URL in punycode',
      { method: 'elicitation/create', params: { mode: 'url', message: 'm', url: 'https://xn--80ak6aa92e.com/' } },
      { elicitation: { url: {} } },
    ],
  ])('A-111 is not passed on when it is %s', async (_, question, declared) => {
    scene.upstream.onCall = askFirst({ q: question })
    const answer = await call({}, { meta: able(declared as JsonObject) })
    expect(answer.json.result).toMatchObject({ isError: true, _meta: { 'dev.wicketgate/refusal': { code: 'VALIDATION_QUESTION' } } })
    expect(answer.text).not.toMatch(/evil|password|apiKey|xn--/)
    expect(scene.gateway.trail.last()).toMatchObject({ outcome: 'VALIDATION_QUESTION' })
  })

  it('that an upstream must ask, and this caller cannot answer, is told as the specification says', async () => {
    scene.upstream.onCall = ({ message }, response) => {
      response.writeHead(400, { 'content-type': 'application/json' })
      const error = { code: -32021, message: 'needs it', data: { requiredCapabilities: { elicitation: { form: {} } } } }
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, error }))
    }
    const answer = await call({}, { meta: {} })
    expect(answer.status).toBe(400)
    expect(answer.json.error).toEqual({
      code: -32021,
      message: 'Missing required client capability',
      data: { requiredCapabilities: { elicitation: { form: {} } } },
    })
    expect(scene.gateway.trail.last()).toMatchObject({ outcome: 'MCP_CAPABILITY_MISSING' })
  })
})

describe('A-107 a state', () => {
  const refused = (params: JsonObject, options: object = {}) =>
    expectRefused(scene, 'STATE_INVALID', () => call(params, options), { id: 1 })

  it("of another caller, tool or argument, or none of ours, is refused in the same words, and the tool's server hears nothing", async () => {
    const { token } = scene.gateway
    const state = stateOf(await call())
    const good = { inputResponses: ACCEPT, requestState: state }
    const answers = [
      await refused(good, { token: token(undefined, { sub: 'somebody-else' }) }),
      await refused({ ...good, arguments: { id: 2 } }),
      await refused({ ...good, requestState: `${state.slice(0, -2)}AA` }),
      await refused({ ...good, requestState: 'inner state' }),
      await refused({ ...good, requestState: '' }),
      await expectRefused(
        scene,
        'STATE_INVALID',
        () => scene.gateway.send('prompts/get', { name: 'acme__review', ...good }, { meta: FORM }),
        { id: 1 },
      ),
    ]
    expect(new Set(answers.map(answer => answer.text)).size).toBe(1)
    expect((await call(good)).json.result?.resultType).toBe('complete')
  })

  it('A-108 works once where there is an effect, and no oftener when it is sent twice at once', async () => {
    const send = (params: JsonObject) =>
      scene.gateway.send('tools/call', { name: 'acme__send', arguments: { to: 'x' }, ...params }, { meta: FORM })
    const first = await send({})
    expect(scene.gateway.trail.last()).toMatchObject({ effectStatus: 'in_progress' })
    const good = { inputResponses: ACCEPT, requestState: stateOf(first) }
    const before = scene.upstream.calls.length
    const answers = await Promise.all([send(good), send(good), send(good)])
    expect(answers.filter(({ json }) => json.result?.resultType === 'complete')).toHaveLength(1)
    expect(answers.filter(({ json }) => json.error?.code === -32602)).toHaveLength(2)
    expect(scene.upstream.calls.length - before).toBe(1)
    await expectRefused(scene, 'STATE_INVALID', () => send(good), { id: 1 })
  })
})
