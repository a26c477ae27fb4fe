import type { Finding, FindingCode } from '../../src/catalog/findings.ts'
import { FINDINGS } from '../../src/catalog/findings-codes.ts'
import { ATTACK_CLASSES, type AttackClass } from './example.ts'
import { isSerious, type Score, type Scored } from './score.ts'

export interface Part {
  readonly name: 'open' | 'counted' | 'held-out' | 'independent'
  readonly score: Score
}

/** docs/findings.md, whole. */
export function writeReport(parts: readonly Part[]): string {
  return `${[
    INTRODUCTION,
    '## How much is found',
    ABOUT_PARTS,
    ...parts.flatMap(part => [`### ${title(part)}`, recallTable(part.score)]),
    '## False alarms',
    ABOUT_HONEST,
    alarmTable(parts),
    ...parts.flatMap(part => [`### ${title(part)}: which`, alarmList(part.score)]),
    '## What was missed',
    ABOUT_MISSED,
    ...parts.flatMap(part => [`### ${title(part)}: missed`, missedList(part.score)]),
    '## All findings',
    ABOUT_CODES,
    codeTable(),
  ].join('\n\n')}\n`
}

const INTRODUCTION = `# Findings

Written by \`npm run eval:findings\`; do not edit. \`-- --check\` fails when it is not what the script would write.

Findings are **advice to a reviewer**. They say where to look; they do not say that a descriptor is safe, and none of the numbers below
does. What is found are ways to write known attacks, in English. Who knows this page can write text that nothing here finds; the
last two parts below show how easily. What protects is that a person reads what is new before anybody is shown it, and that what was
approved cannot change: [pins.md](pins.md).`

const ABOUT_PARTS = `Words are found in two ways: by phrases (most of the serious findings), and by *signs that meet*, each of them weak: somebody is spoken to,
something that is not the tool's business is to be handed over, a protection does not count, something stays unseen, another tool is worse
(\`src/catalog/findings-rules.ts\`). Each such finding shows the words.

The examples are ours, in \`eval/findings/\`, written after published classes of attack, in four parts:

- **Open**: written before the scanners were worked on, and in sight while they were.
- **Counted**: written at the same time and held out. When it was counted, after the first round of work, 36 of its 54 hostile examples were
  found, 17 of them seriously, and 12 of its 50 honest ones were spoken of. In the second round it was in sight, too.
- **Held out**: written before the second round, in words meant to be other ones. Who works on the scanners does not look at it. After the
  second round, when words were found by phrases alone, it had 2 of its 22 examples of tool poisoning, full-schema poisoning, line
  jumping and preference manipulation found. That is why there was a third round, in which signs were added, with the open and the counted
  part in sight, more than a thousand descriptions of public servers, and 317 attacks invented for it, which are not kept.
- **Independent**: written during the third round by somebody who had seen neither the scanners nor the other parts, and counted after it,
  once. Before that round 63 of its 127 hostile examples were found, and 41 of its 139 honest items were spoken of; after it 97 and 64. Two
  things were changed when that was seen. A scanner for the *tone* of sentences was taken out again: it spoke of 15 honest items and of 18
  hostile ones. And three honest items had a serious finding for words that say the opposite; what is found was made narrower there. One has it still,
  rightly: it quotes attacks.

The numbers of the open and the counted part are what was fitted; the other two are what is left of that when somebody chooses other
words. Hidden characters, names and changes are found by what they are, and the numbers hold; words are found by the words, and they hold
less. "Serious" is the level \`block\`: the item also stays pending under trust on first use.

In the classes *rug pull* and *per-user poisoning*, what is counted is whether the review says more than that something changed. The
change itself is always noticed and refused, whatever it is: the pin is another one.`

const ABOUT_HONEST = `Descriptors modelled on what widely used servers look like, in our words, with all that makes them hard: instructions to the model,
secrets, keys, other scripts, emoji, words about their own tools. Each server is scanned as a whole, beside all the other ones of its part.
*Changes* are what honest releases bring: for these, a reviewer wants to be told of some.`

const ABOUT_MISSED = 'Nothing at all was said about these.'

const ABOUT_CODES =
  'The code is stable, for programs. `block` is serious: printed with `!!`, decided with a reason, never trusted on first use.'

const TITLES = { open: 'Open', counted: 'Counted', 'held-out': 'Held out', independent: 'Independent' } as const

function title({ name }: Part): string {
  return TITLES[name]
}

const isBlock = ({ level }: Finding) => level === 'block'
const isFound = ({ findings }: Scored) => findings.length > 0

function recallTable({ hostile }: Score): string {
  const row = (name: string, list: readonly Scored[]) => [name, list.length, share(list, isFound), share(list, isSerious)]
  const rows = ATTACK_CLASSES.map(name => row(name, hostile.get(name) ?? []))
  const all = ATTACK_CLASSES.flatMap(name => hostile.get(name) ?? [])
  return table(['class', 'examples', 'found', 'serious'], [...rows, row('**all**', all)])
}

function alarmTable(parts: readonly Part[]): string {
  return table(
    ['', 'examples', 'any finding', 'serious'],
    parts.flatMap(({ name, score: { honest } }) =>
      (['items', 'changes'] as const).map(what => {
        const list = honest.flatMap(server => server[what])
        return [`${TITLES[name].toLowerCase()}, ${what}`, list.length, share(list, isFound), share(list, isSerious)]
      }),
    ),
  )
}

function alarmList({ honest }: Score): string {
  const rows = honest.flatMap(({ items, changes }) =>
    [...items, ...changes].filter(isFound).map(({ id, about, findings }) => [id, about, codesOf(findings).join(' ')]),
  )
  return table(['honest', 'what', 'findings'], rows)
}

/** Serious ones in bold. */
function codesOf(findings: readonly Finding[]): readonly string[] {
  return [...new Set(findings.map(finding => (isBlock(finding) ? `**${finding.code}**` : finding.code)))]
}

function missedList({ hostile }: Score): string {
  const rows = ATTACK_CLASSES.flatMap((name: AttackClass) =>
    (hostile.get(name) ?? []).filter(each => !isFound(each)).map(({ id, about }) => [id, name, about]),
  )
  return rows.length === 0 ? 'None.' : table(['', 'class', 'what it is after'], rows)
}

function codeTable(): string {
  const rows = (Object.keys(FINDINGS) as FindingCode[]).map(code => [`\`${code}\``, FINDINGS[code][0], FINDINGS[code][1]])
  return table(['code', 'level', 'what it says'], rows)
}

function share(list: readonly Scored[], is: (each: Scored) => boolean): string {
  const count = list.filter(is).length
  return `${count} (${list.length === 0 ? 0 : Math.round((100 * count) / list.length)} %)`
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}
