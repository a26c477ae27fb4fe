import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ErrorCode } from '../../src/core/errors.ts'
import type { JsonObject } from '../../src/core/json.ts'
import type { Answer } from '../support/gateway.ts'
import { type Scene, startScene, TOOLS } from '../support/scene.ts'
import { openSession, type TestSession } from '../support/session.ts'
import { text } from '../support/upstream-stub.ts'

/** The same request of the same person, as a modern caller and in a session: one decision, whatever form it is told in. */

const limited = 'limit: { calls: 1, per: 1h, by: client }'
const POLICY = `  send: { effect: write, allow: [{ scopes: [tools:write] }] }
  read: { effect: read, allow: [{ scopes: [tools:read] }] }
  wipe: { effect: destructive, discoverable: true, allow: [{ scopes: [tools:admin] }] }
  guarded: { effect: read, allow: [{ scopes: [tools:read], when: [{ argument: /n, in: [1, 2] }] }] }
  often: { effect: read, allow: [{ scopes: [tools:read] }], ${limited} }
  paid: { effect: write, allow: [{ scopes: [tools:write] }], idempotency: { key: header, required: true } }
  shaped: { effect: read, allow: [{ scopes: [tools:read] }] }
prompts:
  brief: { allow: [{ scopes: [tools:read] }] }
  rare: { allow: [{ scopes: [tools:read] }], ${limited} }
resources:
  'doc://*': { allow: [{ scopes: [tools:read] }] }`
const object = { type: 'object' }
const SCHEMA = { type: 'object', properties: { n: { type: 'integer' } } }
const MORE = [
  { name: 'guarded', inputSchema: SCHEMA },
  { name: 'often', inputSchema: object },
  { name: 'unsaid', inputSchema: object },
  { name: 'paid', inputSchema: object },
  { name: 'shaped', inputSchema: object, outputSchema: { ...SCHEMA, required: ['n'] } },
]
const STUB = {
  prompts: [{ name: 'brief', arguments: [{ name: 'topic', required: true }] }, { name: 'rare' }],
  resources: [{ uri: 'doc://one', name: 'one' }],
}

let scene: Scene
beforeAll(async () => {
  scene = await startScene({
    tools: [...TOOLS, ...MORE],
    policy: POLICY,
    stub: STUB,
    limits: 'listsPerMinute: 10000, failedAuthPerMinute: 10000',
  })
})
afterAll(() => scene.close())
afterEach(() => {
  scene.upstream.onCall = () => text('done')
  scene.gateway.trail.sink.fail(false)
})

interface Asked {
  readonly method: string
  readonly params: JsonObject
  readonly headers?: Record<string, string>
  readonly scope?: string
}
type Ask = (asked: Asked) => Promise<Answer>

const modern =
  (client: string): Ask =>
  ({ method, params, headers = {}, scope = 'tools:read tools:write' }) =>
    scene.gateway.send(method, params, { headers, token: scene.gateway.token(scope, { client_id: client }) })

const inASession = async (client: string): Promise<Ask> => {
  const token = scene.gateway.token('tools:read tools:write', { client_id: client })
  const session: TestSession = await openSession(scene.gateway, { token })
  return ({ method, params, headers = {}, scope = 'tools:read tools:write' }) =>
    session.send(method, params, { headers, token: scene.gateway.token(scope, { client_id: client }) })
}

const call = (name: string, args: JsonObject = {}, more: Partial<Asked> = {}): Asked => ({
  method: 'tools/call',
  params: { name: `acme__${name}`, arguments: args },
  ...more,
})
const key = (value: string): Partial<Asked> => ({ headers: { 'idempotency-key': value } })
/** Bytes of an answer that is none. */
const nonsense = () => {
  scene.upstream.onCall = (_, response) => void response.writeHead(500).end()
}

const DECISIONS: readonly [code: ErrorCode | 'OK', what: string, asked: Asked | readonly Asked[], prepare?: () => void][] = [
  ['OK', 'a call that is allowed', call('read')],
  ['CATALOG_UNKNOWN_TOOL', 'a tool that is not there', call('none')],
  ['CATALOG_UNKNOWN_PROMPT', 'a prompt that is not there', { method: 'prompts/get', params: { name: 'acme__none' } }],
  ['CATALOG_UNKNOWN_RESOURCE', 'a resource that is not there', { method: 'resources/read', params: { uri: 'acme+file:///x' } }],
  ['AUTH_SCOPE_INSUFFICIENT', 'a tool for another scope', call('wipe')],
  ['CATALOG_UNKNOWN_TOOL', 'a tool that policy does not name', call('unsaid')],
  ['POLICY_REFUSED', 'arguments that policy refuses', call('guarded', { n: 5 })],
  ['VALIDATION_ARGUMENTS', 'arguments that do not fit', call('send', { to: 7 })],
  ['VALIDATION_ARGUMENTS', 'arguments of a prompt that do not fit', { method: 'prompts/get', params: { name: 'acme__brief' } }],
  ['MCP_PARAMS_INVALID', 'a call without a name', { method: 'tools/call', params: {} }],
  ['MCP_PARAMS_INVALID', 'a cursor that is none', { method: 'tools/list', params: { cursor: 'x' } }],
  ['LIMITS_EXCEEDED', 'a call too many', [call('often'), call('often')]],
  ['LIMITS_EXCEEDED', 'a prompt too many', [prompt('rare'), prompt('rare')]],
  ['IDEMPOTENCY_KEY_REQUIRED', 'a call without its key', call('paid')],
  ['IDEMPOTENCY_KEY_INVALID', 'a key that is none', call('paid', {}, key(''))],
  ['IDEMPOTENCY_MISMATCH', 'a key of another call', [call('paid', { a: 1 }, key('k1')), call('paid', { a: 2 }, key('k1'))]],
  ['OK', 'a key of the same call', [call('paid', { a: 1 }, key('k2')), call('paid', { a: 1 }, key('k2'))]],
  ['UPSTREAM_INVALID', 'an answer that is none', call('read'), nonsense],
  ['IDEMPOTENCY_UNKNOWN', 'a call whose outcome is not known', [call('paid', {}, key('k3')), call('paid', {}, key('k3'))], nonsense],
  [
    'OK',
    'a result that is withheld',
    call('shaped'),
    () => {
      scene.upstream.onCall = () => ({ content: [], structuredContent: { n: 'x' } })
    },
  ],
  ['AUDIT_UNAVAILABLE', 'an effect that cannot be recorded', call('send', { to: 'a' }), () => scene.gateway.trail.sink.fail(true)],
]

function prompt(name: string): Asked {
  return { method: 'prompts/get', params: { name: `acme__${name}` } }
}

describe.each(DECISIONS)('%s: %s', (code, _, asked, prepare) => {
  it('is decided alike', async () => {
    const all: readonly Asked[] = 'method' in asked ? [asked] : asked
    const id = `${code} ${all.length} ${JSON.stringify(asked).length}`
    const decisions: object[] = []
    for (const ask of [modern(`${id} modern`), await inASession(`${id} session`)]) {
      prepare?.()
      let answer: Answer | undefined
      for (const one of all) answer = await ask(one)
      scene.gateway.trail.sink.fail(false)
      const said = spoken(answer)
      if (code === 'AUDIT_UNAVAILABLE') {
        decisions.push({ outcome: said.code })
        continue
      }
      const { outcome, detail, rule, effect, effectStatus, idempotency, withheld, resultType, limit, pin } = scene.gateway.trail.last()
      decisions.push({ outcome, detail, rule, effect, effectStatus, idempotency, withheld, resultType, limit, pin, said })
    }
    expect(decisions[1]).toEqual(decisions[0])
    expect(decisions[0]).toMatchObject({ outcome: code })
  })
})

/** What a program reads in an answer, without what only one era has. */
function spoken(answer: Answer | undefined): Record<string, unknown> {
  const { result, error } = answer?.json ?? {}
  const refusal = (result?._meta as Record<string, Record<string, unknown>> | undefined)?.['dev.wicketgate/refusal'] ?? error?.data ?? {}
  const { errorId: _, retryAfterMs, ...rest } = refusal
  const words = result?.content?.[0]?.text ?? error?.message
  return { ...rest, isDelayed: retryAfterMs !== undefined, isError: result?.isError, words: words?.replace(/\d+ (m?s|min)/, 'N') }
}

describe('what one era has used up, or has done, the other knows', () => {
  it.each(['modern first', 'session first'])('%s', async order => {
    const client = `both-${order.length}`
    const eras = [modern(client), await inASession(client)]
    const [first, second] = order === 'modern first' ? eras : eras.reverse()
    if (first === undefined || second === undefined) throw new Error('there are two eras')
    expect(spoken(await first(call('often'))).isError).not.toBe(true)
    expect(spoken(await second(call('often')))).toMatchObject({ code: 'LIMITS_EXCEEDED' })

    const before = scene.upstream.calls.length
    const answers = [await first(call('paid', { a: 1 }, key(client))), await second(call('paid', { a: 1 }, key(client)))]
    expect(scene.upstream.calls.length - before).toBe(1)
    expect(answers.map(({ json }) => json.result?.content)).toEqual([[{ type: 'text', text: 'done' }], [{ type: 'text', text: 'done' }]])
    expect(answers[1]?.json.result?._meta).toMatchObject({ 'dev.wicketgate/replay': true })
    expect(spoken(await second(call('paid', { a: 2 }, key(client))))).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' })
  })
})

it('where the store is lost, sessions begin and read; what needs a record of it is refused, a session or not', async () => {
  const settings = { store: 'redis://127.0.0.1:9', secret: 'ab'.repeat(32) }
  const lost = await startScene({ tools: [...TOOLS, ...MORE], policy: POLICY, stub: STUB, settings })
  try {
    const session = await openSession(lost.gateway)
    expect((await session.send('tools/list')).json.result).toHaveProperty('tools')
    expect((await session.call('acme__read')).json.result).toMatchObject({ content: [{ text: 'done' }] })
    const refused = { code: 'STORE_UNAVAILABLE', notProcessed: true }
    const key = { 'idempotency-key': 'k' }
    for (const ask of [lost.gateway.call, session.call]) {
      expect(spoken(await ask('acme__paid', {}, { headers: key }))).toMatchObject(refused)
      expect(lost.gateway.trail.last()).toMatchObject({ outcome: 'STORE_UNAVAILABLE', effectStatus: 'not_started' })
    }
    expect(spoken(await session.send('logging/setLevel', { level: 'info' }))).toMatchObject(refused)
    expect(spoken(await session.send('resources/subscribe', { uri: 'acme+doc://one' }))).toMatchObject(refused)
  } finally {
    await lost.close()
  }
})
