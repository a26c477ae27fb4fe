import { appendFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { RUNS, type Summary, writeReport } from './report.ts'
import { runFuzz } from './run.ts'

/** `npm run fuzz`: generated schemas, values, patterns and numbers against two other validators. Exits with 1 when there is a finding. */
const { values } = parseArgs({
  options: {
    checks: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    part: { type: 'string', default: '1/1' },
    /** Of one kind alone: valid, slips, hostile, patterns, numbers, requests, lists. */
    kind: { type: 'string' },
    /** Also shows the first of everything that was counted with an example. */
    examples: { type: 'boolean', default: false },
    /** Adds the run to those that docs/fuzzing.md tells of. */
    log: { type: 'boolean', default: false },
    /** Only writes docs/fuzzing.md. */
    report: { type: 'boolean', default: false },
  },
})

if (values.report) writeFileSync(new URL('../docs/fuzzing.md', import.meta.url), writeReport())
else await run()

async function run(): Promise<void> {
  const [part = 1, parts = 1] = values.part.split('/').map(Number)
  const started = process.cpuUsage()
  const tally = await runFuzz({ checks: Number(values.checks), seed: Number(values.seed), part, parts, kind: values.kind })
  const { user, system } = process.cpuUsage(started)
  const summary: Summary = {
    date: new Date().toISOString().slice(0, 10),
    seed: Number(values.seed),
    part: `${part}/${parts}`,
    kind: values.kind ?? 'all',
    cpuSeconds: Math.round((user + system) / 1e6),
    counts: Object.fromEntries([...tally.counts].sort(([a], [b]) => (a < b ? -1 : 1))),
    longestCompile: tally.longestCompile,
    longestCheck: tally.longestCheck,
    longestTurn: tally.longestTurn,
    stalls: tally.stalls.length,
    findings: tally.findings.length,
  }
  process.stdout.write(`${JSON.stringify(summary, undefined, 2)}\n`)
  for (const finding of [...tally.stalls, ...tally.findings].slice(0, 20)) process.stdout.write(`${JSON.stringify(finding)}\n`)
  if (values.examples) for (const [what, example] of tally.examples) process.stdout.write(`${what}: ${JSON.stringify(example)}\n`)
  if (values.log) appendFileSync(RUNS, `${JSON.stringify(summary)}\n`)
  process.exitCode = tally.findings.length + tally.stalls.length === 0 ? 0 : 1
}
