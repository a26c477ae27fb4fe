/**
 * `npm run interop`: official and popular clients at official and popular servers, directly and through the gateway. Writes docs/interop.md; with
 * `-- --check` compares it instead. `-- --caller NAME` and `--upstream ALIAS` (parts of them) try some pairs only and write nothing.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { tryAll } from './actions.ts'
import { startInteropGateway } from './gateway.ts'
import type { Caller, Server, Upstream } from './peers.ts'
import { ACTIONS } from './plan.ts'
import { writeReport } from './report.ts'
import { gatherPeers } from './roster.ts'
import { judgePairs, type Pair } from './verdict.ts'

const { values } = parseArgs({
  options: { check: { type: 'boolean', default: false }, caller: { type: 'string' }, upstream: { type: 'string' } },
})
const DOCUMENT = fileURLToPath(new URL('../docs/interop.md', import.meta.url))
const say = (line: string): boolean => process.stdout.write(`${line}\n`)
const failures: string[] = []

const peers = await gatherPeers()
failures.push(...peers.faults)
const { caller: callerPart = '', upstream: upstreamPart = '' } = values
const callers = peers.callers.filter(({ name }) => name.includes(callerPart))
const upstreams = peers.upstreams.filter(({ alias }) => alias.includes(upstreamPart))
// A matrix with some left out is no document.
const isWhole = callerPart === '' && upstreamPart === '' && peers.faults.length === 0

const servers = new Map<Upstream, Server>()
for (const upstream of upstreams) {
  try {
    servers.set(upstream, await upstream.start())
  } catch (error) {
    failures.push(`${upstream.name} does not start: ${error instanceof Error ? error.message : String(error)}`)
  }
}
const gateway = await startInteropGateway(new Map([...servers].map(([{ alias }, { target }]) => [alias, target])))
failures.push(...gateway.faults.map(fault => `the gateway is not ready: ${fault}`))

const pairs: Pair[] = []
// A server's tap counts cancellations of whomever: one caller at a time. Three servers at a time: more would only wait for the machine.
const waiting = [...servers]
await Promise.all([work(), work(), work()])

const order = (pair: Pair): number =>
  callers.findIndex(({ name }) => name === pair.caller) * 100 + upstreams.findIndex(({ name }) => name === pair.upstream)
pairs.sort((left, right) => order(left) - order(right))
const verdicts = judgePairs(pairs)
for (const [{ caller, upstream }, cells] of verdicts) {
  for (const action of ACTIONS) {
    const cell = cells[action]
    if (cell.kind === 'failed') failures.push(`FAILED ${caller} at ${upstream}, ${action}: ${cell.words}`)
  }
}
const report = writeReport(callers, upstreams, verdicts)
if (!isWhole) say(report)
else if (!values.check) await writeFile(DOCUMENT, report)
else if ((await readFile(DOCUMENT, 'utf8').catch(() => '')) !== report) failures.push('docs/interop.md is not up to date: npm run interop')

await gateway.close()
for (const server of servers.values()) await server.close()
for (const failure of failures) say(failure)
say(failures.length === 0 ? `${pairs.length} pairs, nothing failed` : `failed: ${failures.length}`)
// Some clients leave timers behind.
process.exit(failures.length === 0 ? 0 : 1)

async function work(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [upstream, server] = next
    for (const caller of callers) pairs.push(await tryPair(caller, upstream, server))
  }
}

async function tryPair(caller: Caller, { alias, name, plan }: Upstream, server: Server): Promise<Pair> {
  const direct = await tryAll(caller, server.target, server, plan)
  const through = await tryAll(caller, { kind: 'http', url: gateway.urlOf(alias) }, server, plan)
  say(
    `${caller.name} at ${name}: ${ACTIONS.map(action => `${action} ${direct[action].ok ? 'ok' : 'no'}/${through[action].ok ? 'ok' : 'no'}`).join(', ')}`,
  )
  return { caller: caller.name, upstream: name, direct, through }
}
