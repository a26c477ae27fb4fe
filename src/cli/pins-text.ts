import { styleText } from 'node:util'
import { diffLines, type Lock, type PinKind, type Reviewed, type UpstreamReview, visible, visibleName } from '../catalog/index.ts'
import type { Configuration, UpstreamConfig } from '../core/configuration.ts'
import { explainUnreachable } from './command-failed.ts'
import type { CommandIo } from './io.ts'
import { needsReview } from './pins-session.ts'
import { folderWords } from './policy-folder.ts'

const HEADING = 'bold'

/** How an item is called in what is printed: its kind first where it is no tool, and where its name could be read as if it were none. */
export function itemName({ kind, name }: { readonly kind: PinKind; readonly name: string }): string {
  if (kind === 'server') return 'server instructions'
  return kind === 'tool' && !name.includes(' ') ? visibleName(name) : `${kind} ${visibleName(name)}`
}

/** One upstream's items, a line each. */
export function summaryText(io: CommandIo, { alias, url }: UpstreamConfig, { items, withheld, unread }: UpstreamReview): string {
  const rows = items.map(item => [labelOf(item), itemName(item), noteOf(item)])
  for (const item of withheld) rows.push(['withheld', itemName(item), item.reason])
  if (rows.length === 0 && unread.length === 0) rows.push(['', 'it lists nothing', ''])
  return `${paint(io, HEADING, alias)}  ${url}\n${rows.length === 0 ? '' : `${table(rows)}\n`}`
}

/** Lists that could not be read, a line each. */
export function unreadText(alias: string, { unread }: UpstreamReview): string {
  return unread.map(({ kind, error }) => `${alias}: its list of kind ${kind} cannot be read: ${explainUnreachable(error)}\n`).join('')
}

export function lockText(upstream: UpstreamConfig, lock: Lock | undefined): string {
  const { alias, url } = upstream
  if (lock === undefined) return `${alias}  ${url}\n  nothing was decided yet; see \`wicketgate pins fetch\`\n`
  const rows = lock.items.map(({ state, kind, name, pin, by, at, reason }) => [
    state,
    itemName({ kind, name }),
    `${pin}  ${visibleName(at)}  ${visibleName(by)}  ${visibleName(reason)}`.trimEnd(),
  ])
  const other =
    lock.url === url && lock.alias === alias
      ? ''
      : `  approved for ${visible(lock.alias)} at ${visible(lock.url)}, which is another server: nothing of it counts\n`
  return `${alias}  ${url}\n${other}${table(rows)}\n`
}

/** Everything a reviewer should see of one item before deciding: state, findings, each change. */
export function reviewText(io: CommandIo, alias: string, item: Reviewed): string {
  const { seen, approved, findings, unenforceable } = item
  const color = io.showsColor === true
  const lines = [`${paint(io, HEADING, `${alias}  ${itemName(item)}`)}  ${labelOf(item)}`]
  if (seen !== undefined) lines.push(`  ${seen.pin}`)
  if (unenforceable !== undefined) lines.push(`  ! cannot be enforced and stays withheld even when approved: ${visibleName(unenforceable)}`)
  for (const { level, pointer, message } of findings) lines.push(`  ${level === 'block' ? '!!' : '! '} ${visibleName(pointer)}: ${message}`)
  const changes = item.state === 'approved' ? [] : diffLines(approved?.descriptor, seen?.descriptor, { color })
  for (const line of changes) lines.push(`  ${line}`)
  return `${lines.join('\n')}\n`
}

/** When a gateway that runs does what this command has just seen. */
export function lookText({ pins }: Configuration): string {
  const [unit, unitMs] = UNITS.find(([, size]) => pins.pollMs % size === 0) ?? ['ms', 1]
  const most = `${pins.pollMs / unitMs}${unit}`
  return `A running gateway notices at its next look, at most ${most} from now (pins.pollEvery); until then callers see what was approved.\n`
}

const UNITS = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const

/** What `--all` leaves out although it waits, a line each. */
export function leftText(alias: string, items: readonly Reviewed[]): string {
  const why = (item: Reviewed) =>
    item.state === 'drifted' ? 'its text has changed' : item.unenforceable === undefined ? 'serious findings' : 'it cannot be enforced'
  return items.map(item => `waits     ${alias}  ${itemName(item)}  not part of --all: ${why(item)}\n`).join('')
}

interface DecideCommand {
  readonly verb: 'approve' | 'reject'
  readonly alias: string
  /** The digest, and `--all`. */
  readonly what: string
  readonly policies: string
  /** In words: what was given, or a placeholder; empty where none is needed. */
  readonly more: string
}

/** The command that decides exactly what was shown. An item's name never enters it: it is the server's text, and would be run by a shell. */
export function decideCommand({ verb, alias, what, policies, more }: DecideCommand): string {
  return `wicketgate pins ${verb} ${alias} ${what}${folderWords(policies)}${more}`
}

function labelOf({ state, cosmetic }: Reviewed): string {
  return state === 'drifted' && cosmetic ? 'drifted (order only)' : state
}

function noteOf(item: Reviewed): string {
  if (!needsReview(item)) return ''
  const { findings, unenforceable, seen } = item
  const count = findings.length === 0 ? '' : `  ${findings.length} finding${findings.length === 1 ? '' : 's'}`
  return `${seen?.pin ?? ''}${count}${unenforceable === undefined ? '' : '  cannot be enforced'}`
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = [0, 1].map(column => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  return rows.map(([a = '', b = '', c = '']) => `  ${a.padEnd(widths[0] ?? 0)}  ${b.padEnd(widths[1] ?? 0)}  ${c}`.trimEnd()).join('\n')
}

function paint(io: CommandIo, style: typeof HEADING, text: string): string {
  return io.showsColor === true ? styleText(style, text, { validateStream: false }) : text
}
