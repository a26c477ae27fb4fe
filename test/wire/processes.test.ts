import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createGate, eventually } from '../support/eventually.ts'
import { type GatewayProcess, type ProcessOptions, startGatewayProcess } from '../support/gateway-process.ts'
import { freePort } from '../support/ports.ts'
import { type RedisServer, startRedis } from '../support/redis.ts'
import { startTokenMint, type TokenMint } from '../support/tokens.ts'
import { type OnCall, startUpstreamStub, text, type UpstreamStub } from '../support/upstream-stub.ts'

const anything = { type: 'object' }
const TOOLS = `  read: { effect: read, limit: { calls: 1000, per: 1s }, allow: [{ scopes: [tools:read] }] }
  write: { effect: write, allow: [{ scopes: [tools:write] }] }
  limited: { effect: write, limit: { calls: 1000, per: 1s }, allow: [{ scopes: [tools:write] }] }`

let mint: TokenMint
let redis: RedisServer
let upstream: UpstreamStub
let onCall: OnCall
const running: GatewayProcess[] = []
beforeAll(async () => {
  mint = await startTokenMint()
  redis = await startRedis()
  upstream = await startUpstreamStub(
    ['read', 'write', 'limited'].map(name => ({ name, inputSchema: anything })),
    (request, response) => onCall(request, response),
  )
})
afterEach(async () => {
  await Promise.all(running.splice(0).map(gateway => gateway.stop()))
  upstream.calls.length = 0
})
afterAll(async () => {
  await Promise.all([mint.close(), redis.stop(), upstream.close()])
})

async function start(options: Partial<ProcessOptions> = {}): Promise<GatewayProcess> {
  const gateway = await startGatewayProcess({
    storeTimeoutMs: 30_000,
    mint,
    upstreams: { acme: upstream.url },
    tools: { acme: TOOLS },
    ...options,
    settings: { store: redis.url, ...options.settings },
  })
  running.push(gateway)
  return gateway
}

const key = (value: string) => ({ headers: { 'idempotency-key': value } })

describe('two gateways before one upstream, with one Redis', () => {
  //
  it('run one effect for 50 parallel calls with one key', async () => {
    const [a, b] = [await freePort(), await freePort()]
    const publicOrigin = `http://127.0.0.1:${a}`
    const gatewayYaml = `pins: { onFirstUse: trust }\nhttp: { hosts: ["127.0.0.1:${a}", "127.0.0.1:${b}"] }`
    const first = await start({ port: a, publicOrigin, gatewayYaml })
    const second = await start({ port: b, publicOrigin, folder: first.folder })
    const gate = createGate()
    onCall = async () => {
      await gate.opened
      return text('once')
    }
    const pending = Array.from({ length: 50 }, (_, index) =>
      (index % 2 === 0 ? first : second).call('acme__write', { n: 1 }, { ...key('a87'), id: index }),
    )
    await eventually(() => upstream.calls.length > 0)
    // Most are refused while the first one runs; whoever comes later gets the replay.
    setTimeout(gate.open, 100)
    const answers = await Promise.all(pending)
    const kinds = answers.map(({ status, json, headers }, index) => {
      expect(json.id).toBe(index)
      if (status === 409) {
        expect(json.error).toMatchObject({ code: 4091 })
        expect(headers.get('retry-after')).not.toBeNull()
        return 'busy'
      }
      expect(json.result).toMatchObject({ content: [{ text: 'once' }] })
      return Object.hasOwn(json.result?._meta ?? {}, 'dev.wicketgate/replay') ? 'replay' : 'run'
    })
    expect(kinds.filter(kind => kind === 'run')).toHaveLength(1)
    expect(upstream.calls).toHaveLength(1)
    const later = await second.call('acme__write', { n: 1 }, key('a87'))
    expect(later.json.result?._meta).toMatchObject({ 'dev.wicketgate/replay': true })
    expect(upstream.calls).toHaveLength(1)
  })
})

describe('a gateway that is killed', () => {
  //
  it('after the upstream has the call leaves an unknown effect, which is not run again', async () => {
    const gate = createGate()
    onCall = async () => {
      await gate.opened
      return text('too late')
    }
    const port = await freePort()
    const first = await start({ port })
    const cut = first.call('acme__write', { n: 1 }, key('a89')).catch((error: Error) => error)
    await eventually(() => upstream.calls.length === 1)
    first.child.kill('SIGKILL')
    expect(await cut).toBeInstanceOf(Error)
    const intents = first.trail().filter(({ kind }) => kind === 'intent')
    expect(intents).toHaveLength(1)
    gate.open()

    const second = await start({ port, folder: first.folder })
    const early = await second.call('acme__write', { n: 1 }, key('a89'))
    // Until the dead process's lease is over it may still be running, for all that anybody knows.
    expect([4091, 4092]).toContain(early.json.error?.code)
    // The lease is half a minute; here its end is brought forward.
    for (const name of await redis.client.keys('*:record:*')) await redis.client.hset(name, 'l', '1')
    const later = await second.call('acme__write', { n: 1 }, key('a89'))
    expect(later.status).toBe(409)
    expect(later.json.error).toMatchObject({ code: 4092, data: { code: 'IDEMPOTENCY_UNKNOWN', effect: 'unknown' } })
    expect(upstream.calls).toHaveLength(1)
  })
})

//
describe.each(['stopped', 'killed'] as const)('while Redis is %s', how => {
  it('effects are refused and reads go on; both recover without a restart', async () => {
    onCall = () => text('done')
    const gateway = await start({ storeTimeoutMs: 1_000 })
    expect((await gateway.call('acme__limited', {}, key(`before-${how}`))).status).toBe(200)
    upstream.calls.length = 0

    if (how === 'stopped') redis.pause()
    else await redis.kill()
    for (const [tool, options] of [
      ['limited', {}],
      ['write', key(`during-${how}`)],
      ['limited', key(`both-${how}`)],
    ] as const) {
      const answer = await gateway.call(`acme__${tool}`, {}, options)
      expect(answer.status).toBe(503)
      expect(answer.json.error).toMatchObject({ code: -32603, data: { code: 'STORE_UNAVAILABLE', notProcessed: true } })
      expect(answer.headers.get('retry-after')).not.toBeNull()
    }
    expect(upstream.calls).toHaveLength(0)
    expect((await gateway.call('acme__read')).json.result).toMatchObject({ content: [{ text: 'done' }] })
    const { status, text: told } = await gateway.readyz()
    expect(status).toBe(503)
    expect(told).toContain('store')
    const metrics = await (await fetch(`${gateway.adminUrl}/metrics`)).text()
    expect(metrics).toMatch(/^wicketgate_store_degraded(\{[^}]*\})? 1$/m)
    expect(metrics).toMatch(/^wicketgate_store_errors_total\{.*"take".*\} [1-9]/m)
    expect(metrics).toMatch(/^wicketgate_limits_degraded_total\{.*\} 1$/m)

    if (how === 'stopped') redis.resume()
    else await redis.restart()
    await eventually(async () => (await gateway.call('acme__limited', {}, key(`after-${how}`))).status === 200, 20)
    await eventually(async () => (await gateway.readyz()).status === 200, 20)
    const told2 = gateway.trail().flatMap(({ event }) => (typeof event === 'string' && event.startsWith('store.') ? [event] : []))
    expect(told2.at(0)).toBe('store.lost')
    expect(told2.at(-1)).toBe('store.recovered')
  })
})
