import { isAbsolute } from 'node:path'

/** Longest word; Linux has room for twice as much in one. */
const MAX_LENGTH = 65_536

/** Why this cannot be an argument or a value of the environment. */
export function argumentProblem(text: string): string | undefined {
  if (text.includes('\0')) return 'no program can be given a NUL character'
  return text.length > MAX_LENGTH ? `must be at most ${MAX_LENGTH} characters` : undefined
}

/** A relative path would be looked for wherever the gateway happens to run. */
export function programProblem(text: string): string | undefined {
  if (text === '') return 'the program must be named'
  if (isAbsolute(text)) return undefined
  if (/\s/.test(text)) return 'this is one word, and no shell takes it apart: write each argument as an entry of its own'
  return text.includes('/') ? 'a program is an absolute path, or a name without "/" that PATH finds' : undefined
}

export function directoryProblem(text: string): string | undefined {
  return isAbsolute(text) ? argumentProblem(text) : 'directory must be an absolute path'
}

export function environmentNameProblem(text: string): string | undefined {
  return /^[A-Za-z_][A-Za-z0-9_]{0,255}$/.test(text)
    ? undefined
    : 'a variable is named by letters, digits and "_", and does not begin with a digit'
}

/** Why a variable may not be handed on. */
export function passedNameProblem(text: string): string | undefined {
  return text.startsWith('WICKETGATE_') ? "the gateway's own settings are not handed on" : environmentNameProblem(text)
}
