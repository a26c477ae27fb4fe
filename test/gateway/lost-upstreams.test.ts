import { createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createTestClock } from '../support/clock.ts'
import { createGate, eventually } from '../support/eventually.ts'
import { startGateway, type TestGateway, type TestGatewayOptions } from '../support/gateway.ts'
import { type OnCall, startUpstreamStub, type UpstreamStub } from '../support/upstream-stub.ts'

const TOOLS = [{ name: 'send', inputSchema: { type: 'object' } }]
const POLICY = '  send: { effect: read, allow: [{ scopes: [tools:read] }] }'
const LACKING = 'dev.wicketgate/lacking'

let gateway: TestGateway | undefined
const stubs: UpstreamStub[] = []
afterEach(async () => {
  await gateway?.close()
  await Promise.all(stubs.splice(0).map(stub => stub.close()))
})

async function stubOf(onEverything?: OnCall): Promise<UpstreamStub> {
  const stub = await startUpstreamStub(TOOLS)
  stub.onDiscover = stub.onList = onEverything
  stubs.push(stub)
  return stub
}

async function start(upstreams: Readonly<Record<string, string>>, options: Partial<TestGatewayOptions> = {}): Promise<TestGateway> {
  const tools = Object.fromEntries(Object.keys(upstreams).map(alias => [alias, POLICY]))
  gateway = await startGateway({ upstreams, tools, upstreamYaml: '    timeoutMs: 2000\n', ...options })
  return gateway
}

const broken: OnCall = (_request, response) => void response.writeHead(500).end()
const closed: OnCall = (_request, response) => void response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
const silent: OnCall = () => undefined

const names = (result: Record<string, unknown> = {}) => ((result.tools ?? []) as { readonly name: string }[]).map(({ name }) => name)
const whyOf = ({ trail }: TestGateway) =>
  Object.fromEntries(
    trail
      .records()
      .filter(({ event }) => event === 'upstream.stale')
      .map(({ detail }) => [(detail as { alias: string }).alias, (detail as { reason: string }).reason]),
  )

describe('B79 servers that cannot be read', () => {
  it('cost their own entries: the list names them, and does not name one that has nothing', async () => {
    const empty = await stubOf()
    empty.tools = []
    const upstreams = {
      good: (await stubOf()).url,
      broken: (await stubOf(broken)).url,
      silent: (await stubOf(silent)).url,
      closed: (await stubOf(closed)).url,
      empty: empty.url,
    }
    const running = await start(upstreams)
    const { status, json } = await running.send('tools/list')
    expect(status).toBe(200)
    expect(names(json.result)).toEqual(['good__send'])
    expect(json.result).toMatchObject({ cacheScope: 'private', ttlMs: 5_000, _meta: { [LACKING]: ['broken', 'silent', 'closed'] } })
    // Why, only operators read.
    expect(whyOf(running)).toEqual({ broken: 'UPSTREAM_INVALID', silent: 'UPSTREAM_TIMEOUT', closed: 'UPSTREAM_AUTH_REQUIRED' })
    for (const secret of ['UPSTREAM_', 'Bearer']) expect(JSON.stringify(json)).not.toContain(secret)
  })

  it.each(['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'])(
    'are no empty list when they are all there are, but an error that says to try again: %s',
    async method => {
      const stub = await stubOf(broken)
      const running = await start({ broken: stub.url, silent: (await stubOf(silent)).url })
      const answer = await running.send(method)
      expect(answer.status).toBe(503)
      expect(answer.headers.get('retry-after')).toBe('1')
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.json).toMatchObject({ id: 1, error: { code: -32603, data: { code: 'CATALOG_UNAVAILABLE', notProcessed: true } } })
      expect(running.trail.last()).toMatchObject({ method, outcome: 'CATALOG_UNAVAILABLE', status: 503 })
      // A client that finds no server/discover falls back to an older protocol for good.
      expect((await running.send('server/discover')).status).toBe(200)
      stub.onDiscover = stub.onList = undefined
      await eventually(async () => (await running.send(method)).status === 200, 50)
      expect((await running.send(method)).json.result?._meta).toMatchObject({ [LACKING]: ['silent'] })
    },
  )

  it('serve what was approved of them until that is too old to be believed, and then nothing', async () => {
    const clock = createTestClock()
    const stub = await stubOf()
    const running = await start({ good: stub.url }, { serve: { clock } })
    expect(names((await running.send('tools/list')).json.result)).toEqual(['good__send'])
    stub.onDiscover = stub.onList = broken
    running.gateway.rooms().catalog.suspect('good', 'shared')
    await eventually(() => whyOf(running).good !== undefined)
    const stale = await running.send('tools/list')
    expect(names(stale.json.result)).toEqual(['good__send'])
    expect(stale.json.result).toMatchObject({ ttlMs: 5_000 })
    clock.advance(24 * 3_600_000)
    const token = running.token('tools:read', { exp: clock.now() / 1000 + 60 })
    expect((await running.send('tools/list', {}, { token })).status).toBe(503)
  })

  it('are no tools that are gone: a call of what was approved is told to come back, by who is shown it, and nobody else hears of it', async () => {
    const clock = createTestClock()
    const stub = await stubOf()
    const running = await start({ good: stub.url }, { serve: { clock } })
    stub.onDiscover = stub.onList = broken
    running.gateway.rooms().catalog.suspect('good', 'shared')
    await eventually(() => whyOf(running).good !== undefined)
    clock.advance(24 * 3_600_000)
    const exp = clock.now() / 1000 + 60
    const shown = await running.call('good__send', {}, { token: running.token('tools:read', { exp }) })
    expect(shown).toMatchObject({
      status: 503,
      json: { id: 1, error: { code: -32603, data: { code: 'CATALOG_UNAVAILABLE', notProcessed: true } } },
    })
    expect(shown.headers.get('retry-after')).toBe('1')
    expect(running.trail.last()).toMatchObject({ method: 'tools/call', outcome: 'CATALOG_UNAVAILABLE', detail: { reason: 'expired' } })
    const hidden = await running.call('good__send', {}, { token: running.token('other', { exp }) })
    expect(hidden).toMatchObject({ status: 200, json: { error: { code: -32602, message: 'Unknown tool: good__send' } } })
    expect(stub.calls.filter(({ body }) => body.includes('tools/call'))).toEqual([])
  })
})

describe('B81 servers that take their time', () => {
  it('are asked at the same time, and shown in the order of the file whoever answers first', async () => {
    const gates = new Map(['a', 'b', 'c', 'd', 'e', 'f'].map(alias => [alias, createGate()]))
    const upstreams: Record<string, string> = {}
    const waiting = new Set<string>()
    for (const [alias, gate] of gates) {
      const stub = await stubOf()
      stub.onDiscover = async () => {
        waiting.add(alias)
        await gate.opened
        return {
          resultType: 'complete',
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {} },
          ttlMs: 60_000,
          cacheScope: 'public',
        }
      }
      upstreams[alias] = stub.url
    }
    const starting = start(upstreams, { upstreamYaml: '    timeoutMs: 20000\n' })
    await eventually(() => waiting.size === gates.size)
    for (const gate of [...gates.values()].reverse()) {
      gate.open()
      await new Promise(setImmediate)
    }
    expect(names((await (await starting).send('tools/list')).json.result)).toEqual([...gates.keys()].map(alias => `${alias}__send`))
  })

  it('or never answer hold nobody up, and are let go', async () => {
    const sockets = new Set<Socket>()
    let closings = 0
    const hanging = createServer(socket => {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => (closings += 1))
      socket.resume()
    }).listen(0, '127.0.0.1')
    await new Promise(resolve => hanging.once('listening', resolve))
    const { port } = hanging.address() as { port: number }
    const upstreams = { hanging: `http://127.0.0.1:${port}/mcp`, good: (await stubOf()).url }
    const running = await start(upstreams, { upstreamYaml: '    timeoutMs: 6000\n', serve: { firstLookMs: 100 } })
    await eventually(async () => (await running.send('tools/list')).status === 200)
    const { result } = (await running.send('tools/list')).json
    expect([names(result), result?._meta]).toMatchObject([['good__send'], { [LACKING]: ['hanging'] }])
    // All of that while it hangs.
    expect([sockets.size, closings]).toEqual([1, 0])
    await eventually(() => closings === 1)
    await eventually(() => whyOf(running).hanging === 'UPSTREAM_TIMEOUT')
    await running.close()
    gateway = undefined
    for (const socket of sockets) socket.destroy()
    hanging.close()
  })
})
