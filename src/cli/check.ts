import { type Command, Option } from 'commander'
import { type Fault, type LoadedPolicies, PolicyFaults } from '../policy/index.ts'
import { type CommandIo, EXIT } from './io.ts'
import { defaultFolder, FOLDER_HELP, FOLDER_OPTION, faultLines, loadFolder } from './policy-folder.ts'
import { formatSarif } from './sarif.ts'

interface CheckOptions {
  readonly policies: string
  readonly format: 'text' | 'json' | 'sarif'
  readonly skipCredentials?: true
}

/** `wicketgate check`: reads, checks and compiles a policy folder. Exit code 2 with every fault, or 0. */
export function registerCheck(program: Command, io: CommandIo): void {
  program
    .command('check')
    .description('read, check and compile the policy folder; prints every fault as file:line:column')
    .option(FOLDER_OPTION, FOLDER_HELP, defaultFolder(io))
    .addOption(new Option('--format <format>', 'how faults are printed').choices(['text', 'json', 'sarif']).default('text'))
    .option('--skip-credentials', 'do not read the variables and files that upstream credentials name')
    .action(async (options: CheckOptions) => {
      try {
        const loaded = await loadFolder(options.policies, io, options.skipCredentials === true ? 'skip' : 'resolve')
        io.stdout(options.format === 'text' ? summary(loaded) : print(options, []))
      } catch (error) {
        if (!(error instanceof PolicyFaults)) throw error
        io.stdout(print(options, error.faults))
        io.setExitCode(EXIT.faults)
      }
    })
}

/** Text names each file from where we stand; the others are read beside a checkout, and name it from the folder. */
function print({ format, policies }: CheckOptions, faults: readonly Fault[]): string {
  if (format === 'json') return `${JSON.stringify({ faults }, null, 2)}\n`
  if (format === 'sarif') return `${formatSarif(faults)}\n`
  return `${faultLines(policies, faults)}\n\n${count(faults.length, 'fault')}\n`
}

function summary({ configuration, book, files }: LoadedPolicies): string {
  const tools = [...book.entries.values()].reduce((sum, entries) => sum + entries.size, 0)
  const parts = [count(configuration.endpoints.length, 'endpoint'), count(configuration.upstreams.size, 'upstream'), count(tools, 'tool')]
  const anonymous = configuration.endpoints.filter(endpoint => endpoint.anonymous !== undefined)
  const notes = anonymous.map(endpoint => `note: ${endpoint.path} serves callers without a token; only a loopback listener may\n`)
  return `${count(files.length, 'file')}, no faults: ${parts.join(', ')}; revision ${configuration.revision}\n${notes.join('')}`
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
