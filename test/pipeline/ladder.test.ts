import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Trace } from '../../src/audit/index.ts'
import { systemClock } from '../../src/core/clock.ts'
import { ERRORS, type ErrorCode } from '../../src/core/errors.ts'
import { LADDER, type Rung } from '../../src/pipeline/ladder.ts'
import type { Answer } from '../support/gateway.ts'
import { expectRefused } from '../support/refused.ts'
import { type Scene, startScene, TOOLS } from '../support/scene.ts'
import { openSession } from '../support/session.ts'

const POLICY = `  send:
    effect: write
    allow: [{ scopes: [tools:write] }]
    limit: { calls: 1, per: 1h, by: client }
    idempotency: { key: header, required: true }
  read: { effect: read, allow: [{ scopes: [tools:read] }] }
  wipe: { effect: destructive, discoverable: true, allow: [{ scopes: [tools:admin] }] }
  broken: { effect: write, allow: [{ scopes: [tools:admin] }] }
  shaped: { effect: write, allow: [{ scopes: [tools:write] }] }`
const SHAPED = {
  name: 'shaped',
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
}
/** Its schema cannot be enforced, so nobody can have approved it. */
const BROKEN = { name: 'broken', inputSchema: { type: 'object', properties: { a: { $ref: '#/nowhere' } } } }
const MAX_BODY = 8192

let scene: Scene
beforeAll(async () => {
  scene = await startScene({
    policy: POLICY,
    tools: [...TOOLS, SHAPED, BROKEN],
    gatewayYaml: `http: { maxBodyBytes: ${MAX_BODY} }\n`,
    serve: { clock: createRisingClock() },
  })
})
afterAll(() => scene.close())

/** No two readings are equal, so that what began first has the smaller time. */
function createRisingClock() {
  let readings = 0
  return { now: systemClock.now, monotonicMs: () => systemClock.monotonicMs() + ++readings / 1000 }
}

describe('the traced order of a real call', () => {
  const traced = async (send: () => Promise<Answer>): Promise<string[]> => {
    const { audit } = scene.gateway.gateway.rooms()
    const { begin } = audit
    const order: string[] = []
    audit.begin = facts => {
      order.push('http')
      return listen(begin(facts), order)
    }
    try {
      expect((await send()).status).toBe(200)
    } finally {
      audit.begin = begin
    }
    return order
  }
  // The second look at HTTP (method and size) is Fastify's own, between two hooks; the pairs below hold its place.
  const steps = LADDER.map(({ step }) => step).filter((step, index) => step !== 'http' || index === 0)

  it('equals the ladder', async () => {
    expect(await traced(() => call('ladder', 'order'))).toEqual(steps.filter(step => step !== 'sessions'))
  })

  it('equals it in a session, too', async () => {
    const session = await openSession(scene.gateway, { token: scene.gateway.token(undefined, { client_id: 'ladder-session' }) })
    const send = () => session.call('acme__send', { to: 'a', region: 'eu' }, { headers: { 'idempotency-key': 'order' } })
    // What its message says is read before its session, and noted once that is known.
    expect((await traced(send)).filter(step => step !== 'mcp')).toEqual(steps.filter(step => step !== 'mcp'))
    expect(Object.keys(scene.gateway.trail.last().latencyUs as object)).toEqual([
      'total',
      ...steps.filter(step => step !== 'http' && step !== 'mcp'),
    ])
  })

  it('is written down with a time for each step that was taken, and for no other', async () => {
    await call('ladder-times', 'times')
    const taken = LADDER.map(({ step }) => step).filter(step => step !== 'http' && step !== 'mcp' && step !== 'sessions')
    expect(Object.keys(scene.gateway.trail.last().latencyUs as object)).toEqual(['total', ...taken])
    await scene.raw({ body: scene.body({}, { name: 'acme__none' }), headers: { 'Mcp-Name': 'acme__none' } })
    expect(Object.keys(scene.gateway.trail.last().latencyUs as object)).toEqual(['total', 'auth', 'catalog'])
  })
})

/** Notes each step as it begins, on the trace that the product itself made. */
function listen(trace: Trace, order: string[]): Trace {
  const { step, message } = trace
  trace.step = (name, run) => {
    order.push(name)
    return step.call(trace, name, run) as ReturnType<Trace['step']> as never
  }
  trace.message = facts => {
    // First what it asks for, then, once its version and `_meta` are judged, the rest: the rung is behind it then.
    if (facts.protocolVersion !== undefined) order.push('mcp')
    message.call(trace, facts)
  }
  return trace
}

/** A good call of the limited tool by a client of its own. */
const call = (
  client: string,
  key: string | undefined,
  { args, scope, requestState }: { readonly args?: object; readonly scope?: string; readonly requestState?: string } = {},
): Promise<Answer> =>
  scene.raw({
    headers: { Authorization: `Bearer ${scene.gateway.token(scope, { client_id: client })}`, 'Idempotency-Key': key },
    body: scene.body({}, { ...(args && { arguments: args }), requestState }),
  })
const named = (name: string, args: object = {}): object => ({
  headers: { 'Mcp-Name': `acme__${name}`, 'Mcp-Param-Region': undefined },
  body: scene.body({}, { name: `acme__${name}`, arguments: args }),
})

const inNoSession = (body: string): Promise<Answer> =>
  scene.gateway.post(body, { authorization: `Bearer ${scene.gateway.token()}`, 'mcp-session-id': 'w1.none' })

interface Pair {
  readonly first: Rung['step']
  readonly second: Rung['step']
  readonly code: ErrorCode
  readonly what: string
  readonly send: () => Promise<Answer>
  readonly calls?: number
}

const PAIRS: readonly Pair[] = [
  {
    first: 'http',
    second: 'auth',
    code: 'HTTP_ORIGIN_REFUSED',
    what: 'a hostile page without a token',
    send: () => scene.raw({ headers: { Origin: 'https://evil.example', Authorization: undefined } }),
  },
  {
    first: 'auth',
    second: 'http',
    code: 'AUTH_TOKEN_MISSING',
    what: 'a stranger with a body that is too large',
    send: () => scene.raw({ headers: { Authorization: undefined, 'Content-Length': String(MAX_BODY * 2) }, body: '{' }),
  },
  {
    first: 'http',
    second: 'mcp',
    code: 'HTTP_BODY_TOO_LARGE',
    what: 'a body that is too large and no JSON',
    send: () => scene.raw({ body: 'x'.repeat(MAX_BODY + 1) }),
  },
  {
    first: 'mcp',
    second: 'sessions',
    code: 'MCP_INVALID_REQUEST',
    what: 'a message that is none, in a session that is none of ours',
    send: () => inNoSession('{"jsonrpc":"1.0","id":1,"method":"ping"}'),
  },
  {
    first: 'sessions',
    second: 'catalog',
    code: 'SESSION_UNKNOWN',
    what: 'a tool that does not exist, in a session that is none of ours',
    send: () => inNoSession('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"acme__none"}}'),
  },
  {
    first: 'catalog',
    second: 'policy',
    code: 'CATALOG_UNKNOWN_TOOL',
    what: 'a tool that cannot be approved, by a caller without its scope',
    send: () => scene.raw(named('broken')),
  },
  {
    first: 'policy',
    second: 'validation',
    code: 'AUTH_SCOPE_INSUFFICIENT',
    what: 'arguments that do not fit, by a caller without the scope',
    send: () => call('policy', 'k', { args: { nothing: true }, scope: 'tools:read' }),
  },
  {
    first: 'validation',
    second: 'state',
    code: 'VALIDATION_ARGUMENTS',
    what: 'arguments that do not fit, with a state that is none of ours',
    send: () => call('validation', 'k', { args: { nothing: true }, requestState: 'forged' }),
  },
  {
    first: 'state',
    second: 'limits',
    code: 'STATE_INVALID',
    what: 'a state that is none of ours, by a caller over the limit',
    send: async () => {
      await call('state', 'k')
      return call('state', 'k2', { requestState: 'forged' })
    },
    calls: 1,
  },
  {
    first: 'limits',
    second: 'idempotency',
    code: 'LIMITS_EXCEEDED',
    what: 'a call without its key, by a caller over the limit',
    send: async () => {
      await call('limits', 'k')
      return call('limits', undefined)
    },
    calls: 1,
  },
  {
    first: 'idempotency',
    second: 'audit',
    code: 'IDEMPOTENCY_KEY_REQUIRED',
    what: 'a call without its key, while nothing can be recorded',
    send: () => whileTrailFails(() => call('idempotency', undefined)),
  },
  {
    first: 'audit',
    second: 'upstream',
    code: 'AUDIT_UNAVAILABLE',
    what: 'a call of a server that would answer nonsense, while nothing can be recorded',
    send: () => {
      scene.upstream.onCall = (_, response) => void response.writeHead(500).end()
      return whileTrailFails(() => call('audit', 'k'))
    },
  },
  {
    first: 'upstream',
    second: 'result',
    code: 'UPSTREAM_INVALID',
    what: 'an answer under another id whose result does not fit either',
    send: () => {
      scene.upstream.onCall = (_, response) => {
        response.setHeader('content-type', 'application/json')
        response.end('{"jsonrpc":"2.0","id":999999,"result":{"content":[],"structuredContent":{"n":"x"}}}')
      }
      return scene.raw(named('shaped'))
    },
    calls: 1,
  },
]

describe('a request that fails two neighbouring rungs is refused by the first', () => {
  it.each(PAIRS)('$first before $second: $what', async ({ code, send, calls = 0 }) => {
    const upstreamBefore = scene.upstream.calls.length
    const answer = await send()
    expect(codeOf(answer)).toBe(code)
    expect(scene.upstream.calls.length - upstreamBefore).toBe(calls)
    if (code !== 'AUDIT_UNAVAILABLE' && code !== 'IDEMPOTENCY_KEY_REQUIRED')
      expect(scene.gateway.trail.last()).toMatchObject({ outcome: code })
  })

  it('for every pair there is', () => {
    const neighbours = LADDER.slice(1).map((rung, index) => `${LADDER[index]?.step} ${rung.step}`)
    expect(PAIRS.map(({ first, second }) => `${first} ${second}`)).toEqual(neighbours)
  })

  it('and each pair shows a code that its first rung is said to refuse with', () => {
    PAIRS.forEach(({ code }, index) => void expect(LADDER[index]?.refuses).toContain(code))
  })
})

async function whileTrailFails(send: () => Promise<Answer>): Promise<Answer> {
  scene.gateway.trail.sink.fail(true)
  try {
    return await send()
  } finally {
    scene.gateway.trail.sink.fail(false)
  }
}

/** An answer's code, wherever its form of delivery puts it. */
function codeOf({ json }: Answer): unknown {
  const refusal = json.result?._meta as Record<string, { readonly code?: unknown }> | undefined
  const error = json.error as
    | { readonly code?: unknown; readonly message?: string; readonly data?: { readonly code?: unknown } }
    | undefined
  // These answers are the same whatever the reason, and so carry no code of ours.
  if (error?.message?.startsWith(ERRORS.CATALOG_UNKNOWN_TOOL.text)) return 'CATALOG_UNKNOWN_TOOL'
  if (error?.message === ERRORS.STATE_INVALID.text) return 'STATE_INVALID'
  return refusal?.['dev.wicketgate/refusal']?.code ?? error?.data?.code ?? error?.code
}

describe('within the first rung', () => {
  it.each([
    ['HTTP_HOST_REFUSED', { Host: 'evil.example', Origin: 'https://evil.example' }],
    ['HTTP_ORIGIN_REFUSED', { Origin: 'https://evil.example', Authorization: ['Bearer a', 'Bearer b'] }],
    ['HTTP_HEADER_DUPLICATE', { Authorization: ['Bearer a', 'Bearer b'], 'Content-Type': 'text/plain' }],
    ['HTTP_MEDIA_TYPE', { 'Content-Type': 'text/plain', Authorization: undefined }],
  ] as const)('%s comes before what follows it', async (code, headers) => {
    await expectRefused(scene, code, () => scene.raw({ headers }))
  })
})
