import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createGate, eventually } from '../support/eventually.ts'
import { startGateway, type TestGateway } from '../support/gateway.ts'
import { type RedisServer, startRedis } from '../support/redis.ts'
import { type OnCall, startUpstreamStub, text, type UpstreamStub } from '../support/upstream-stub.ts'

const anything = { type: 'object' }
const TOOLS = `  read: { effect: read, allow: [{ scopes: [tools:read] }] }
  write: { effect: write, allow: [{ scopes: [tools:write] }] }
  other: { effect: write, allow: [{ scopes: [tools:write] }] }
  strict: { effect: write, idempotency: { key: header, required: true }, allow: [{ scopes: [tools:write] }] }
  derived: { effect: write, idempotency: { key: derived }, allow: [{ scopes: [tools:write] }] }`

const SHOWN = { audience: 'the model' }
const key = (value: string) => ({ headers: { 'idempotency-key': value } })

describe.each(['memory', 'redis'] as const)('one effect for one key, with the %s store', store => {
  let redis: RedisServer | undefined
  let upstream: UpstreamStub
  let gateway: TestGateway
  let onCall: OnCall
  let ran = 0
  beforeAll(async () => {
    redis = store === 'redis' ? await startRedis() : undefined
    const names = ['read', 'write', 'other', 'strict', 'derived']
    upstream = await startUpstreamStub(
      names.map(name => ({ name, inputSchema: anything })),
      (request, response) => onCall(request, response),
    )
    gateway = await startGateway({
      upstreams: { acme: upstream.url },
      tools: { acme: TOOLS },
      ...(redis && { settings: { store: redis.url, secret: 'ab'.repeat(32) } }),
    })
    await eventually(async () => (await gateway.gateway.readiness()).ok)
  })
  afterAll(async () => {
    await gateway.close()
    await upstream.close()
    await redis?.stop()
  })
  beforeEach(() => {
    upstream.calls.length = 0
    onCall = () => {
      ran += 1
      return { ...(text(`run ${ran}`) as object), _meta: { shown: SHOWN } }
    }
  })
  const ranSince = () => upstream.calls.length

  //
  it('the second gets the first’s answer, under its own id and marked as a replay', async () => {
    const first = await gateway.call('acme__write', { n: 1 }, { ...key('a86'), id: 'one' })
    const second = await gateway.call('acme__write', { n: 1 }, { ...key('a86'), id: 2 })
    expect(ranSince()).toBe(1)
    expect(second.json.id).toBe(2)
    expect(second.json.result?.content).toEqual(first.json.result?.content)
    expect(second.json.result?._meta).toMatchObject({ shown: SHOWN, 'dev.wicketgate/replay': true })
    expect(first.json.result?._meta).not.toHaveProperty('dev.wicketgate/replay')
    expect(gateway.trail.last()).toMatchObject({ outcome: 'OK', idempotency: 'replay', effectStatus: 'committed' })
  })

  //
  it('with another argument or another tool is a mismatch', async () => {
    await gateway.call('acme__write', { n: 1 }, key('a88'))
    for (const [tool, args] of [
      ['write', { n: 2 }],
      ['write', {}],
      ['other', { n: 1 }],
    ] as const) {
      const answer = await gateway.call(`acme__${tool}`, args, key('a88'))
      expect(answer.status).toBe(422)
      expect(answer.json.error).toMatchObject({ code: 4221, data: { code: 'IDEMPOTENCY_MISMATCH', notProcessed: true } })
    }
    expect(ranSince()).toBe(1)
  })

  it('of another caller is another key', async () => {
    for (const claims of [{}, { sub: 'bob' }, { org: 'globex' }, { client_id: 'other-agent' }]) {
      const answer = await gateway.call('acme__write', {}, { ...key('a88b'), token: gateway.token(undefined, claims) })
      expect(answer.json.result?._meta).not.toHaveProperty('dev.wicketgate/replay')
    }
    expect(ranSince()).toBe(4)
  })

  it('with arguments in another order, another progress token or the key in _meta is the same call', async () => {
    await gateway.call('acme__write', { a: 1, b: [1, 2] }, key('a88c'))
    const again = [
      await gateway.call('acme__write', { b: [1, 2], a: 1 }, { ...key('a88c'), meta: { progressToken: 'x' } }),
      await gateway.call('acme__write', { a: 1, b: [1, 2] }, { meta: { 'dev.wicketgate/idempotencyKey': 'a88c' } }),
    ]
    for (const answer of again) expect(answer.json.result?._meta).toMatchObject({ 'dev.wicketgate/replay': true })
    expect(ranSince()).toBe(1)
  })

  it('that is still running is busy, and 49 that come meanwhile run nothing', async () => {
    const gate = createGate()
    onCall = async () => {
      await gate.opened
      return text('once')
    }
    const first = gateway.call('acme__write', {}, key('busy'))
    await eventually(() => ranSince() === 1)
    const others = await Promise.all(Array.from({ length: 49 }, () => gateway.call('acme__write', {}, key('busy'))))
    for (const { status, json, headers } of others) {
      expect(status).toBe(409)
      expect(json.error).toMatchObject({ code: 4091, data: { code: 'IDEMPOTENCY_BUSY' } })
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    }
    gate.open()
    expect((await first).json.result).toMatchObject({ content: [{ text: 'once' }] })
    expect(ranSince()).toBe(1)
  })

  it('whose call failed in an unknown way stays unknown, and is not run again', async () => {
    onCall = (_request, response) => void response.socket?.destroy()
    expect((await gateway.call('acme__write', {}, key('lost'))).json.error?.data).toMatchObject({ effect: 'unknown' })
    const again = await gateway.call('acme__write', {}, key('lost'))
    expect(again.status).toBe(409)
    expect(again.json.error).toMatchObject({ code: 4092, data: { code: 'IDEMPOTENCY_UNKNOWN', effect: 'unknown' } })
    expect(ranSince()).toBe(1)
  })

  it('whose call was certainly not made may be used again', async () => {
    onCall = (_request, response) => void response.writeHead(429).end()
    expect((await gateway.call('acme__write', {}, key('again'))).json.error?.data).toMatchObject({ notProcessed: true })
    onCall = () => text('now')
    expect((await gateway.call('acme__write', {}, key('again'))).json.result).toMatchObject({ content: [{ text: 'now' }] })
  })

  it('whose tool reported an error gets that error again', async () => {
    onCall = () => ({ ...(text('no such ticket') as object), isError: true })
    for (let turn = 0; turn < 2; turn++) {
      expect((await gateway.call('acme__write', {}, key('tool-error'))).json.result).toMatchObject({ isError: true })
    }
    expect(ranSince()).toBe(1)
  })

  it('that is required and missing is asked for before anything is sent', async () => {
    const answer = await gateway.call('acme__strict')
    expect(answer.status).toBe(400)
    expect(answer.json.error).toMatchObject({ code: 4001, data: { notProcessed: true } })
    expect(ranSince()).toBe(0)
  })

  it('that is derived is told apart by arguments alone, in words a model reads', async () => {
    onCall = (_request, response) => void response.socket?.destroy()
    await gateway.call('acme__derived', { n: 1 }, key('x'))
    const again = await gateway.call('acme__derived', { n: 1 }, key('y'))
    expect(again.status).toBe(200)
    expect(again.json.result).toMatchObject({ isError: true, _meta: { 'dev.wicketgate/refusal': { code: 'IDEMPOTENCY_UNKNOWN' } } })
    expect(ranSince()).toBe(1)
  })
})
