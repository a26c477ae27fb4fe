import { Command } from 'commander'
import type { CommandIo } from '../../src/cli/io.ts'

export interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

/** Runs one command as the program would, with a terminal of its own. */
export async function runCommand(
  register: (program: Command, io: CommandIo) => void,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const ran = { stdout: '', stderr: '', exitCode: 0 }
  const io: CommandIo = {
    environment,
    stdout: text => {
      ran.stdout += text
    },
    stderr: text => {
      ran.stderr += text
    },
    setExitCode: code => {
      ran.exitCode = code
    },
  }
  const program = new Command().exitOverride().configureOutput({ writeErr: io.stderr, writeOut: io.stdout })
  register(program, io)
  await program.parseAsync(args, { from: 'user' })
  return ran
}
