import { LockFileError, visible } from '../catalog/index.ts'
import { type ErrorCode, Refusal } from '../core/errors.ts'
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

/** Why an upstream could not be read, for the operator: in words, then the code and what lies beneath it. */
export function explainUnreachable(error: unknown): string {
  if (!(error instanceof Refusal)) return visible(error instanceof Error ? error.message : 'unknown error')
  const details = Object.entries(error.detail).map(([key, value]) => `${key}: ${value}`)
  const { status } = error.detail
  const inHttp = typeof status === 'number' && status !== 200 ? `HTTP ${status}: ` : ''
  const words = status === 404 ? 'there is nothing at this path' : (wordsOfProcess(error) ?? EXPLAINED[error.code] ?? 'it gave no list')
  return `${inHttp}${words} (${visible([error.code, ...details].join(', '))})`
}

const EXPLAINED: Readonly<Partial<Record<ErrorCode, string>>> = {
  UPSTREAM_UNREACHABLE: 'no connection',
  UPSTREAM_TIMEOUT: 'no answer in time',
  UPSTREAM_AUTH_REQUIRED: "it refuses the gateway's own credential",
  UPSTREAM_INVALID: 'its answer is not one of MCP',
}

/** What cannot happen to a connection. */
function wordsOfProcess({ detail: { reason, cause } }: Refusal): string | undefined {
  if (typeof cause !== 'string') return undefined
  if (cause === 'ENOENT' || cause === 'EACCES' || cause === 'ENOEXEC') return 'it cannot be started'
  return reason === 'broken' && /^(exit|SIG|stdout|noise|endless|protocol)/.test(cause) ? 'it ended before it had answered' : undefined
}
