import { once } from 'node:events'
import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createGate, eventually } from '../support/eventually.ts'
import { policyFiles, writePolicies } from '../support/gateway.ts'
import { type GatewayProcess, type ProcessOptions, startGatewayProcess } from '../support/gateway-process.ts'
import { freePort } from '../support/ports.ts'
import { type RedisServer, startRedis } from '../support/redis.ts'
import { streamCall } from '../support/stream-call.ts'
import { startTokenMint, type TokenMint } from '../support/tokens.ts'
import { type OnCall, startUpstreamStub, text, type UpstreamStub } from '../support/upstream-stub.ts'
import { eventHead } from './scene.ts'

const TOOLS = [
  { name: 'read', inputSchema: { type: 'object' } },
  { name: 'write', inputSchema: { type: 'object' } },
]
const policyOf = (readScope: string): string =>
  `  read: { effect: read, allow: [{ scopes: [${readScope}] }] }\n  write: { effect: write, allow: [{ scopes: [tools:write] }] }`

let mint: TokenMint
let upstream: UpstreamStub
let onCall: OnCall = () => text('done')
const running: GatewayProcess[] = []
beforeAll(async () => {
  mint = await startTokenMint()
  upstream = await startUpstreamStub(TOOLS, (request, response) => onCall(request, response))
})
afterEach(async () => {
  await Promise.all(running.splice(0).map(gateway => gateway.stop()))
  upstream.calls.length = 0
  onCall = () => text('done')
})
afterAll(async () => {
  await Promise.all([mint.close(), upstream.close()])
})

async function start(options: Partial<ProcessOptions> = {}): Promise<GatewayProcess> {
  const gateway = await startGatewayProcess({
    mint,
    upstreams: { acme: upstream.url },
    tools: { acme: policyOf('tools:read') },
    ...options,
  })
  running.push(gateway)
  return gateway
}

const revisions = (gateway: GatewayProcess): number => gateway.stderr.match(/policies reloaded/g)?.length ?? 0
const isRefused = async (gateway: GatewayProcess): Promise<boolean> => (await gateway.call('acme__read')).status === 403

describe('SIGTERM', () => {
  it('lets what is under way end, takes nothing new, and says so', async () => {
    const gate = createGate()
    onCall = async () => {
      await gate.opened
      return text('in time')
    }
    const gateway = await start()
    const underWay = [gateway.call('acme__read'), gateway.call('acme__write')]
    await eventually(() => upstream.calls.length === 2)
    gateway.child.kill('SIGTERM')
    await eventually(async () => (await gateway.readyz()).text.includes('shutting down'))
    expect((await gateway.readyz()).status).toBe(503)
    const late = await gateway.call('acme__read').then(
      ({ status }) => status,
      (error: Error & { cause?: { code?: string } }) => error.cause?.code,
    )
    expect([503, 'ECONNREFUSED', 'UND_ERR_SOCKET', 'ECONNRESET']).toContain(late)
    expect(upstream.calls).toHaveLength(2)
    gate.open()
    for (const answer of await Promise.all(underWay)) expect(answer.json.result).toMatchObject({ content: [{ text: 'in time' }] })
    expect(await gateway.exited).toBe(0)
    const trail = gateway.trail()
    expect(trail.at(-1)).toMatchObject({ kind: 'event', event: 'stopped' })
    expect(trail.filter(({ outcome }) => outcome === 'OK')).toHaveLength(2)
  })

  it('ends what takes too long: callers are told, effects recorded as unknown', async () => {
    onCall = ({ message }, response) => {
      if (message.params.name === 'write') return undefined
      eventHead(response)
      return undefined
    }
    const gateway = await start({ settings: { 'drain-seconds': '1' } })
    const cut = gateway.call('acme__write')
    const stream = await streamCall(gateway.url, 'acme__read', { token: gateway.token(), id: 'mine' })
    await eventually(() => upstream.calls.length === 2)
    gateway.child.kill('SIGTERM')
    expect((await cut).json.error?.data).toMatchObject({ code: 'UPSTREAM_INVALID', effect: 'unknown' })
    expect(await stream.rest()).toEqual([expect.objectContaining({ id: 'mine', error: expect.anything() })])
    expect(await gateway.exited).toBe(0)
    expect(gateway.trail().find(({ kind, upstreamName }) => kind === 'request' && upstreamName === 'write')).toMatchObject({
      effectStatus: 'unknown',
    })
    expect(gateway.trail().at(-1)).toMatchObject({ event: 'stopped' })
  })

  it('waits for an effect whose caller has left, and records how it ended', async () => {
    const gate = createGate()
    onCall = async () => {
      await gate.opened
      return text('in time')
    }
    const gateway = await start()
    const left = new AbortController()
    const call = gateway.call('acme__write', {}, { signal: left.signal }).catch(() => undefined)
    await eventually(() => upstream.calls.length === 1)
    left.abort()
    await call
    gateway.child.kill('SIGTERM')
    await eventually(async () => (await gateway.readyz()).text.includes('shutting down'))
    gate.open()
    expect(await gateway.exited).toBe(0)
    const trail = gateway.trail()
    expect(trail.find(({ kind }) => kind === 'request')).toMatchObject({ cancelled: true, effectStatus: 'committed' })
    expect(trail.at(-1)).toMatchObject({ event: 'stopped' })
  })

  it('is heard with idle connections open', async () => {
    const gateway = await start()
    await gateway.call('acme__read')
    gateway.child.kill('SIGTERM')
    expect(await gateway.exited).toBe(0)
  })
})

describe('a change in the policy folder', () => {
  it('is taken up by itself; a faulty one changes nothing, and SIGHUP reads again', async () => {
    const gateway = await start()
    expect(await isRefused(gateway)).toBe(false)
    await writeFile(join(gateway.folder, 'tools/acme.yaml'), `version: 1\nupstream: acme\ntools:\n${policyOf('tools:none')}\n`)
    await eventually(() => revisions(gateway) === 1)
    expect(await isRefused(gateway)).toBe(true)

    await writeFile(join(gateway.folder, 'tools/acme.yaml'), 'version: 1\nupstream: acme\ntools:\n  read: { efect: read }\n')
    await eventually(() => gateway.stderr.includes('policies not changed'))
    expect(gateway.stderr).toMatch(/tools\/acme\.yaml:4:\d+/)
    expect(await isRefused(gateway)).toBe(true)
    await eventually(() => gateway.trail().some(({ event }) => event === 'policy.refused'))

    await writeFile(join(gateway.folder, 'tools/acme.yaml'), `version: 1\nupstream: acme\ntools:\n${policyOf('tools:read')}\n`)
    gateway.child.kill('SIGHUP')
    await eventually(() => revisions(gateway) >= 2)
    expect(await isRefused(gateway)).toBe(false)
  })

  it('is seen when a mounted volume swaps a symlink', async () => {
    // As a Kubernetes ConfigMap is mounted: files are links into `..data`, which is a link that is replaced as one.
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    const first = await start()
    const mount = join(first.folder, '../mount')
    const publish = async (name: string, scope: string): Promise<void> => {
      const options = { upstreams: { acme: upstream.url }, tools: { acme: policyOf(scope) } }
      await writePolicies(join(mount, name), policyFiles(origin, mint, options))
      await symlink(name, join(mount, '..data_tmp'))
      await rename(join(mount, '..data_tmp'), join(mount, '..data'))
    }
    await publish('..1', 'tools:read')
    await symlink('..data/gateway.yaml', join(mount, 'gateway.yaml'))
    await symlink('..data/tools', join(mount, 'tools'))
    await mkdir(join(mount, 'pins'))
    const gateway = await start({ port, folder: mount })
    expect(await isRefused(gateway)).toBe(false)
    await publish('..2', 'tools:none')
    await eventually(() => revisions(gateway) === 1)
    expect(await isRefused(gateway)).toBe(true)
  })

  it('does not come from approvals: lock files are no revision', async () => {
    const gateway = await start()
    const lock = join(gateway.folder, 'pins/acme.lock.json')
    await writeFile(lock, await readFile(lock))
    await eventually(() => gateway.trail().some(({ event }) => event === 'lock.loaded'))
    expect(revisions(gateway)).toBe(0)
  })
})

describe('SIGHUP', () => {
  it('opens the audit file again after it was moved', async () => {
    const gateway = await start()
    await gateway.call('acme__read')
    await eventually(async () => (await readFile(gateway.auditPath, 'utf8')).includes('"outcome":"OK"'))
    await rename(gateway.auditPath, `${gateway.auditPath}.moved`)
    gateway.child.kill('SIGHUP')
    await eventually(() => revisions(gateway) === 1)
    await gateway.call('acme__write')
    expect(gateway.trail().some(({ kind }) => kind === 'intent')).toBe(true)
  })
})

describe('a gateway that starts while something is missing', () => {
  let redis: RedisServer | undefined
  afterAll(() => redis?.stop())

  it('says what is missing, serves what it can, and recovers by itself', async () => {
    redis = await startRedis()
    await redis.kill()
    const lateUpstream = await freePort()
    mint.jwks = 'error'
    const gateway = await start({
      upstreams: { acme: `http://127.0.0.1:${lateUpstream}/mcp` },
      settings: { store: redis.url },
      awaits: 'listening',
    })
    for (const part of [
      'store: ',
      `keys ${mint.issuer}: never fetched: HTTP status 500\n`,
      'upstream acme: not seen yet: no connection (UPSTREAM_UNREACHABLE, ',
    ]) {
      await eventually(() => gateway.stderr.includes(`missing: ${part}`))
    }
    expect((await gateway.readyz()).status).toBe(503)
    expect((await fetch(`${gateway.adminUrl}/healthz`)).status).toBe(200)
    const early = await gateway.call('acme__read')
    expect(early.status).toBe(503)
    expect(early.headers.get('retry-after')).not.toBeNull()

    mint.jwks = 'ok'
    await redis.restart()
    const late = await startUpstreamStub(TOOLS, () => text('at last'), lateUpstream)
    await eventually(async () => (await gateway.readyz()).status === 200, 50)
    const answer = await gateway.call('acme__write', {}, { headers: { 'idempotency-key': 'k' } })
    expect(answer.json.result).toMatchObject({ content: [{ text: 'at last' }] })
    await late.close()
  })
})

describe('a gateway that cannot start', () => {
  it('because its port is taken says so and exits with 1, also with Redis and upstreams at hand', async () => {
    const holder = createServer()
    await once(holder.listen(0, '127.0.0.1'), 'listening')
    const { port } = holder.address() as { port: number }
    const gateway = await start({ port, awaits: 'nothing', settings: { store: 'redis://127.0.0.1:1' } })
    expect(await gateway.exited).toBe(1)
    expect(gateway.stderr).toContain(`port ${port} of 127.0.0.1 is taken`)
    holder.close()
  })

  it('because its policies have faults names each with its place and exits with 2', async () => {
    const files = { 'tools/acme.yaml': 'version: 1\nupstream: acme\ntools:\n  read: { efect: read }\n  write: { effect: rite }\n' }
    const gateway = await start({ awaits: 'nothing', files })
    expect(await gateway.exited).toBe(2)
    expect(gateway.stderr).toMatch(/tools\/acme\.yaml:4:\d+/)
    expect(gateway.stderr).toMatch(/tools\/acme\.yaml:5:\d+/)
    expect(gateway.stderr).not.toContain('    at ')
  })

  it('because its settings are wrong exits with 2', async () => {
    const gateway = await start({ awaits: 'nothing', settings: { store: 'postgres://x' } })
    expect(await gateway.exited).toBe(2)
    expect(gateway.stderr).toMatch(/^store: /)
  })
})
