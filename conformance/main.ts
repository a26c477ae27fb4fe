/**
 * `npm run conformance`: the official suite for the revisions 2026-07-28 and 2025-11-25, directly and through the gateway, compared check by
 * check. Towards servers: against the everything server, of either era. Towards clients: with a small client against the suite's own servers.
 * A difference that explanations.ts does not name is printed with both sides and is a failure, whatever the verdicts; so is an explanation of
 * what does not differ. Writes docs/conformance.md; with `-- --check` compares it instead. `-- --run NAME` makes one comparison and writes nothing.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { compare, findMissing } from './compare.ts'
import { judge } from './differences.ts'
import { EXPLANATIONS } from './explanations.ts'
import { type Examined, writeReport } from './report.ts'
import { type Examination, examineClient, examineServer, RUN_NAMES } from './runs.ts'
import { type Check, loadScenarios, nameSuite } from './suite.ts'

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false }, run: { type: 'string' } } })
const DOCUMENT = fileURLToPath(new URL('../docs/conformance.md', import.meta.url))

const say = (line: string): boolean => process.stdout.write(`${line}\n`)
const failures: string[] = []

const chosen = RUN_NAMES.filter(name => values.run === undefined || name === values.run)
const examined: Examined[] = []
for (const era of ['modern', 'legacy'] as const) {
  for (const run of [examineServer, examineClient]) {
    const examination = await run(era, chosen)
    if (examination.through.size > 0) examined.push(await examine(examination))
  }
}
const report = writeReport(await nameSuite(), examined, EXPLANATIONS)
if (chosen.length < RUN_NAMES.length) say('docs/conformance.md is left as it is')
else if (!values.check) await writeFile(DOCUMENT, report)
else if ((await readFile(DOCUMENT, 'utf8').catch(() => '')) !== report)
  failures.push('docs/conformance.md is not up to date: npm run conformance')
for (const failure of failures) say(failure)
say(failures.length === 0 ? 'not one check differs, but for those explained' : `failed: ${failures.length}`)
process.exitCode = failures.length === 0 ? 0 : 1

async function examine(examination: Examination): Promise<Examined> {
  const { revision, leg, direct, through, complaints } = examination
  const scenarios = await loadScenarios(revision, leg)
  const names = scenarios.map(({ name }) => name)
  const about = `${revision} ${leg}`
  for (const name of findMissing(names, direct)) failures.push(`${about} ${name}: no checks, directly`)
  for (const [name, checks] of direct) {
    // Two sides that fail alike would say nothing about what stands between them.
    for (const check of checks) if (names.includes(name) && isBad(check)) failures.push(`${about} ${name}: directly ${tell(check)}`)
  }
  for (const [run, results] of through) {
    const { unexplained, idle } = judge(compare(names, direct, results), EXPLANATIONS[run])
    for (const name of idle) failures.push(`${run} ${name}: explained, and does not differ`)
    for (const { scenario, direct: left, through: right } of unexplained) {
      failures.push(
        [
          `${run} ${scenario}: differs`,
          ...left.map(check => `  directly: ${tell(check)}`),
          ...right.map(check => `  through the gateway: ${tell(check)}`),
          ...(complaints.get(`${run} ${scenario}`) ?? '').split('\n').map(line => `  its client: ${line}`),
        ].join('\n'),
      )
    }
  }
  const total = [...direct].reduce((sum, [name, checks]) => sum + (names.includes(name) ? checks.length : 0), 0)
  say(`${about}: ${names.length} scenarios, ${total} checks, directly and through the gateway (${[...through.keys()].join(', ')})`)
  return { ...examination, scenarios }
}

function isBad({ status }: Check): boolean {
  return status !== 'SUCCESS' && status !== 'INFO' && status !== 'SKIPPED'
}

function tell({ id, name, status, errorMessage = '' }: Check): string {
  return `${status} ${id} (${name}) ${errorMessage}`.trimEnd()
}
