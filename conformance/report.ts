import type { Explanation } from './differences.ts'
import type { Examination, RunName } from './runs.ts'
import type { Check, Leg, Scenario } from './suite.ts'

export interface Examined extends Examination {
  readonly scenarios: readonly Scenario[]
}

const ROLES: Readonly<Record<Leg, string>> = {
  server: `The suite is the client. Directly it calls a server with everything in it, on the official SDK, which speaks this revision; through
the gateway, the gateway before a server that speaks 2026-07-28 ("modern"), and before one that speaks 2025-11-25 ("legacy").`,
  client: `The suite is the server. Directly a small client on the official SDK calls it, in this revision; through the gateway, the same client
calls a gateway that stands before it. What the suite's servers note of single messages is left out.`,
}

/** The whole of docs/conformance.md. Nothing in it depends on when or where it was written. */
export function writeReport(
  suite: string,
  examined: readonly Examined[],
  explanations: Readonly<Record<RunName, readonly Explanation[]>>,
): string {
  return `# Conformance

Written by \`npm run conformance\`; do not edit. The official suite (\`${suite}\`) for the revisions
2026-07-28 and 2025-11-25, run directly and through the gateway, and compared check by check: id, name and verdict of each. The exit code of
the suite is not enough, since some failures do not show in it. "Not scored" are scenarios of extensions, and such as are younger than the
revision or as the suite's own example fails. Scenarios about how a client gets a token (\`auth/\`) are left out: a gateway stands in nobody's
way there. Where a check comes out otherwise through the gateway, the reason stands below its table; any other difference is a failure of the
script, and so is a reason for what does not differ.

${examined.map(one => writeExamined(one, explanations)).join('\n')}`
}

function writeExamined(
  { revision, leg, scenarios, direct, through }: Examined,
  explanations: Readonly<Record<RunName, readonly Explanation[]>>,
): string {
  const runs = [...through]
  const rows = scenarios.map(({ name, standing }) => {
    const mark = standing === 'required' ? 'required' : `not scored: ${standing}`
    const counts = runs.map(([run, results]) => {
      const isExplained = explanations[run].some(({ checks }) => Object.hasOwn(checks, name))
      return `${count(results.get(name))}${isExplained ? ' (see below)' : ''}`
    })
    return `| ${[name, mark, count(direct.get(name)), ...counts].join(' | ')} |`
  })
  const heads = ['scenario', '', 'directly', ...runs.map(([run]) => `through: ${run}`)]
  return `## ${revision}, as a ${leg}

${ROLES[leg]}

| ${heads.join(' | ')} |
|${heads.map(() => '---').join('|')}|
${rows.join('\n')}
${runs.map(([run]) => writeExplanations(run, explanations[run])).join('')}`
}

function writeExplanations(run: RunName, explanations: readonly Explanation[]): string {
  if (explanations.length === 0) return ''
  const lines = explanations.flatMap(({ reason, checks }) => [
    `- ${reason}`,
    ...Object.entries(checks).map(([scenario, ids]) => `  - ${scenario}: ${ids.join(', ')}`),
  ])
  return `\nWhat differs through the gateway, ${run}:\n\n${lines.join('\n')}\n`
}

/** `8 passed, 1 skipped`, in the suite's own order of gravity. */
function count(checks: readonly Check[] = []): string {
  const words = { SUCCESS: 'passed', FAILURE: 'failed', WARNING: 'warned', INFO: 'noted', SKIPPED: 'skipped' }
  const counts = Object.entries(words).map(([status, word]) => [checks.filter(check => check.status === status).length, word] as const)
  return (
    counts
      .filter(([number]) => number > 0)
      .map(([number, word]) => `${number} ${word}`)
      .join(', ') || 'none'
  )
}
