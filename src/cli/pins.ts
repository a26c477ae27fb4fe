import { type Command, Option } from 'commander'
import { PIN_KINDS, type PinKind } from '../catalog/index.ts'
import { CommandFailed } from './command-failed.ts'
import type { Connect } from './connect.ts'
import { type CommandIo, EXIT } from './io.ts'
import { type DecideOptions, decideOn } from './pins-decide.ts'
import { moreWords } from './pins-decider.ts'
import { isMeant, isPlain, needsReason, needsReview, type PinsSession, withSession } from './pins-session.ts'
import { decideCommand, lockText, lookText, reviewText, summaryText, unreadText } from './pins-text.ts'
import { defaultFolder, FOLDER_HELP, FOLDER_OPTION, folderWords } from './policy-folder.ts'

interface Common {
  readonly policies: string
}

/** `wicketgate pins …`: the reviewer's words. `connect` reaches the upstreams; nothing is served while a command runs. */
export function registerPins(program: Command, io: CommandIo, connect: Connect): void {
  const pins = program.command('pins').description('review and approve what upstreams say of themselves and of what they offer')
  const command = (name: string, description: string) =>
    pins.command(name).description(description).option(FOLDER_OPTION, FOLDER_HELP, defaultFolder(io))

  command('fetch [alias...]', 'read the lists of all upstreams; exit code 3 when something waits for review').action(
    (aliases: string[], options: Common) =>
      withSession(io, connect, options.policies, session => fetchPins(io, session, { ...options, aliases })),
  )
  command('list [alias...]', 'show what was decided, from the lock files alone').action((aliases: string[], options: Common) =>
    withSession(io, undefined, options.policies, async session => {
      for (const alias of chosen(session, aliases)) io.stdout(lockText(session.upstream(alias), await session.lock(alias)))
      return undefined
    }),
  )
  command('diff [alias] [name]', 'show what waits for review, word by word, with findings')
    .addOption(kindOption())
    .action((alias: string | undefined, name: string | undefined, options: Common) =>
      withSession(io, connect, options.policies, session =>
        diffPins(io, session, { ...options, aliases: alias === undefined ? [] : [alias], name }),
      ),
    )
  for (const verb of ['approve', 'reject'] as const) {
    const decide = command(`${verb} <alias> [name]`, `${verb} the text with this digest; without --digest, show it first`)
      .addOption(kindOption())
      .option('--digest <digest>', 'what was shown: p1:… for one item, s1:… for --all')
      .option('--reason <text>', 'why; required for changed text and for serious findings')
      .option('--by <name>', 'who decides; required where USER is not set, or is root')
    if (verb === 'approve') decide.option('--all', 'everything new without serious findings; exit code 3 when others wait')
    decide.action((alias: string, name: string | undefined, options: DecideOptions) =>
      withSession(io, connect, options.policies, session => decideOn(io, session, { verb, alias, name, options })),
    )
  }
}

/** The name is a tool's or a prompt's, the URI of a resource, the text of a template, or `server`. */
function kindOption(): Option {
  return new Option('--kind <kind>', 'what the name is the name of, where two kinds have it').choices(PIN_KINDS)
}

function chosen({ configuration }: PinsSession, aliases: readonly string[]): readonly string[] {
  return aliases.length > 0 ? aliases : [...configuration.upstreams.keys()]
}

interface Scope extends Common {
  readonly aliases: readonly string[]
  readonly name?: string | undefined
  readonly kind?: PinKind
}

async function fetchPins(io: CommandIo, session: PinsSession, { aliases, policies }: Scope): Promise<number | undefined> {
  const upstreams = chosen(session, aliases).map(session.upstream)
  let code: number | undefined
  let isDrift = false
  // All at once, printed in the order of the file; one that cannot be reached does not hide the others.
  const settled = await Promise.allSettled(upstreams.map(({ alias }) => session.review(alias)))
  for (const [index, outcome] of settled.entries()) {
    const upstream = upstreams[index]
    if (upstream === undefined) continue
    if (outcome.status === 'rejected') {
      if (!(outcome.reason instanceof CommandFailed)) throw outcome.reason
      io.stderr(`${outcome.reason.message}\n`)
      code = outcome.reason.exitCode
      continue
    }
    const { items, unread } = outcome.value
    io.stdout(summaryText(io, upstream, outcome.value))
    io.stderr(unreadText(upstream.alias, outcome.value))
    if (unread.length > 0) code = EXIT.failed
    isDrift ||= items.some(({ state }) => state === 'drifted')
    if (!items.some(needsReview)) continue
    io.stdout(`  to review: wicketgate pins diff ${upstream.alias}${folderWords(policies)}\n`)
    code ??= EXIT.review
  }
  if (isDrift) io.stdout(lookText(session.configuration))
  return code
}

async function diffPins(io: CommandIo, session: PinsSession, { aliases, policies, ...meant }: Scope): Promise<number | undefined> {
  let waiting = 0
  let isDrift = false
  let code: number | undefined
  for (const { alias } of chosen(session, aliases).map(session.upstream)) {
    const review = await session.review(alias)
    const isAll = meant.name === undefined
    const shown = review.items.filter(item => isMeant(item, meant) && (!isAll || needsReview(item)))
    for (const each of shown) {
      io.stdout(reviewText(io, alias, each))
      if (needsReview(each) && each.seen !== undefined) {
        waiting += 1
        isDrift ||= each.state === 'drifted'
        const what = `--digest ${each.seen.pin}`
        io.stdout(`  ${decideCommand({ verb: 'approve', alias, what, policies, more: moreWords({}, io, needsReason(each)) })}\n`)
      }
      io.stdout('\n')
    }
    io.stderr(unreadText(alias, review))
    if (review.unread.length > 0) code = EXIT.failed
    if (isAll && shown.filter(isPlain).length > 1)
      io.stdout(`all new ones: wicketgate pins approve ${alias} --all${folderWords(policies)}\n`)
  }
  if (isDrift) io.stdout(lookText(session.configuration))
  if (waiting === 0) io.stdout('nothing waits for review\n')
  return code ?? (waiting === 0 ? undefined : EXIT.review)
}
