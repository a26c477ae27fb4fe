import type { Reviewed } from '../catalog/index.ts'
import type { CommandIo } from './io.ts'
import { moreWords } from './pins-decider.ts'
import { needsReason, needsReview, type PinsSession } from './pins-session.ts'
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

export function diffCommand(alias: string, policies: string): string {
  return `wicketgate pins diff ${alias}${folderWords(policies)}`
}

export interface Desk {
  readonly io: CommandIo
  readonly session: PinsSession
  /** The folder as it was given. */
  readonly policies: string
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
