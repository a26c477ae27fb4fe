import { join, relative } from 'node:path'
import { type Fault, formatFaults, type LoadedPolicies, loadPolicies } from '../policy/index.ts'
import { DEFAULTS } from '../settings.ts'
import type { CommandIo } from './io.ts'

const DEFAULT_FOLDER = DEFAULTS.policies
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
