import { join, relative } from 'node:path'
import { type Fault, formatFaults, type LoadedPolicies, loadPolicies, PolicyFaults } from '../policy/index.ts'
import { type CommandIo, EXIT } from './io.ts'

export const DEFAULT_FOLDER = './policies'
export const FOLDER_OPTION = '--policies <directory>'
export const FOLDER_HELP = 'the policy folder (WICKETGATE_POLICIES)'

/** The folder that `serve` would take, too. */
export function defaultFolder({ environment }: CommandIo): string {
  return environment.WICKETGATE_POLICIES || DEFAULT_FOLDER
}

/** What a printed command needs to find the same folder again. */
export function folderWords(policies: string): string {
  return policies === DEFAULT_FOLDER ? '' : ` --policies ${shellWord(policies)}`
}

/** One word for a shell, whatever is in it. */
export function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** Loads without knowing a listener: whether an anonymous endpoint may be served is decided where one is opened. */
export function loadFolder(directory: string, io: CommandIo, credentials: 'resolve' | 'skip'): Promise<LoadedPolicies> {
  return loadPolicies(directory, { environment: io.environment, listenerIsLoopback: true, allowAnonymous: false, credentials })
}

/** Faults with their files as they are found from where we stand, so that a terminal can open them. */
export function faultLines(policies: string, faults: readonly Omit<Fault, 'code'>[]): string {
  return formatFaults(faults.map(fault => ({ ...fault, file: pathOf(policies, fault.file) })))
}

/** The shorter way to a file of the folder: from the working directory, or the way that was given. */
export function pathOf(policies: string, file: string): string {
  const path = join(policies, file)
  const fromHere = relative('', path)
  return fromHere.startsWith('..') ? path : fromHere
}

/** Like `loadFolder`; faults are printed, the exit code is 2, and there is no result. */
export async function loadFolderOrReport(directory: string, io: CommandIo): Promise<LoadedPolicies | undefined> {
  try {
    return await loadFolder(directory, io, 'skip')
  } catch (error) {
    if (!(error instanceof PolicyFaults)) throw error
    io.stderr(`${faultLines(directory, error.faults)}\n`)
    io.setExitCode(EXIT.faults)
    return undefined
  }
}
