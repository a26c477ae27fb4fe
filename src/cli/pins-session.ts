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
  /** Lock files must be signed here. */
  readonly isSigned: boolean
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
  const locks = new Map<string, Promise<Lock | undefined>>()
  const lock = (alias: string) => {
    const loading = locks.get(alias) ?? loadLock(lockDirectory, alias, configuration.pins.signers)
    locks.set(alias, loading)
    return loading
  }
  const upstream = (alias: string) => {
    const found = configuration.upstreams.get(alias)
    if (found !== undefined) return found
    throw new CommandFailed(`there is no upstream "${visible(alias)}"; there is: ${[...configuration.upstreams.keys()].join(', ')}`)
  }
  /** Approved tools of the other upstreams. A lock of theirs that cannot be read is for the commands that are about it. */
  async function elsewhere(alias: string): Promise<ReadonlyMap<string, readonly string[]>> {
    const others = [...configuration.upstreams.keys()].filter(other => other !== alias)
    const theirs = await Promise.all(others.map(other => lock(other).catch(() => undefined)))
    const tools = (items: Lock['items']) => items.filter(({ kind, state }) => kind === 'tool' && state === 'approved')
    return new Map(others.map((other, index) => [other, tools(theirs[index]?.items ?? []).map(({ name }) => name)]))
  }
  async function review(alias: string): Promise<UpstreamReview> {
    if (connection === undefined) throw new CommandFailed('this command reaches no upstream')
    const [server, decided] = [upstream(alias), await lock(alias)]
    return reviewUpstream(server, decided, connection, await elsewhere(alias)).catch(error => {
      throw new CommandFailed(`${alias}: its tools cannot be read: ${explainUnreachable(error)}`)
    })
  }
  return { configuration, lockDirectory, isSigned: configuration.pins.signers.length > 0, upstream, lock, review }
}

/** One upstream as it is now, and what of it is to be shown. */
export interface Looked {
  readonly upstream: UpstreamConfig
  readonly review: UpstreamReview
  readonly shown: readonly Reviewed[]
  /** In words, where the upstream could not be read at all. */
  readonly failure: string | undefined
}

export interface Meant {
  readonly name?: string | undefined
  readonly kind?: PinKind | undefined
  readonly variant?: string | undefined
}

/** By name as listed or as shown, by kind, and by who is shown it; what is not given is not asked for. */
export function isMeant(item: Reviewed, { name, kind, variant }: Meant): boolean {
  return (
    (name === undefined || item.name === name || visible(item.name) === name) &&
    (kind === undefined || item.kind === kind) &&
    (variant === undefined || item.variant === variant)
  )
}

/** True for what a person still has to decide about. */
export function needsReview({ state }: Reviewed): boolean {
  return state === 'pending' || state === 'drifted'
}

/** What was approved once and changed, what somebody said no to, and what a scanner would stop is approved for a reason, in writing. */
export function needsReason({ state, rejections, findings }: Reviewed): boolean {
  return state === 'drifted' || state === 'rejected' || rejections.length > 0 || findings.some(({ level }) => level === 'block')
}

/** `--all` is for newcomers, not for changes: what was reviewed once, whatever came of it, or looks wrong, is decided by itself. */
export function isPlain(item: Reviewed): boolean {
  return item.state === 'pending' && item.unenforceable === undefined && !needsReason(item)
}

/** The upstreams that were named, or all of them. */
export function chosen({ configuration, upstream }: PinsSession, aliases: readonly string[]): readonly UpstreamConfig[] {
  return aliases.length > 0 ? aliases.map(upstream) : [...configuration.upstreams.values()]
}
