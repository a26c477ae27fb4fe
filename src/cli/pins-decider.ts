import type { CommandIo } from './io.ts'
import { shellWord } from './policy-folder.ts'

/** What a printed command has where a person must put something; as it stands it is no answer. */
const PLACEHOLDER = '…'

interface Words {
  readonly by?: string
  readonly reason?: string
  readonly key?: string
}

/** What a decision cannot do without. */
export interface Needs {
  readonly reason: boolean
  /** Lock files must be signed here. */
  readonly key: boolean
}

/** Who decides: what `--by` says, or the user's name. `root` is whoever has the machine, and so the name of nobody. */
export function deciderOf({ by }: Words, { environment }: CommandIo): string | undefined {
  if (by !== undefined) return said(by)
  const user = said(environment.USER ?? environment.LOGNAME)
  return user === 'root' ? undefined : user
}

export function reasonOf({ reason }: Words): string | undefined {
  return said(reason)
}

/** The file with the private key. */
export function keyFileOf({ key }: Words): string | undefined {
  return said(key)
}

/** `--by`, `--reason` and `--key` for the command that follows: as they were given, or to be filled in. */
export function moreWords(words: Words, io: CommandIo, needs: Needs): string {
  const isNamed = words.by === undefined && deciderOf(words, io) !== undefined
  return [
    word('--by', said(words.by), !isNamed),
    word('--reason', said(words.reason), needs.reason),
    word('--key', said(words.key), needs.key),
  ].join('')
}

function word(option: string, given: string | undefined, isNeeded: boolean): string {
  if (given !== undefined) return ` ${option} ${shellWord(given)}`
  return isNeeded ? ` ${option} "${PLACEHOLDER}"` : ''
}

function said(text: string | undefined): string | undefined {
  const trimmed = text?.trim()
  return trimmed === '' || trimmed === PLACEHOLDER ? undefined : trimmed
}
