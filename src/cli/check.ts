import { type Command, Option } from 'commander'
import { LockFileError, type LockItem } from '../catalog/index.ts'
import type { Configuration } from '../core/configuration.ts'
import { type Fault, findNotes, type KnownItem, type LoadedPolicies, type Note, PolicyFaults } from '../policy/index.ts'
import { loadApproved } from './approved.ts'
import { counted } from './counted.ts'
import { type CommandIo, EXIT } from './io.ts'
import { defaultFolder, FOLDER_HELP, FOLDER_OPTION, faultLines, loadFolder } from './policy-folder.ts'
import { formatSarif } from './sarif.ts'

interface CheckOptions {
  readonly policies: string
  readonly format: 'text' | 'json' | 'sarif'
  readonly skipCredentials?: true
}

/** `wicketgate check`: reads, checks and compiles a policy folder. Exit code 2 with every fault, or 0, with notes or without. */
export function registerCheck(program: Command, io: CommandIo): void {
  program
    .command('check')
    .description('read, check and compile the policy folder; prints every fault as file:line:column, and notes beside what is approved')
    .option(FOLDER_OPTION, FOLDER_HELP, defaultFolder(io))
    .addOption(new Option('--format <format>', 'how faults are printed').choices(['text', 'json', 'sarif']).default('text'))
    .option('--skip-credentials', 'do not read the variables and files that upstream credentials name')
    .action(async (options: CheckOptions) => {
      try {
        const loaded = await loadFolder(options.policies, io, options.skipCredentials === true ? 'skip' : 'resolve')
        const notes = findNotes(loaded, await loadKnown(loaded.configuration))
        io.stdout(options.format === 'text' ? summary(loaded) + noteLines(options, notes) : print(options, [], notes))
      } catch (error) {
        io.stdout(print(options, faultsOf(error), []))
        io.setExitCode(EXIT.faults)
      }
    })
}

async function loadKnown(configuration: Configuration): Promise<ReadonlyMap<string, readonly KnownItem[] | undefined>> {
  const known = new Map<string, readonly KnownItem[] | undefined>()
  for (const alias of configuration.upstreams.keys()) {
    const approved = await loadApproved(configuration, alias)
    if (approved === undefined) continue
    known.set(alias, approved.isOfThisServer ? [...approved.byName.values()].flatMap(knownItem) : undefined)
  }
  return known
}

/** What a server says of itself has no entry in policies. */
function knownItem({ kind, name, descriptor }: LockItem): readonly KnownItem[] {
  return kind === 'server' ? [] : [{ kind, name, descriptor }]
}

/** A lock file with faults keeps a gateway from starting as a policy file does. */
function faultsOf(error: unknown): readonly Fault[] {
  if (error instanceof PolicyFaults) return error.faults
  if (error instanceof LockFileError) return error.faults.map(fault => ({ ...fault, code: 'file' }))
  throw error
}

/** Text names each file from where we stand; the others are read beside a checkout, and name it from the folder. */
function print({ format, policies }: CheckOptions, faults: readonly Fault[], notes: readonly Note[]): string {
  if (format === 'json') return `${JSON.stringify({ faults, notes }, null, 2)}\n`
  if (format === 'sarif') return `${formatSarif(faults, notes)}\n`
  return `${faultLines(policies, faults)}\n\n${counted(faults.length, 'fault')}\n`
}

function noteLines({ policies }: CheckOptions, notes: readonly Note[]): string {
  if (notes.length === 0) return ''
  return `${faultLines(
    policies,
    notes.map(note => ({ ...note, message: `note: ${note.message}` })),
  )}\n`
}

function summary({ configuration, book, files }: LoadedPolicies): string {
  const entries = (section: 'tools' | 'prompts' | 'resources') =>
    [...book.entries.values()].reduce((sum, offers) => sum + offers[section].compiled.size, 0)
  const [prompts, resources] = [entries('prompts'), entries('resources')]
  const parts = [
    counted(configuration.endpoints.length, 'endpoint'),
    counted(configuration.upstreams.size, 'upstream'),
    counted(entries('tools'), 'tool'),
    ...(prompts === 0 ? [] : [counted(prompts, 'prompt')]),
    ...(resources === 0 ? [] : [counted(resources, 'resource')]),
  ]
  const anonymous = configuration.endpoints.filter(endpoint => endpoint.anonymous !== undefined)
  const notes = anonymous.map(endpoint => `note: ${endpoint.path} serves callers without a token; only a loopback listener may\n`)
  return `${counted(files.length, 'file')}, no faults: ${parts.join(', ')}; revision ${configuration.revision}\n${notes.join('')}`
}
