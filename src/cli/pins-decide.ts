import { decide, digestOfSet, editLock, isLockOf, type Reviewed, visible, visibleName } from '../catalog/index.ts'
import { type Clock, systemClock } from '../core/clock.ts'
import { CommandFailed } from './command-failed.ts'
import { type CommandIo, EXIT } from './io.ts'
import { deciderOf, moreWords, reasonOf } from './pins-decider.ts'
import { isPlain, needsReason, needsReview, type PinsSession } from './pins-session.ts'
import { decideCommand, leftText, lookText, reviewText } from './pins-text.ts'
import { folderWords } from './policy-folder.ts'

export interface DecideOptions {
  readonly policies: string
  readonly digest?: string
  readonly reason?: string
  readonly by?: string
  readonly all?: boolean
}

interface Request {
  readonly verb: 'approve' | 'reject'
  readonly alias: string
  readonly tool: string | undefined
  readonly options: DecideOptions
}

/** What is decided about together, and what `--all` leaves to be decided by itself. */
interface Agenda {
  readonly candidates: readonly Reviewed[]
  readonly left: readonly Reviewed[]
  readonly digest: string
  readonly asksReason: boolean
}

/**
 * Decides about text as the upstream shows it at this moment, and only when the digest given is the digest of that text: what
 * changed after somebody looked is refused. Without a digest, shows the text and the command that would decide about it.
 */
export async function decideOn(
  io: CommandIo,
  session: PinsSession,
  request: Request,
  clock: Clock = systemClock,
): Promise<number | undefined> {
  const { verb, alias, options } = request
  const { tools } = await session.review(alias)
  const candidates = options.all ? tools.filter(isPlain) : [choose(tools, request)]
  const left = options.all ? tools.filter(tool => needsReview(tool) && !isPlain(tool)) : []
  const pins = candidates.map(({ seen }) => seen?.pin ?? '')
  const digest = options.all ? digestOfSet(pins) : (pins[0] ?? '')
  const agenda = { candidates, left, digest, asksReason: verb === 'approve' && candidates.some(needsReason) }
  const isToShow = options.digest === undefined && candidates.length > 0
  if (isToShow) showText(io, request, agenda)
  else if (candidates.length > 0) await settle(io, session, request, agenda, clock)
  else io.stdout(`${alias}: no new tool without serious findings waits\n`)
  if (left.length > 0) io.stdout(`${leftText(alias, left)}to review: ${diffCommand(request)}\n`)
  const isDrift = left.some(({ state }) => state === 'drifted') || (isToShow && candidates.some(({ state }) => state === 'drifted'))
  if (isDrift) io.stdout(lookText(session.configuration))
  if (isToShow) io.stdout(`Nothing was decided. To ${verb} exactly this:\n  ${followUp(io, request, agenda)}\n`)
  return isToShow || left.length > 0 ? EXIT.review : undefined
}

const WHO = 'the lock file says who decides, and neither --by nor USER names a person'

function showText(io: CommandIo, { alias, options }: Request, { candidates }: Agenda): void {
  // Before the text, which may be long: whoever reads it to the end should not learn only then what is missing.
  if (deciderOf(options, io) === undefined) io.stdout(`Note: ${WHO}. The command at the end has a place for your name.\n\n`)
  for (const candidate of candidates) io.stdout(`${reviewText(io, alias, candidate)}\n`)
}

async function settle(io: CommandIo, session: PinsSession, request: Request, agenda: Agenda, clock: Clock): Promise<void> {
  const { verb, alias, options } = request
  const state = verb === 'approve' ? 'approved' : 'rejected'
  if (options.digest !== agenda.digest)
    throw new CommandFailed(
      `Nothing was ${state}: this digest is outdated, the text is another one now. Look again: ${diffCommand(request)}`,
    )
  const by = deciderOf(options, io)
  if (by === undefined) throw new CommandFailed(`Nothing was ${state}: ${WHO}. Add --by and your name`)
  const reason = reasonOf(options)
  if (agenda.asksReason && reason === undefined) throw new CommandFailed(`Nothing was ${state}: this needs a reason. Add --reason "…"`)
  const upstream = session.upstream(alias)
  const seen = agenda.candidates.flatMap(candidate => candidate.seen ?? [])
  await editLock(session.lockDirectory, alias, lock => {
    if (lock !== undefined && !isLockOf(lock, upstream)) {
      io.stdout(`The earlier decisions were about ${visible(lock.url)}, which is another server: they are replaced.\n`)
    }
    return decide(lock, upstream, seen, { state, by, atMs: clock.now(), reason: reason ?? '' })
  })
  for (const { name, pin } of seen) io.stdout(`${state}  ${alias}  ${visibleName(name)}  ${pin}\n`)
  io.stdout(`A running gateway takes this up by itself. Commit ${alias}.lock.json with the policies.\n`)
}

function followUp(io: CommandIo, { verb, alias, options }: Request, { digest, asksReason }: Agenda): string {
  const what = `${options.all ? '--all ' : ''}--digest ${digest}`
  return decideCommand({ verb, alias, what, policies: options.policies, more: moreWords(options, io, asksReason) })
}

/** By name as listed or as shown; a digest alone names its tool as well. */
function choose(tools: readonly Reviewed[], request: Request): Reviewed {
  const { alias, tool: name, options } = request
  const { digest } = options
  if (name === undefined && digest === undefined) throw new CommandFailed('which tool? Name it, give its digest, or use --all')
  const found = tools.find(tool => {
    if (tool.seen === undefined) return false
    return name === undefined ? tool.seen.pin === digest : tool.name === name || visible(tool.name) === name
  })
  if (found !== undefined) return found
  const hint = `Look again: ${diffCommand(request)}`
  throw new CommandFailed(
    name === undefined ? `no tool shows this text now. ${hint}` : `${alias} does not show this tool now. ${hint}`,
    EXIT.failed,
  )
}

function diffCommand({ alias, options }: Request): string {
  return `wicketgate pins diff ${alias}${folderWords(options.policies)}`
}
