/**
 * `npm run conformance`: the official suite for revision 2026-07-28, directly and through the gateway, compared check by check. Towards
 * servers: against the everything server. Towards clients: with a small client against the suite's own servers. Any difference is printed
 * with both sides and is a failure, whatever the verdicts. Writes docs/conformance.md; with `-- --check` compares it instead.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { compare, findMissing } from './compare.ts'
import { startEverythingServer } from './everything-server.ts'
import { startConformanceGateway } from './gateway.ts'
import { type LegReport, writeReport } from './report.ts'
import { type Check, type Leg, loadScenarios, nameSuite, type Results, runClientSuite, runServerSuite } from './suite.ts'

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const DOCUMENT = fileURLToPath(new URL('../docs/conformance.md', import.meta.url))
const CLIENT = [process.execPath, fileURLToPath(new URL('client.ts', import.meta.url))]

const say = (line: string): boolean => process.stdout.write(`${line}\n`)
const failures: string[] = []

const legs = [await examine('server', runServers), await examine('client', runClients)]
const report = writeReport(await nameSuite(), legs)
if (!values.check) await writeFile(DOCUMENT, report)
else if ((await readFile(DOCUMENT, 'utf8').catch(() => '')) !== report)
  failures.push('docs/conformance.md is not up to date: npm run conformance')
for (const failure of failures) say(failure)
say(failures.length === 0 ? 'not one check differs' : `failed: ${failures.length}`)
process.exitCode = failures.length === 0 ? 0 : 1

async function examine(leg: Leg, run: () => Promise<readonly [direct: Results, through: Results]>): Promise<LegReport> {
  const scenarios = await loadScenarios(leg)
  const names = scenarios.map(({ name }) => name)
  const [direct, through] = await run()
  for (const name of findMissing(names, direct)) failures.push(`${leg} ${name}: no checks, directly`)
  for (const [name, checks] of direct) {
    // Two sides that fail alike would say nothing about what stands between them.
    for (const check of checks) if (names.includes(name) && isBad(check)) failures.push(`${leg} ${name}: directly ${tell(check)}`)
  }
  for (const { scenario, direct: left, through: right } of compare(names, direct, through)) {
    failures.push(
      [
        `${leg} ${scenario}: differs`,
        ...left.map(check => `  directly: ${tell(check)}`),
        ...right.map(check => `  through the gateway: ${tell(check)}`),
      ].join('\n'),
    )
  }
  const total = [...direct].reduce((sum, [name, checks]) => sum + (names.includes(name) ? checks.length : 0), 0)
  say(`${leg}: ${names.length} scenarios, ${total} checks, directly and through the gateway`)
  return { leg, scenarios, direct, through }
}

/** Each side has a server of its own: the suite changes what a server shows. */
async function runServers(): Promise<readonly [Results, Results]> {
  const [own, other] = [await startEverythingServer(), await startEverythingServer()]
  const gateway = await startConformanceGateway(other.url)
  const results = await Promise.all([runServerSuite(own.url), runServerSuite(gateway.url)])
  await gateway.close()
  await Promise.all([own.close(), other.close()])
  return results
}

async function runClients(): Promise<readonly [Results, Results]> {
  return [await runClientSuite(CLIENT), await runClientSuite([...CLIENT, '--through', 'gateway'])]
}

function isBad({ status }: Check): boolean {
  return status !== 'SUCCESS' && status !== 'INFO' && status !== 'SKIPPED'
}

function tell({ id, name, status, errorMessage = '' }: Check): string {
  return `${status} ${id} (${name}) ${errorMessage}`.trimEnd()
}
