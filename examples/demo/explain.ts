import { diffLines, type Finding, type Reviewed } from '../../src/catalog/index.ts'

/** Columns of a name, and of the whole line. */
const NAME_WIDTH = 22
const MAX_WIDTH = 112

/** Where an item differs from what was approved, how, and what is odd about it: in one line what `pins diff` says at length. */
export function explain({ kind, name, approved, seen, findings }: Reviewed): string {
  const changes = changesIn(diffLines(approved?.descriptor, seen?.descriptor, { color: false }))
  const found = findings.find(finding => changes.some(change => isAbout(finding, change)))
  const change = changes.find(each => found !== undefined && isAbout(found, each)) ?? changes[0]
  const warning = found === undefined ? '' : `  ${found.level === 'block' ? '!!' : '!'} ${found.message}`
  const line = `${title(kind, name).padEnd(NAME_WIDTH)}  ${short(change?.pointer ?? '')}  ${textOf(change?.lines ?? [])}${warning}`
  return line.length > MAX_WIDTH ? `${line.slice(0, MAX_WIDTH - 1)}…` : line
}

interface Change {
  readonly pointer: string
  readonly lines: readonly string[]
}

/** A pointer, then what changed there, indented. */
function changesIn(lines: readonly string[]): readonly Change[] {
  const changes: { pointer: string; lines: string[] }[] = []
  for (const line of lines) {
    if (line.startsWith(' ')) changes.at(-1)?.lines.push(line.trim())
    else changes.push({ pointer: line, lines: [] })
  }
  return changes
}

/** Of words among words, those that are new or gone; of two values, where they differ. */
function textOf(lines: readonly string[]): string {
  const [words] = /(?:\[-|\{\+).*(?:-\]|\+\})/.exec(lines.join(' ')) ?? []
  if (words !== undefined) return words
  const [was, is] = ['-', '+'].map(sign => lines.filter(line => line.startsWith(sign)).flatMap(line => line.slice(1).trim().split(' ')))
  return differenceOf(was ?? [], is ?? [])
}

function differenceOf(was: readonly string[], is: readonly string[]): string {
  let start = 0
  while (start < Math.min(was.length, is.length) && was[start] === is[start]) start += 1
  let end = 0
  while (end < Math.min(was.length, is.length) - start && was.at(-1 - end) === is.at(-1 - end)) end += 1
  const [gone, added] = [was, is].map(words => words.slice(start, words.length - end).join(' '))
  return `${gone ? `[-${gone}-]` : ''}${added ? `{+${added}+}` : ''}`
}

function isAbout({ pointer }: Finding, change: Change): boolean {
  return change.pointer === pointer || change.pointer.startsWith(`${pointer}/`)
}

function title(kind: string, name: string): string {
  if (kind === 'server') return 'its instructions'
  return kind === 'tool' ? name : `${kind} ${name}`
}

/** The end of a long way. */
function short(pointer: string): string {
  const tokens = pointer.split('/').slice(1)
  return tokens.length > 2 ? `…/${tokens.slice(-2).join('/')}` : pointer
}
