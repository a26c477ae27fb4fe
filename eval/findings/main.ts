/**
 * `npm run eval:findings`: how many of our hostile descriptors the findings speak of, by class of attack, and of which honest ones. Prints
 * the numbers and writes docs/findings.md; with `-- --check` compares it instead. `-- --open` prints which of the open part are missed and
 * alarm, and leaves the held-out part alone: for whoever works on the scanners.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { scoreAll, scoreOpen, seriousInHonest } from './parts.ts'
import { type Part, writeReport } from './report.ts'
import { isSerious, type Score, type Scored } from './score.ts'

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false }, open: { type: 'boolean', default: false } } })
const DOCUMENT = fileURLToPath(new URL('../../docs/findings.md', import.meta.url))

const say = (line: string): boolean => process.stdout.write(`${line}\n`)

if (values.open) for (const part of scoreOpen()) tellOpen(part.score)
else await report(scoreAll())

async function report(parts: readonly Part[]): Promise<void> {
  if (!values.check) for (const part of parts) tellNumbers(part)
  for (const { id } of seriousInHonest(parts)) say(`serious finding in an honest descriptor: ${id}`)
  const text = writeReport(parts)
  const isStale = values.check && (await readFile(DOCUMENT, 'utf8').catch(() => '')) !== text
  if (isStale) say('stale: docs/findings.md; run `npm run eval:findings`')
  else if (!values.check) await writeFile(DOCUMENT, text)
  process.exitCode = isStale ? 1 : 0
}

function tellNumbers({ name, score: { hostile: classes, honest: servers } }: Part): void {
  for (const [attack, list] of classes) say(`${name}  ${attack.padEnd(24)} ${countOf(list)}`)
  for (const what of ['items', 'changes'] as const)
    say(`${name}  ${`honest ${what}`.padEnd(24)} ${countOf(servers.flatMap(server => server[what]))}`)
}

function tellOpen({ hostile: classes, honest: servers }: Score): void {
  for (const [attack, list] of classes) {
    say(`${attack}  ${countOf(list)}`)
    for (const each of list) say(`  ${tell(each)}`)
  }
  say('honest, with findings')
  for (const { items, changes } of servers) for (const each of [...items, ...changes]) if (each.findings.length > 0) say(`  ${tell(each)}`)
}

function tell({ id, about, findings }: Scored): string {
  const codes = findings.map(({ level, code, pointer, message }) => `${level === 'block' ? '!!' : '! '}${code} ${pointer} (${message})`)
  return `${id}  ${about}: ${codes.length === 0 ? 'nothing' : codes.join(', ')}`
}

function countOf(list: readonly Scored[]): string {
  return `${list.filter(({ findings }) => findings.length > 0).length} of ${list.length}, serious ${list.filter(isSerious).length}`
}
