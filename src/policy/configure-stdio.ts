import type { UpstreamTransport } from '../core/configuration.ts'
import type { StdioEntry } from './schema/stdio.ts'
import type { Environment } from './variables.ts'

/**
 * What every process is given of our own environment, where it is set: what programs need to find their files and to know their user and
 * language. Nothing that may hold a secret, and nothing that changes how a program is loaded. TZ is ours alone: this process sets it.
 */
const ALWAYS_PASSED = ['PATH', 'HOME', 'USER', 'LOGNAME', 'TMPDIR', 'LANG', 'LC_ALL', 'LC_CTYPE'] as const

type StdioTransport = Extract<UpstreamTransport, { readonly kind: 'stdio' }>

/** A shorter value is a word that lines are full of, and no secret. */
const MIN_SECRET_LENGTH = 8

export function configureStdio(
  { command, environment, passEnvironment, directory, processes, stderr }: StdioEntry,
  ours: Environment,
): StdioTransport {
  const [program = '', ...args] = command
  const own = { ...valuesOf(passEnvironment, ours), ...environment }
  return {
    kind: 'stdio',
    command: [program, ...args],
    environment: { ...valuesOf(ALWAYS_PASSED, ours), ...own },
    secrets: Object.values(own).filter(value => value.length >= MIN_SECRET_LENGTH),
    directory,
    processes,
    logsStderr: stderr === 'log',
  }
}

function valuesOf(names: readonly string[], ours: Environment): Readonly<Record<string, string>> {
  return Object.fromEntries(names.flatMap(name => (Object.hasOwn(ours, name) && ours[name] !== undefined ? [[name, ours[name]]] : [])))
}

/** What stands for the server in pins, as a URL does for others. Its environment is secret, and no part of it. */
export function identityOfCommand(command: readonly string[]): string {
  return `stdio:${encodeURIComponent(JSON.stringify(command))}`
}
