import { type Lock, type LockItem, type Reviewed, type UpstreamReview, visible, visibleName } from '../catalog/index.ts'
import type { Configuration, UpstreamConfig } from '../core/configuration.ts'
import { aliasOfVariant } from '../core/variant.ts'
import { explainUnreachable } from './command-failed.ts'
import { counted } from './counted.ts'
import { type DecideCommands, type Desk, decideCommands, diffCommand } from './pins-commands.ts'
import { itemName, LEGEND, labelOf, paint, reviewLines } from './pins-review-text.ts'
import { isPlain, type Looked, needsReview } from './pins-session.ts'
import { folderWords } from './policy-folder.ts'
import { serverWords } from './server-words.ts'

/** What `fetch` shows: a line for each item. */
export function fetchText({ io, session, policies }: Desk, all: readonly Looked[]): string {
  const parts = all.flatMap(({ upstream, review, failure }) => {
    if (failure !== undefined) return []
    const { alias, url } = upstream
    const table = `${paint(io, 'bold', alias)}  ${serverWords(url)}\n${summaryText(review)}`
    return review.items.some(needsReview) ? [table, `  to review: ${diffCommand(alias, policies)}\n`] : [table]
  })
  return parts.join('') + driftText(session.configuration, all)
}

/** What `diff` shows: everything a reviewer should know before deciding, and how to decide. */
export function diffText(desk: Desk, all: readonly Looked[], isAll: boolean): string {
  const { io, session, policies } = desk
  const parts: string[] = []
  for (const { upstream, shown } of all) {
    const { alias } = upstream
    for (const item of shown) {
      const commands = decideCommands(desk, alias, item)
      const decide = commands === undefined ? '' : decideText(commands)
      parts.push(`${reviewLines(io, alias, item).join('\n')}\n${decide}\n`)
    }
    if (isAll && shown.filter(isPlain).length > 1)
      parts.push(`all new ones of ${alias}: wicketgate pins approve ${alias} --all${folderWords(policies)}\n`)
  }
  const isQuiet = all.every(({ shown, failure }) => failure === undefined && !shown.some(needsReview))
  return (
    (parts.length === 0 ? '' : `${LEGEND}\n\n`) +
    parts.join('') +
    driftText(session.configuration, all) +
    (isQuiet ? 'nothing waits for review\n' : '')
  )
}

/** No first: what stands first looks like advice. */
function decideText({ approve, reject }: DecideCommands): string {
  return `  to refuse it:\n    ${reject}\n  to approve exactly this, and nothing else of the server:\n    ${approve}\n`
}

/** One upstream's items, a line each. */
export function summaryText({ items, withheld, unread }: UpstreamReview): string {
  const rows = items.map(item => [labelOf(item), nameInTable(item), noteOf(item)])
  for (const item of withheld) rows.push(['withheld', nameInTable(item), item.reason])
  if (rows.length === 0 && unread.length === 0) rows.push(['', 'it lists nothing', ''])
  return rows.length === 0 ? '' : `${table(rows)}\n`
}

/** With the class of principals that is shown it, where it is not shown to all. */
function nameInTable(item: Pick<LockItem, 'kind' | 'name' | 'variant'>): string {
  return aliasOfVariant(itemName(item), item.variant)
}

/** Lists that could not be read, a line each. */
export function unreadText(alias: string, { unread }: UpstreamReview): string {
  return unread
    .map(
      ({ kind, variant, error }) =>
        `${aliasOfVariant(alias, variant)}: its list of kind ${kind} cannot be read: ${explainUnreachable(error)}\n`,
    )
    .join('')
}

export function lockText(upstream: UpstreamConfig, lock: Lock | undefined, isSigned: boolean): string {
  const { alias, url } = upstream
  if (lock === undefined) return `${alias}  ${serverWords(url)}\n  nothing was decided yet; see \`wicketgate pins fetch\`\n`
  const rows = lock.items.map(item => [item.state, nameInTable(item), `${item.pin}  ${sayDecision(item)}`.trimEnd()])
  const other =
    lock.url === url && lock.alias === alias
      ? ''
      : `  approved for ${visible(lock.alias)} at ${serverWords(lock.url)}, which is another server: nothing of it counts\n`
  const signed =
    lock.signature === undefined
      ? ''
      : `  signed by ${visibleName(lock.signature.keyId)}${isSigned ? '' : ', which nobody checks: there are no pins.signers'}\n`
  return `${alias}  ${serverWords(url)}\n${other}${signed}${rows.length === 0 ? '' : `${table(rows)}\n`}`
}

function sayDecision({ at, by, reason }: LockItem): string {
  return `${visibleName(at)}  ${visibleName(by)}  ${visibleName(reason)}`
}

/** What `--all` leaves out although it waits, a line each. */
export function leftText(alias: string, items: readonly Reviewed[]): string {
  const why = ({ state, rejections, unenforceable }: Reviewed) => {
    if (state === 'drifted') return 'its text has changed'
    if (rejections.length > 0) return 'another text of it was rejected'
    return unenforceable === undefined ? 'serious findings' : 'it cannot be enforced'
  }
  return items
    .map(item => `waits     ${aliasOfVariant(alias, item.variant)}  ${itemName(item)}  not part of --all: ${why(item)}\n`)
    .join('')
}

function driftText(configuration: Configuration, all: readonly Looked[]): string {
  return all.some(({ shown }) => shown.some(({ state }) => state === 'drifted')) ? lookText(configuration) : ''
}

/** What a gateway that runs does about it. */
export function lookText({ pins }: Configuration): string {
  const [unit, unitMs] = UNITS.find(([, size]) => pins.pollMs % size === 0) ?? ['ms', 1]
  const most = `${pins.pollMs / unitMs}${unit}`
  return `No caller sees a text that nobody approved. A running gateway looks again within ${most}, and switches off what has changed; everything else of the server
stays. Approving brings it back as it is now. Refusing and doing nothing both leave it off; what is refused is not asked about again.\n`
}

const UNITS = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const

function noteOf(item: Reviewed): string {
  const { decided, findings, seen, state, unenforceable } = item
  if ((state === 'rejected' || state === 'missing') && decided !== undefined) return `${decided.pin}  ${sayDecision(decided)}`.trimEnd()
  if (!needsReview(item)) return ''
  const count = findings.length === 0 ? '' : `  ${counted(findings.length, 'finding')}`
  return `${seen?.pin ?? ''}${count}${unenforceable === undefined ? '' : '  cannot be enforced'}`
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = [0, 1].map(column => rows.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0))
  return rows.map(([a = '', b = '', c = '']) => `  ${a.padEnd(widths[0] ?? 0)}  ${b.padEnd(widths[1] ?? 0)}  ${c}`.trimEnd()).join('\n')
}
