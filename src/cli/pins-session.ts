import { join } from 'node:path'
import {
  type Connection,
  type Lock,
  loadLock,
  type PinKind,
  type Reviewed,
  reviewUpstream,
  type UpstreamReview,
  visible,
} from '../catalog/index.ts'
import type { Configuration, UpstreamConfig } from '../core/configuration.ts'
import { CommandFailed, explainUnreachable, reportFailures } from './command-failed.ts'
import type { Connect } from './connect.ts'
import type { CommandIo } from './io.ts'
import { loadFolder } from './policy-folder.ts'

/** What every `pins` command works on. */
export interface PinsSession {
  readonly configuration: Configuration
  readonly lockDirectory: string
  upstream(alias: string): UpstreamConfig
  lock(alias: string): Promise<Lock | undefined>
  /** The upstream as it is now, beside its lock. */
  review(alias: string): Promise<UpstreamReview>
}

/** Runs one command on a policy folder; returns its exit code, 0 for `undefined`. */
export async function withSession(
  io: CommandIo,
  connect: Connect | undefined,
  policies: string,
  run: (session: PinsSession) => Promise<number | undefined>,
): Promise<void> {
  await reportFailures(io, policies, async () => {
    const { configuration } = await loadFolder(policies, io, connect === undefined ? 'skip' : 'resolve')
    const connection = connect && (await connect(configuration))
    try {
      const code = await run(sessionOf(configuration, connection))
      if (code !== undefined) io.setExitCode(code)
    } finally {
      await connection?.close()
    }
  })
}

function sessionOf(configuration: Configuration, connection: Connection | undefined): PinsSession {
  const lockDirectory = join(configuration.directory, 'pins')
  const lock = (alias: string) => loadLock(lockDirectory, alias, configuration.pins.signers)
  const upstream = (alias: string) => {
    const found = configuration.upstreams.get(alias)
    if (found !== undefined) return found
    throw new CommandFailed(`there is no upstream "${visible(alias)}"; there is: ${[...configuration.upstreams.keys()].join(', ')}`)
  }
  async function review(alias: string): Promise<UpstreamReview> {
    if (connection === undefined) throw new CommandFailed('this command reaches no upstream')
    const [server, decided] = [upstream(alias), await lock(alias)]
    return reviewUpstream(server, decided, connection).catch(error => {
      throw new CommandFailed(`${alias}: its tools cannot be read: ${explainUnreachable(error)}`)
    })
  }
  return { configuration, lockDirectory, upstream, lock, review }
}

interface Meant {
  readonly name?: string | undefined
  readonly kind?: PinKind
}

/** By name as listed or as shown, and by kind; what is not given is not asked for. */
export function isMeant(item: Reviewed, { name, kind }: Meant): boolean {
  return (name === undefined || item.name === name || visible(item.name) === name) && (kind === undefined || item.kind === kind)
}

/** True for what a person still has to decide about. */
export function needsReview({ state }: Reviewed): boolean {
  return state === 'pending' || state === 'drifted'
}

/** Text that was approved once and changed, or that a scanner would stop, is approved for a reason, in writing. */
export function needsReason(item: Reviewed): boolean {
  return item.state === 'drifted' || item.findings.some(finding => finding.level === 'block')
}

/** `--all` is for newcomers, not for changes: what was reviewed once and differs now, was rejected, or looks wrong, is decided by itself. */
export function isPlain(item: Reviewed): boolean {
  return item.state === 'pending' && item.unenforceable === undefined && !needsReason(item)
}
