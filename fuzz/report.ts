import { readFileSync } from 'node:fs'
import { parseJsonText } from '../src/core/json.ts'
import type { Longest } from './tally.ts'

/** One run, as main.ts logs it. */
export interface Summary {
  readonly date: string
  readonly seed: number
  readonly part: string
  readonly kind: string
  readonly cpuSeconds: number
  readonly counts: Readonly<Record<string, number>>
  readonly longestCompile: Longest
  readonly longestCheck: Longest
  /** Of runs with lists. */
  readonly longestTurn?: Longest
  readonly stalls: number
  readonly findings: number
}

export const RUNS = new URL('runs.jsonl', import.meta.url)

const INTRODUCTION = `# Fuzzing the schema checker

Written by \`npm run fuzz -- --report\` from \`fuzz/runs.jsonl\`. Do not edit.

\`\`\`text
npm run fuzz                                        20,000 checks, a few seconds
npm run fuzz -- --checks N --seed S --part K/N      one part of a larger run; the same seed makes the same cases
npm run fuzz -- --kind hostile                      valid, slips, hostile, patterns, numbers, requests or lists alone
\`\`\`

Schemas, values, patterns and numbers are made from a seed and judged by us and by others: schemas and values by [ajv](https://ajv.js.org) and
[Hyperjump](https://github.com/hyperjump-io/json-schema), in 2020-12 and draft-07; patterns by the expressions of the runtime; numbers of up to 40 digits by whole-number arithmetic. It exits with 1 when

- anything but a refusal of the profile comes out of reading a schema, or a check fails by itself;
- a verdict is ours alone: no reference that answered agrees;
- a schema is refused although its meta-schema accepts it, for any reason that is not the profile's own, or accepted although its meta-schema refuses it;
- reading one schema, checking one value, reading a request from its bytes to the canonical text of its arguments, or one turn of reading, pinning and scanning a list holds the thread for more than 20 ms: of its own time or of
  the clock's, whichever is less, and the least of up to ten times where it seems long.

*requests* are calls of up to a megabyte that are made to be slow to read, under schemas that are made to be slow to check; *lists* are pages of up to 4 MiB of such tools, read as the gateway reads them. Both are run by themselves.

By design we differ, and the comparison leaves out: what the profile refuses (\`src/validation/bounds.ts\`, \`keywords.ts\`); numbers a double does not hold, which the others round; formats, which Hyperjump takes for
annotations, and \`dependencies\` in 2020-12, which only we and ajv still enforce: there ajv decides, and where it differs all three are asked again, with patterns in the place of formats; neighbours of a \`$ref\` in draft-07, which we
enforce; annotations of the wrong form, and an \`enum\` of nothing or with one thing twice, which meta-schemas refuse and we do not. A part of a run this small is a test (\`test/validation/fuzz.test.ts\`).
`

export function writeReport(): string {
  const runs = readFileSync(RUNS, 'utf8')
    .trim()
    .split('\n')
    .map(line => parseJsonText(line).value as unknown as Summary)
  const rows = runs.map(({ date, seed, part, kind, cpuSeconds, counts, longestCompile, longestCheck, longestTurn, stalls, findings }) =>
    row(
      date,
      seed,
      part,
      kind,
      amount(counts.checks),
      amount(counts.schemas),
      cpuSeconds,
      ms(longestCompile),
      ms(longestCheck),
      longestTurn === undefined || longestTurn.ms === 0 ? '' : ms(longestTurn),
      stalls,
      findings,
    ),
  )
  const head = [
    'date',
    'seed',
    'part',
    'kinds',
    'checks',
    'schemas and patterns',
    'CPU s',
    'longest read, ms',
    'longest check, ms',
    'longest turn, ms',
    'over 20 ms',
    'findings',
  ]
  const total = totals(runs)
  return `${INTRODUCTION}
## What has been run

${row(...head)}
${row(...head.map(() => '---'))}
${rows.join('\n')}

In all ${amount(total.get('checks'))} checks of ${amount(total.get('schemas'))} schemas and patterns, ${amount(sum(runs.map(({ findings }) => findings)))} findings. Runs before these had some, and each is a test now: an \`anyOf\` of
nothing was taken for one that anything fits, and a \`multipleOf\` that no double holds for the double beside it; a request of ninety thousand names held the thread for 100 ms, and a list of one long number for 24. Requests full of
escapes held it for 23 ms on a machine with much else to do; escapes are read faster since.

| what became of them | times |
|---|---|
${[...total]
  .filter(([what]) => !HIDDEN.has(what))
  .map(([what, times]) => row(what, amount(times)))
  .join('\n')}

*ajv alone*: Hyperjump and we agree, and ajv does not. Nearly all are \`unevaluatedProperties\` and \`unevaluatedItems\` across choices and references; the rest is an empty name in \`required\`, which it overlooks, and \`contains\` beside a list of \`items\` in draft-07. *Hyperjump alone*: the neighbours of a \`$ref\` in draft-07. *Over the
budget*: the check was ended unfinished, and a call like that is refused. *A request*, *a list*: how it ended; what is too much to read is refused before anything else is done with it.
`
}

const HIDDEN: ReadonlySet<string> = new Set(['cases', 'checks', 'schemas', 'requests', 'lists'])

function totals(runs: readonly Summary[]): Map<string, number> {
  const total = new Map<string, number>()
  for (const { counts } of runs) for (const [what, times] of Object.entries(counts)) total.set(what, (total.get(what) ?? 0) + times)
  return new Map([...total].sort(([a], [b]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)))
}

function row(...cells: readonly (string | number)[]): string {
  return `| ${cells.map(cell => String(cell).replaceAll('|', '\\|')).join(' | ')} |`
}

function amount(times = 0): string {
  return times.toLocaleString('en-US')
}

function ms(longest: Longest): string {
  return longest.ms.toFixed(1)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0)
}
