import { decide, digestOfSet, editLock, isLockOf, type Reviewed, visible, visibleName } from '../catalog/index.ts'
import { type Clock, systemClock } from '../core/clock.ts'
import { CommandFailed } from './command-failed.ts'
import { type CommandIo, EXIT } from './io.ts'
import { isPlain, needsReason, type PinsSession } from './pins-session.ts'
import { decideCommand, reviewText } from './pins-text.ts'
import { folderWords } from './policy-folder.ts'

export interface DecideOptions {
  readonly policies: string
  readonly digest?: string
  readonly reason?: string
  readonly by?: string
  readonly all?: boolean
}

interface Request {
  readonly alias: string
  readonly tool: string | undefined
  readonly options: DecideOptions
}

/**
 * Decides about text as the upstream shows it at this moment, and only when the digest given is the digest of that text: what
 * changed after somebody looked is refused. Without a digest, shows the text and the command that would decide about it.
 */
export async function decideOn(
  io: CommandIo,
  session: PinsSession,
  verb: 'approve' | 'reject',
  { alias, tool, options }: Request,
  clock: Clock = systemClock,
): Promise<number | undefined> {
  const upstream = session.upstream(alias)
  const { tools } = await session.review(alias)
  const { digest } = options
  const candidates = options.all ? tools.filter(isPlain) : [choose(tools, { alias, tool, options })]
  if (candidates.length === 0) {
    io.stdout(`${alias}: no new tool without serious findings waits; see ${diffCommand(alias, options)}\n`)
    return undefined
  }
  const pins = candidates.map(({ seen }) => seen?.pin ?? '')
  const current = options.all ? digestOfSet(pins) : (pins[0] ?? '')
  const asksReason = candidates.some(needsReason) && verb === 'approve'
  const what = `${options.all ? '--all ' : ''}--digest ${current}`
  const command = decideCommand(verb, alias, what, options.policies, asksReason)
  if (digest === undefined) {
    for (const candidate of candidates) io.stdout(`${reviewText(io, alias, candidate)}\n`)
    io.stdout(`Nothing was decided. To ${verb} exactly this:\n  ${command}\n`)
    return EXIT.review
  }
  if (digest !== current)
    throw new CommandFailed(`this digest is outdated: the text is another one now. Look again: ${diffCommand(alias, options)}`)
  const by = options.by ?? io.environment.USER ?? io.environment.LOGNAME ?? ''
  if (by === '') throw new CommandFailed('who decides? Add --by NAME')
  if (asksReason && !options.reason?.trim()) throw new CommandFailed('this needs a reason. Add --reason "…"')
  const decision = { state: verb === 'approve' ? 'approved' : 'rejected', by, atMs: clock.now(), reason: options.reason ?? '' } as const
  const seen = candidates.flatMap(candidate => candidate.seen ?? [])
  await editLock(session.lockDirectory, alias, lock => {
    if (lock !== undefined && !isLockOf(lock, upstream)) {
      io.stdout(`The earlier decisions were about ${visible(lock.url)}, which is another server: they are replaced.\n`)
    }
    return decide(lock, upstream, seen, decision)
  })
  for (const { name, pin } of seen) io.stdout(`${decision.state}  ${alias}  ${visibleName(name)}  ${pin}\n`)
  io.stdout(`A running gateway takes this up by itself. Commit ${alias}.lock.json with the policies.\n`)
  return undefined
}

/** By name as listed or as shown; a digest alone names its tool as well. */
function choose(tools: readonly Reviewed[], { alias, tool: name, options }: Request): Reviewed {
  const { digest } = options
  if (name === undefined && digest === undefined) throw new CommandFailed('which tool? Name it, give its digest, or use --all')
  const found = tools.find(tool => {
    if (tool.seen === undefined) return false
    return name === undefined ? tool.seen.pin === digest : tool.name === name || visible(tool.name) === name
  })
  if (found !== undefined) return found
  const hint = `Look again: ${diffCommand(alias, options)}`
  throw new CommandFailed(
    name === undefined ? `no tool shows this text now. ${hint}` : `${alias} does not show this tool now. ${hint}`,
    EXIT.failed,
  )
}

function diffCommand(alias: string, { policies }: DecideOptions): string {
  return `wicketgate pins diff ${alias}${folderWords(policies)}`
}
