import { type Check, type Leg, REVISION, type Results, type Scenario } from './suite.ts'

export interface LegReport {
  readonly leg: Leg
  readonly scenarios: readonly Scenario[]
  readonly direct: Results
  readonly through: Results
}

const TITLES: Readonly<Record<Leg, string>> = {
  server: `## As a server

The suite is the client. Directly it calls a server with everything in it, on the official SDK; through the gateway, the gateway before
another one of these.`,
  client: `## As a client

The suite is the server. Directly a small client on the official SDK calls it; through the gateway, the same client calls a gateway
that stands before it.`,
}

/** The whole of docs/conformance.md. Nothing in it depends on when or where it was written. */
export function writeReport(suite: string, legs: readonly LegReport[]): string {
  return `# Conformance

Written by \`npm run conformance\`; do not edit. The official suite (\`${suite}\`) for revision ${REVISION}, run
directly and through the gateway, and compared check by check: id, name and verdict of each. The exit code of the suite is not enough,
since some failures do not show in it. "Not scored" are scenarios of extensions, and such as are younger than the revision or as the
suite's own example fails. Scenarios about how a client gets a token (\`auth/\`) are left out: a gateway stands in nobody's way there.

${legs.map(writeLeg).join('\n')}`
}

function writeLeg({ leg, scenarios, direct, through }: LegReport): string {
  const rows = scenarios.map(({ name, standing }) => {
    const mark = standing === 'required' ? 'required' : `not scored: ${standing}`
    return `| ${name} | ${mark} | ${count(direct.get(name))} | ${count(through.get(name))} |`
  })
  return `${TITLES[leg]}

| scenario | | directly | through the gateway |
|---|---|---|---|
${rows.join('\n')}
`
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
