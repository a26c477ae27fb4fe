import { styleText } from 'node:util'
import { changesOf, diffLines, type Finding, foldLine, type LockItem, type PinKind, type Reviewed, visibleName } from '../catalog/index.ts'
import { aliasOfVariant } from '../core/variant.ts'
import type { CommandIo } from './io.ts'

/** For whoever does this for the first time. */
export const LEGEND = `What a server says of its tools reaches a model, and a model may do what it reads. Approve only words that you would say to it yourself,
inputs and values that an agent may use without asking anybody, and claims that you believe. If you cannot tell, refuse, and ask whoever runs the server.
  !! serious   ! worth a look   + added   - removed   ~ changed: {+added+} [-removed-]   \\u{…} a hidden character
  ↳ the line before goes on`

/** How an item is called in what is printed: its kind first where it is no tool, and where its name could be read as if it were none. */
export function itemName({ kind, name }: { readonly kind: PinKind; readonly name: string }): string {
  if (kind === 'server') return 'server instructions'
  return kind === 'tool' && !name.includes(' ') ? visibleName(name) : `${kind} ${visibleName(name)}`
}

export function labelOf({ state, cosmetic }: Reviewed): string {
  return state === 'drifted' && cosmetic ? 'drifted (order only)' : state
}

/** Everything a reviewer should see of one item before deciding: what it is, the risk, each change, what else was found. */
export function reviewLines(io: CommandIo, alias: string, item: Reviewed): readonly string[] {
  const { seen, risks, findings } = item
  const rest = findings.filter(finding => !risks.includes(finding))
  const [risk, change, other] = headingsOf(item)
  const changes = changeLines(item, io.showsColor === true)
  return [
    `${paint(io, 'bold', `${aliasOfVariant(alias, item.variant)}  ${itemName(item)}`)}  ${labelOf(item)}: ${standingOf(item)}`,
    ...(seen === undefined ? [] : [`  ${seen.pin}`]),
    ...[...aboutLines(item), ...noteLines(item)].map(line => `  ${line}`),
    ...(risk === undefined ? [] : [`  ${risk}${risks.length === 0 ? ` ${NOTHING_FOUND}` : ''}`]),
    ...risks.flatMap(finding => findingLines(finding).map(line => `    ${paint(io, finding.level === 'block' ? 'red' : 'yellow', line)}`)),
    ...(changes.length === 0 ? [] : [`  ${change}`]),
    ...changes.map(line => `    ${line}`),
    ...(rest.length === 0 ? [] : [`  ${other}`]),
    ...rest.flatMap(findingLines).map(line => `    ${line}`),
  ]
}

const NOTHING_FOUND = 'nothing was recognized, which proves nothing: read it'

/** Above the risk, above the change, above what else was found. */
export function headingsOf({ state }: Reviewed): readonly [risk: string | undefined, change: string, other: string] {
  switch (state) {
    case 'drifted':
      return ['risk of the change:', 'what changed:', 'found in it before, too:']
    case 'missing':
      return [undefined, 'what is gone:', 'found in it:']
    case 'approved':
      return [undefined, 'what changed:', 'found in it:']
    default:
      return ['risk:', 'what it says:', 'found in it, too:']
  }
}

/** What changed, line by line; nothing of what is as it was approved. */
export function changeLines({ state, approved, seen }: Reviewed, color: boolean): readonly string[] {
  return state === 'approved' ? [] : diffLines(approved?.descriptor, seen?.descriptor, { color })
}

/** The state in words, with who brought it about. */
export function standingOf(item: Reviewed): string {
  const { state, cosmetic, decided } = item
  const approval = decided === undefined ? 'approved' : `approved by ${sayWho(decided)}`
  switch (state) {
    case 'pending':
      return 'new, nobody has decided about it'
    case 'approved':
      return approval
    case 'drifted':
      return `waits for your decision; ${approval}, and since then ${cosmetic ? 'the order of keys or of sets has changed' : changedWords(item)}`
    case 'rejected':
      return decided === undefined ? 'rejected' : `rejected by ${sayWho(decided)}`
    case 'missing':
      return `${approval}, and not shown any more`
  }
}

function changedWords({ approved, seen }: Reviewed): string {
  const { length } = changesOf(approved?.descriptor, seen?.descriptor)
  return `${length} ${length === 1 ? 'place has' : 'places have'} changed, nothing else`
}

/** What it says it is, where that has not changed and so stands nowhere below: a value means little without it. */
export function aboutLines({ state, approved, seen }: Reviewed): readonly string[] {
  const text = seen?.descriptor.description
  if (state !== 'drifted' || typeof text !== 'string' || approved?.descriptor.description !== text) return []
  return foldLine(`it says of itself, as before: ${visibleName(text)}`)
}

export function sayWho({ by, at, reason }: LockItem): string {
  return `${visibleName(by)} on ${visibleName(at.slice(0, 10))}${reason === '' ? '' : ` ("${visibleName(reason)}")`}`
}

/** What a reviewer should know beside the text. */
export function noteLines({ rejections, unenforceable }: Reviewed): readonly string[] {
  return [
    ...(unenforceable === undefined ? [] : [`! cannot be enforced and stays withheld even when approved: ${visibleName(unenforceable)}`]),
    ...rejections.map(item => `! another text of it was rejected by ${sayWho(item)}`),
  ]
}

export function findingLines({ level, pointer, message }: Finding): readonly string[] {
  return foldLine(`${level === 'block' ? '!!' : '! '} ${visibleName(pointer)}: ${message}`)
}

export function paint(io: CommandIo, style: 'bold' | 'red' | 'yellow', text: string): string {
  return io.showsColor === true ? styleText(style, text, { validateStream: false }) : text
}
