/**
 * `npm run bench`: direct, the bare proxy and the gateway side by side in one run, several rounds, medians, as ratios to the bare proxy.
 * Absolute numbers belong to the machine; ratios of one run travel. `-- --json FILE` writes them, `--rounds N`, `--seconds N`.
 */
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startRedis } from '../test/support/redis.ts'
import { startTokenMint } from '../test/support/tokens.ts'
import { findRedis } from '../tools/find-redis.ts'
import { type Measured, measure } from './load.ts'
import { median, printReport, toRatios } from './report.ts'
import { forkOn, ISOLATED, type Running, startGatewayOn } from './variants.ts'

const { values } = parseArgs({
  options: {
    json: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    connections: { type: 'string', default: '32' },
  },
})
const LOAD_CORE = 0
const PROXY_CORE = 1

findRedis()
const folder = await mkdtemp(join(tmpdir(), 'wicketgate-bench-'))
const mint = await startTokenMint({ algorithm: 'RS256' })
const redis = await startRedis()
const upstream = await forkOn(LOAD_CORE, './upstream.ts')
const bare = await forkOn(PROXY_CORE, './bare-proxy.ts', [`http://127.0.0.1:${upstream.port}`])
const gateway = (name: string, store: string) =>
  startGatewayOn(PROXY_CORE, { folder: join(folder, name), upstreamPort: upstream.port, mint, store })
const memory = await gateway('memory', 'memory')
const shared = await gateway('redis', redis.url)
// Processes of their own: what keyed calls leave in the store and on the heap is theirs to carry.
const memoryKeyed = await gateway('memory-keyed', 'memory')
const sharedKeyed = await gateway('redis-keyed', redis.url)

/** A call of about 300 bytes, as agents make them. */
function call(name: string, resource: string) {
  const params = {
    name,
    arguments: { tenant: 'acme', order: 'A-1041', fields: ['status', 'total'], limit: 10 },
    _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} },
  }
  const token = mint.token({ aud: resource, scope: 'orders:read', org: 'acme', exp: Math.floor(Date.now() / 1000) + 3_600 })
  return {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': name,
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  }
}

const at = ({ port, child }: Running, measured: boolean) => ({ url: `http://127.0.0.1:${port}/mcp`, pid: measured ? child.pid : undefined })
const variants = {
  direct: { ...at(upstream, false), ...call('lookup', 'direct'), keyed: false },
  'http-proxy': { ...at(bare, true), ...call('lookup', 'bare'), keyed: false },
  'gateway-memory': { ...at(memory, true), ...call('orders__lookup', memory.resource), keyed: false },
  'gateway-redis': { ...at(shared, true), ...call('orders__lookup', shared.resource), keyed: false },
  'gateway-memory-keyed': { ...at(memoryKeyed, true), ...call('orders__record', memoryKeyed.resource), keyed: true },
  'gateway-redis-keyed': { ...at(sharedKeyed, true), ...call('orders__record', sharedKeyed.resource), keyed: true },
}
const rounds: Record<string, Measured[]> = Object.fromEntries(Object.keys(variants).map(name => [name, []]))
const connections = Number(values.connections)

try {
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const [name, load] of Object.entries(variants)) {
      // Warm again: while the others had their turn, V8 let go of code and memory that nobody used.
      await measure({ ...load, connections, seconds: 1 })
      rounds[name]?.push(await measure({ ...load, connections, seconds: Number(values.seconds) }))
    }
    process.stderr.write(`round ${round + 1} of ${values.rounds}\n`)
  }
  const medians = Object.fromEntries(Object.entries(rounds).map(([name, measured]) => [name, median(measured)]))
  const ratios = toRatios(medians)
  printReport(medians, ratios, ISOLATED)
  if (values.json !== undefined)
    await writeFile(values.json, `${JSON.stringify({ node: process.version, isolated: ISOLATED, medians, ratios }, null, 2)}\n`)
} finally {
  for (const { child } of [upstream, bare, memory, shared, memoryKeyed, sharedKeyed]) {
    child.kill('SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  await Promise.all([mint.close(), redis.stop()])
  await rm(folder, { recursive: true, force: true })
}
