/**
 * `npm run soak`: hundreds of sessions on several gateways that are killed at random, and the reckoning; writes docs/soak.md.
 * `-- --seconds N` of killing, `--sessions N`, `--streams N`, `--replicas N`, `--pause MS`; `--dry` writes nothing. Exit code 1 on any fault.
 */
import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { systemClock } from '../src/core/clock.ts'
import { type Held, INSPECTED, readHeld } from '../test/support/held.ts'
import { startRedis } from '../test/support/redis.ts'
import { startReplicas } from '../test/support/replicas.ts'
import { startTokenMint } from '../test/support/tokens.ts'
import { findRedis } from '../tools/find-redis.ts'
import { gather } from './crowd.ts'
import { killAtRandom } from './killing.ts'
import { startOldUpstream } from './old-upstream.ts'
import { createReckoning } from './reckoning.ts'
import { writeReport } from './report.ts'
import { createRuns, POLICY } from './tools.ts'
import { startUpstream } from './upstream.ts'
import { agent } from './wire.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '300' },
    sessions: { type: 'string', default: '500' },
    streams: { type: 'string', default: '200' },
    replicas: { type: 'string', default: '3' },
    pause: { type: 'string', default: '5000' },
    dry: { type: 'boolean', default: false },
  },
})
const [seconds, sessions, streams, count, pauseMs] = [values.seconds, values.sessions, values.streams, values.replicas, values.pause].map(
  Number,
)
if (!seconds || !sessions || streams === undefined || !count || !pauseMs) throw new RangeError('numbers, please')

const STEADY_SECONDS = Math.min(60, seconds)
/** What a process holds on to for a while after the last of it: watches of sessions, idle connections. */
const LINGER_MS = 45_000
const NEWS = { method: 'notifications/resources/updated', params: { uri: 'file:///news' } }
/** Collections are not exact, and caches have not all been full the first time. */
const MAX_GROWTH = { heapBytes: 6 * 1024 * 1024, externalBytes: 6 * 1024 * 1024, timers: 10, sockets: 10 } as const

const RESOURCES = `resources:
  "file:///*": { unlisted: true, allow: [{ scopes: [tools:read] }] }`

const startMs = performance.now()
const say = (line: string): void =>
  void process.stdout.write(`${((performance.now() - startMs) / 1_000).toFixed(0).padStart(5)} s  ${line}\n`)

// An end that was asked for is one too: what was started ends with us.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

findRedis()
const mint = await startTokenMint()
const redis = await startRedis()
const runs = createRuns()
const upstream = await startUpstream(runs)
const old = await startOldUpstream(runs)
const replicas = await startReplicas({
  mint,
  count,
  store: redis.url,
  upstreams: { acme: upstream.url, old: old.url },
  tools: { acme: `${POLICY}\n${RESOURCES}`, old: POLICY },
  gatewayYaml: 'pins: { onFirstUse: trust }\nlimits: { listsPerMinute: 1000000, requestsPerMinute: 1000000, subscriptions: 10000 }',
  environment: INSPECTED,
})
const reckoning = createReckoning()
const exp = Math.floor(systemClock.now() / 1_000) + 7_200
const gatherAll = () =>
  gather({ url: replicas.url, token: person => replicas.token(undefined, { sub: person, exp }), sessions, streams, pauseMs, reckoning })
const channels = async (): Promise<number> => ((await redis.client.call('PUBSUB', 'CHANNELS', '*')) as unknown[]).length

/** Something for held streams to hear, all the while. */
async function tellNews(until: number): Promise<void> {
  for (let second = 0; second < until; second += 5) {
    upstream.notify(NEWS)
    await sleep(5_000)
  }
}

async function readAll(): Promise<Held[]> {
  agent.destroy()
  await sleep(LINGER_MS)
  return Promise.all(replicas.all.map(({ process: gateway }) => readHeld(gateway.stderr)))
}

say(`${sessions} sessions, ${streams} of them with a stream, on ${count} gateways`)
const crowd = await gatherAll()
const [killed] = await Promise.all([killAtRandom({ replicas, seconds, say }), tellNews(seconds)])
say('no more killing')
await crowd.settle()
say('every call has ended')

const heardBefore = crowd.listening.map(({ stream }) => stream.heard)
let deaf = crowd.listening.length
for (let tries = 0; tries < 30 && deaf > 0; tries += 1) {
  if (tries % 5 === 0) upstream.notify(NEWS)
  await sleep(1_000)
  deaf = crowd.listening.filter(({ stream }, index) => stream.heard <= (heardBefore[index] ?? 0)).length
}
if (deaf > 0) reckoning.fault(`${deaf} held streams hear nothing any more`)
const connections = crowd.listening.reduce((sum, { stream }) => sum + stream.connections, 0)
const heard = crowd.listening.reduce((sum, { stream }) => sum + stream.heard, 0)
await crowd.leave()
say('everybody has left')

/** The same again, and nobody is killed; what is left when all have gone. */
async function comeAndGo(): Promise<Held[]> {
  const again = await gatherAll()
  await sleep(STEADY_SECONDS * 1_000)
  await again.settle()
  await again.leave()
  return readAll()
}
// Some gateways have just begun: the first crowd fills what fills once.
const before = await comeAndGo()
say('all have come and gone')
const after = await comeAndGo()

for (const [index, one] of before.entries()) {
  for (const [name, most] of Object.entries(MAX_GROWTH)) {
    const grown = (after[index]?.[name as keyof Held] ?? 0) - one[name as keyof Held]
    if (grown > most) reckoning.fault(`gateway ${index} holds ${grown} ${name} more than before`)
  }
}
const trail = replicas.all.flatMap(replica => replica.trail())
const writes = trail.filter(({ kind, upstreamName }) => kind === 'intent' && upstreamName === 'write')
const outcomes = new Set(trail.filter(({ kind }) => kind === 'request').map(({ id }) => id))
if (writes.length < runs.effects) reckoning.fault(`${runs.effects} effects and only ${writes.length} intents`)
const lived = await redis.client.keys('*')
const ttls = await Promise.all(lived.map(key => redis.client.pttl(key)))
if (ttls.some(ttl => ttl === -1)) reckoning.fault('keys without a time to live')
const channelsLeft = await channels()
if (channelsLeft > 0) reckoning.fault(`${channelsLeft} channels are still subscribed to`)
for (const replica of replicas.all) {
  if (/unhandled|uncaught/i.test(replica.process.stderr)) reckoning.fault(`a gateway said: ${replica.process.stderr.slice(-500)}`)
}
reckoning.close(runs.all)

const noted = new Map<string, number>()
for (const { kind, outcome, detail } of trail) {
  if (kind !== 'request' || outcome === 'OK') continue
  const what = `${outcome} ${JSON.stringify(detail ?? {})}`
  noted.set(what, (noted.get(what) ?? 0) + 1)
}
for (const [what, times] of [...noted].toSorted(([, one], [, other]) => other - one).slice(0, 15))
  say(`in the trail ${times} times: ${what}`)

const report = writeReport({
  seconds,
  sessions,
  streams,
  replicas: count,
  killed,
  reckoning,
  intents: writes.length,
  effects: runs.effects,
  openIntents: writes.filter(({ request }) => !outcomes.has(request)).length,
  connections,
  heard,
  before,
  after,
  keysLeft: lived.length,
  channelsLeft,
})
if (values.dry) process.stdout.write(report)
else await writeFile(new URL('../docs/soak.md', import.meta.url), report)
for (const fault of reckoning.faults.slice(0, 20)) say(`FAULT: ${fault}`)
say(`${reckoning.faults.length} faults`)
agent.destroy()
await Promise.all([replicas.stop(), redis.stop(), upstream.close(), old.close(), mint.close()])
process.exitCode = reckoning.faults.length === 0 ? 0 : 1
