import { LockFileError, visible } from '../catalog/index.ts'
import { Refusal } from '../core/errors.ts'
import { wordsOfRefusal } from '../core/upstream-words.ts'
import { PolicyFaults } from '../policy/index.ts'
import { type CommandIo, EXIT } from './io.ts'
import { faultLines } from './policy-folder.ts'

/** What went wrong, in words for the person at the terminal, and the exit code that says it to scripts. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
  readonly exitCode: number
  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Runs a command on a policy folder and prints what it fails with; a fault of our own is not caught. */
export async function reportFailures(io: CommandIo, policies: string, run: () => Promise<void>): Promise<void> {
  try {
    await run()
  } catch (error) {
    const failed = error instanceof CommandFailed
    const words = failed ? error.message : faultsIn(error, policies)
    if (words === undefined) throw error
    io.stderr(`${words}\n`)
    io.setExitCode(failed ? error.exitCode : EXIT.faults)
  }
}

/** What the operator wrote is wrong, and not the machine: the faults, a line each. */
export function faultsIn(error: unknown, policies: string): string | undefined {
  return error instanceof PolicyFaults || error instanceof LockFileError ? faultLines(policies, error.faults) : undefined
}

/** Why an upstream could not be read, for the operator. */
export function explainUnreachable(error: unknown): string {
  return error instanceof Refusal ? wordsOfRefusal(error) : visible(error instanceof Error ? error.message : 'unknown error')
}
