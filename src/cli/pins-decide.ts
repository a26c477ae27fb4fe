import { type Decided, decide, digestOfSet, editLock, isLockOf, type PinKind, type Reviewed } from '../catalog/index.ts'
import { type Clock, systemClock } from '../core/clock.ts'
import { aliasOfVariant } from '../core/variant.ts'
import { CommandFailed } from './command-failed.ts'
import { type CommandIo, EXIT } from './io.ts'
import { allWords, decideCommand, diffCommand } from './pins-commands.ts'
import { deciderOf, keyFileOf, moreWords, reasonOf } from './pins-decider.ts'
import { loadSigningKey } from './pins-key.ts'
import { itemName, LEGEND, reviewLines, sayWho } from './pins-review-text.ts'
import { isMeant, isPlain, needsReason, needsReview, type PinsSession } from './pins-session.ts'
import { leftText, lookText, unreadText } from './pins-text.ts'
import { serverWords } from './server-words.ts'

export interface DecideOptions {
  readonly policies: string
  readonly digest?: string
  readonly reason?: string
  readonly by?: string
  readonly key?: string
  readonly all?: boolean
  readonly kind?: PinKind
  readonly variant?: string
}

interface Request {
  readonly verb: 'approve' | 'reject'
  readonly alias: string
  readonly name: string | undefined
  readonly options: DecideOptions
}

/** What is decided about together, and what `--all` leaves to be decided by itself. */
interface Agenda {
  readonly candidates: readonly Reviewed[]
  readonly left: readonly Reviewed[]
  readonly digest: string
  readonly asksReason: boolean
  readonly asksKey: boolean
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
  const review = await session.review(alias)
  const items = review.items.filter(item => isMeant(item, { kind: options.kind, variant: options.variant }))
  const candidates = options.all ? items.filter(isPlain) : [choose(items, request)]
  const left = options.all ? items.filter(item => needsReview(item) && !isPlain(item)) : []
  const pins = candidates.map(item => subjectOf(item, verb)?.pin ?? '')
  const digest = options.all ? digestOfSet(pins) : (pins[0] ?? '')
  const asksReason = verb === 'approve' && candidates.some(needsReason)
  const agenda = { candidates, left, digest, asksReason, asksKey: session.isSigned }
  const isToShow = options.digest === undefined && candidates.length > 0
  if (isToShow) showText(io, request, agenda)
  else if (candidates.length > 0) await settle(io, session, request, agenda, clock)
  else io.stdout(`${alias}: nothing new without serious findings waits\n`)
  io.stderr(unreadText(alias, review))
  if (left.length > 0) io.stdout(`${leftText(alias, left)}to review: ${diffCommand(alias, options.policies)}\n`)
  const isDrift = left.some(({ state }) => state === 'drifted') || (isToShow && candidates.some(({ state }) => state === 'drifted'))
  if (isDrift) io.stdout(lookText(session.configuration))
  if (isToShow) io.stdout(`Nothing was decided. To ${verb} exactly this:\n  ${followUp(io, request, agenda)}\n`)
  return isToShow || left.length > 0 ? EXIT.review : undefined
}

const WHO = 'the lock file says who decides, and neither --by nor USER names a person'

function showText(io: CommandIo, { alias, options }: Request, { candidates }: Agenda): void {
  // Before the text, which may be long: whoever reads it to the end should not learn only then what is missing.
  if (deciderOf(options, io) === undefined) io.stdout(`Note: ${WHO}. The command at the end has a place for your name.\n\n`)
  io.stdout(`${LEGEND}\n\n`)
  for (const candidate of candidates) io.stdout(`${reviewLines(io, alias, candidate).join('\n')}\n\n`)
}

async function settle(io: CommandIo, session: PinsSession, request: Request, agenda: Agenda, clock: Clock): Promise<void> {
  const { verb, alias, options } = request
  const state = verb === 'approve' ? 'approved' : 'rejected'
  if (options.digest !== agenda.digest)
    throw new CommandFailed(
      `Nothing was ${state}: this digest is outdated, the text is another one now. Look again: ${diffCommand(alias, options.policies)}`,
    )
  const by = deciderOf(options, io)
  if (by === undefined) throw new CommandFailed(`Nothing was ${state}: ${WHO}. Add --by and your name`)
  const reason = reasonOf(options)
  if (agenda.asksReason && reason === undefined) throw new CommandFailed(`Nothing was ${state}: this needs a reason. Add --reason "…"`)
  const keyFile = keyFileOf(options)
  if (agenda.asksKey && keyFile === undefined)
    throw new CommandFailed(`Nothing was ${state}: lock files are signed here (pins.signers). Add --key and the file of your private key`)
  const key = keyFile === undefined ? undefined : await loadSigningKey(keyFile, session.configuration)
  const { signers } = session.configuration.pins
  const upstream = session.upstream(alias)
  const decided = agenda.candidates.flatMap(candidate => subjectOf(candidate, verb) ?? [])
  const overruled = verb === 'approve' ? agenda.candidates.filter(candidate => candidate.state === 'rejected') : []
  const notes = overruled.flatMap(({ decided: no }) => (no === undefined ? [] : [`The rejection by ${sayWho(no)} is replaced.`]))
  await editLock(session.lockDirectory, alias, { signers, key }, lock => {
    if (lock !== undefined && !isLockOf(lock, upstream))
      notes.push(`The earlier decisions were about ${serverWords(lock.url)}, which is another server: they are replaced.`)
    if (lock?.signature !== undefined && key === undefined) notes.push('The file was signed and is not any more: no --key was given.')
    return decide(lock, upstream, decided, { state, by, atMs: clock.now(), reason: reason ?? '' })
  })
  for (const note of notes) io.stdout(`${note}\n`)
  for (const item of decided) io.stdout(`${state}  ${aliasOfVariant(alias, item.variant)}  ${itemName(item)}  ${item.pin}\n`)
  io.stdout(`A running gateway takes this up by itself. Commit ${alias}.lock.json with the policies.\n`)
}

/** What is decided about: what is shown; or, of what is not shown any more, the approved text, from which the approval can be taken. */
function subjectOf({ state, seen, approved }: Reviewed, verb: Request['verb']): Decided | undefined {
  return seen ?? (state === 'missing' && verb === 'reject' ? approved : undefined)
}

function followUp(io: CommandIo, { verb, alias, options }: Request, { digest, asksReason, asksKey }: Agenda): string {
  const all = options.all ? `${allWords(options)} ` : ''
  const what = `${all}--digest ${digest}`
  return decideCommand({
    verb,
    alias,
    what,
    policies: options.policies,
    more: moreWords(options, io, { reason: asksReason, key: asksKey }),
  })
}

/** By name, and by kind where two have it; a digest alone names its item as well. */
function choose(items: readonly Reviewed[], { verb, alias, name, options }: Request): Reviewed {
  const { digest } = options
  if (name === undefined && digest === undefined) throw new CommandFailed('which one? Name it, give its digest, or use --all')
  const shown = items.filter(item => subjectOf(item, verb) !== undefined)
  const same = shown.find(item => subjectOf(item, verb)?.pin === digest && isMeant(item, { name }))
  if (same !== undefined) return same
  const named = name === undefined ? [] : shown.filter(item => isMeant(item, { name }))
  const exact = named.filter(item => item.name === name)
  const [first, ...others] = exact.length > 0 ? exact : named
  if (first !== undefined && others.length === 0) return first
  if (first !== undefined) {
    const isOneKind = others.every(({ kind }) => kind === first.kind)
    const [option, choices] = isOneKind
      ? ['--variant', [first, ...others].map(({ variant }) => variant)]
      : ['--kind', new Set([first, ...others].map(({ kind }) => kind))]
    throw new CommandFailed(`${alias} has that name more than once: add ${option} with one of ${[...choices].join(', ')}, or give a digest`)
  }
  const hint = `Look again: ${diffCommand(alias, options.policies)}`
  throw new CommandFailed(name === undefined ? `nothing shows this text now. ${hint}` : `${alias} does not show this now. ${hint}`)
}
