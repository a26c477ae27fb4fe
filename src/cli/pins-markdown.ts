import type { Lock, Reviewed } from '../catalog/index.ts'
import type { UpstreamConfig } from '../core/configuration.ts'
import { aliasOfVariant } from '../core/variant.ts'
import { approveAllCommand, type Desk, decideCommands } from './pins-commands.ts'
import { aboutLines, changeLines, findingLines, headingsOf, itemName, LEGEND, labelOf, noteLines, standingOf } from './pins-review-text.ts'
import { type Looked, type Meant, needsReview } from './pins-session.ts'
import { lockText, summaryText, unreadText } from './pins-text.ts'
import { serverWords } from './server-words.ts'

interface Scope extends Meant {
  readonly command: 'fetch' | 'diff'
}

/**
 * `fetch` and `diff` for pull requests. Nothing that comes from a server, a lock file or a policy stands outside of a code block, where
 * Markdown and HTML mean nothing; aliases and kinds do, which are of a few harmless characters.
 */
export function lookMarkdown(desk: Desk, all: readonly Looked[], { command, name, ...meant }: Scope): string {
  const blocks = [`# Pins: ${titleOf(all)}`, fence(LEGEND)]
  for (const each of all) {
    const { upstream, review, shown, failure } = each
    const items = command === 'diff' ? shown : shown.filter(needsReview)
    if (command === 'diff' && items.length === 0 && isWhole(each)) continue
    blocks.push(`## ${upstream.alias}`)
    const problems = failure ?? unreadText(upstream.alias, review)
    if (problems !== '') blocks.push('**It could not be read as a whole:**', fence(problems))
    if (command === 'fetch' && failure === undefined) blocks.push(fence(`${serverWords(upstream.url)}\n${summaryText(review)}`))
    for (const [index, item] of items.entries()) blocks.push(...itemBlocks(desk, upstream.alias, item, index + 1))
    const approveAll = name === undefined ? approveAllCommand(desk, upstream.alias, review.items, meant) : undefined
    if (approveAll !== undefined)
      blocks.push('**To approve everything above that is new and has no serious finding:**', fence(approveAll, 'sh'))
  }
  return `${blocks.join('\n\n')}\n`
}

function titleOf(all: readonly Looked[]): string {
  const waiting = all.reduce((sum, { shown }) => sum + shown.filter(needsReview).length, 0)
  const words = waiting === 0 ? 'nothing waits for review' : waiting === 1 ? '1 item waits for review' : `${waiting} items wait for review`
  return all.every(isWhole) ? words : `not everything could be read, ${waiting === 0 ? 'and nothing of the rest waits' : words}`
}

function isWhole({ failure, review }: Looked): boolean {
  return failure === undefined && review.unread.length === 0
}

/** `list` for pull requests. */
export function listMarkdown(locks: readonly (readonly [UpstreamConfig, Lock | undefined])[], isSigned: boolean): string {
  return `${['# Pins: what was decided', ...locks.map(([upstream, lock]) => fence(lockText(upstream, lock, isSigned)))].join('\n\n')}\n`
}

function itemBlocks(desk: Desk, alias: string, item: Reviewed, number: number): readonly string[] {
  const { risks, findings, seen } = item
  const rest = findings.filter(finding => !risks.includes(finding))
  const [risk, change, other] = headingsOf(item)
  const commands = decideCommands(desk, alias, item)
  const facts = [
    `${aliasOfVariant(alias, item.variant)}  ${itemName(item)}`,
    standingOf(item),
    seen?.pin ?? '',
    ...aboutLines(item),
    ...noteLines(item),
  ].filter(line => line !== '')
  const lines = changeLines(item, false)
  return [
    `### ${number}. ${item.kind}, ${labelOf(item)}`,
    fence(facts.join('\n')),
    ...(risk === undefined
      ? []
      : [`**${heading(risk)}**${risks.length === 0 ? ' Nothing was recognized, which proves nothing: read it.' : ''}`]),
    ...(risks.length === 0 ? [] : [fence(risks.flatMap(findingLines).join('\n'))]),
    ...(lines.length === 0 ? [] : [`**${heading(change)}**`, fence(lines.map(diffLine).join('\n'), 'diff')]),
    ...(rest.length === 0 ? [] : [`**${heading(other)}**`, fence(rest.flatMap(findingLines).join('\n'))]),
    ...(commands === undefined
      ? []
      : ['**To refuse it, or to approve exactly this:**', fence(`${commands.reject}\n${commands.approve}`, 'sh')]),
  ]
}

function heading(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const INDENT = '    '

/** Signs at the margin, where code hosts colour them; places as they show places. */
function diffLine(line: string): string {
  return line.startsWith(INDENT) ? line.slice(INDENT.length) : `@@ ${line} @@`
}

/**
 * A block of code that its text cannot end: its fence is longer than any run of backticks in it (CommonMark §4.5). Control characters,
 * the ends of lines among them, were spelled out before; the lines are ours.
 */
function fence(text: string, language = 'text'): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}${language}\n${text.replace(/\n+$/, '')}\n${ticks}`
}
