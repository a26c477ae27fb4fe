import { digestOfSet, type Reviewed } from '../catalog/index.ts'
import type { CommandIo } from './io.ts'
import { moreWords } from './pins-decider.ts'
import { isMeant, isPlain, type Meant, needsReason, needsReview, type PinsSession } from './pins-session.ts'
import { folderWords } from './policy-folder.ts'

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

/** Which are meant by `--all`. A digest alone says what one item is; of all, which are meant must be said. */
export function allWords({ kind, variant }: Pick<Meant, 'kind' | 'variant'>): string {
  return ['--all', kind && `--kind ${kind}`, variant && `--variant ${variant}`].filter(Boolean).join(' ')
}

export function diffCommand(alias: string, policies: string): string {
  return `wicketgate pins diff ${alias}${folderWords(policies)}`
}

export interface Desk {
  readonly io: CommandIo
  readonly session: PinsSession
  /** The folder as it was given. */
  readonly policies: string
}

/** How to approve, at once, exactly what is new and plain of this; `undefined` where that is not several. */
export function approveAllCommand(
  { io, session, policies }: Desk,
  alias: string,
  items: readonly Reviewed[],
  meant: Pick<Meant, 'kind' | 'variant'>,
): string | undefined {
  const plain = items.filter(item => isPlain(item) && isMeant(item, { kind: meant.kind, variant: meant.variant }))
  if (plain.length < 2) return undefined
  const what = `${allWords(meant)} --digest ${digestOfSet(plain.map(({ seen }) => seen?.pin ?? ''))}`
  return decideCommand({ verb: 'approve', alias, what, policies, more: moreWords({}, io, { reason: false, key: session.isSigned }) })
}

export interface DecideCommands {
  readonly approve: string
  readonly reject: string
}

/** How to say yes and no to what an item shows; `undefined` where nothing waits to be decided. */
export function decideCommands({ io, session, policies }: Desk, alias: string, item: Reviewed): DecideCommands | undefined {
  if (item.seen === undefined || !needsReview(item)) return undefined
  const [key, what] = [session.isSigned, `--digest ${item.seen.pin}`]
  const command = (verb: 'approve' | 'reject', reason: boolean) =>
    decideCommand({ verb, alias, what, policies, more: moreWords({}, io, { reason, key }) })
  return { approve: command('approve', needsReason(item)), reject: command('reject', true) }
}
