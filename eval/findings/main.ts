/**
 * `npm run eval:findings`: how many of our hostile descriptors the findings speak of, by class of attack, and of which honest ones. Prints
 * the numbers and writes docs/findings.md; with `-- --check` compares it instead. `-- --open` prints which of the open part are missed and
 * alarm, and leaves the held-out part alone: for whoever works on the scanners.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { honest as countedHonest } from './counted/honest.ts'
import { hostile as countedHostile } from './counted/hostile.ts'
import { honest as heldOutHonest } from './held-out/honest.ts'
import { hostile as heldOutHostile } from './held-out/hostile.ts'
import { honest as independentHonest, QUOTES_ATTACKS } from './independent/honest.ts'
import { hostile as independentHostile } from './independent/hostile.ts'
import { honest } from './open/honest.ts'
import { hostile } from './open/hostile.ts'
import { type Part, writeReport } from './report.ts'
import { type Score, type Scored, score } from './score.ts'

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false }, open: { type: 'boolean', default: false } } })
const DOCUMENT = fileURLToPath(new URL('../../docs/findings.md', import.meta.url))

const say = (line: string): boolean => process.stdout.write(`${line}\n`)

const open = score(hostile, honest)
const counted = score(countedHostile, countedHonest)
if (values.open) for (const part of [open, counted]) tellOpen(part)
else
  await report([
    { name: 'open', score: open },
    { name: 'counted', score: counted },
    { name: 'held-out', score: score(heldOutHostile, heldOutHonest) },
    { name: 'independent', score: score(independentHostile, independentHonest) },
  ])

async function report(parts: readonly Part[]): Promise<void> {
  if (!values.check) for (const part of parts) tellNumbers(part)
  // A serious finding in an honest descriptor would keep it from being trusted: that is a fault, not a number.
  const serious = parts.flatMap(({ score: { honest: servers } }) =>
    servers.flatMap(({ items, changes }) => [...items, ...changes].filter(hasBlock)),
  )
  for (const { id } of serious) if (id !== QUOTES_ATTACKS) say(`serious finding in an honest descriptor: ${id}`)
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
  return `${list.filter(({ findings }) => findings.length > 0).length} of ${list.length}, serious ${list.filter(hasBlock).length}`
}

function hasBlock({ findings }: Scored): boolean {
  return findings.some(({ level }) => level === 'block')
}
