import type { Command } from 'commander'
import { visible } from '../catalog/index.ts'
import { CommandFailed } from './command-failed.ts'
import type { Connect } from './connect.ts'
import { type CommandIo, EXIT } from './io.ts'
import { type DecideOptions, decideOn } from './pins-decide.ts'
import { moreWords } from './pins-decider.ts'
import { isPlain, needsReason, needsReview, type PinsSession, withSession } from './pins-session.ts'
import { decideCommand, lockText, lookText, reviewText, summaryText } from './pins-text.ts'
import { defaultFolder, FOLDER_HELP, FOLDER_OPTION, folderWords } from './policy-folder.ts'

interface Common {
  readonly policies: string
}

/** `wicketgate pins …`: the reviewer's words. `connect` reaches the upstreams; nothing is served while a command runs. */
export function registerPins(program: Command, io: CommandIo, connect: Connect): void {
  const pins = program.command('pins').description('review and approve what upstreams say of their tools')
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
  command('diff [alias] [tool]', 'show what waits for review, word by word, with findings').action(
    (alias: string | undefined, tool: string | undefined, options: Common) =>
      withSession(io, connect, options.policies, session =>
        diffPins(io, session, { ...options, aliases: alias === undefined ? [] : [alias], tool }),
      ),
  )
  for (const verb of ['approve', 'reject'] as const) {
    const decide = command(`${verb} <alias> [tool]`, `${verb} the text with this digest; without --digest, show it first`)
      .option('--digest <digest>', 'what was shown: p1:… for one tool, s1:… for --all')
      .option('--reason <text>', 'why; required for changed text and for serious findings')
      .option('--by <name>', 'who decides; required where USER is not set, or is root')
    if (verb === 'approve') decide.option('--all', 'every new tool without serious findings; exit code 3 when others wait')
    decide.action((alias: string, tool: string | undefined, options: DecideOptions) =>
      withSession(io, connect, options.policies, session => decideOn(io, session, { verb, alias, tool, options })),
    )
  }
}

function chosen({ configuration }: PinsSession, aliases: readonly string[]): readonly string[] {
  return aliases.length > 0 ? aliases : [...configuration.upstreams.keys()]
}

interface Scope extends Common {
  readonly aliases: readonly string[]
  readonly tool?: string | undefined
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
    io.stdout(summaryText(io, upstream, outcome.value))
    isDrift ||= outcome.value.tools.some(({ state }) => state === 'drifted')
    if (!outcome.value.tools.some(needsReview)) continue
    io.stdout(`  to review: wicketgate pins diff ${upstream.alias}${folderWords(policies)}\n`)
    code ??= EXIT.review
  }
  if (isDrift) io.stdout(lookText(session.configuration))
  return code
}

async function diffPins(io: CommandIo, session: PinsSession, { aliases, tool, policies }: Scope): Promise<number | undefined> {
  let waiting = 0
  let isDrift = false
  for (const { alias } of chosen(session, aliases).map(session.upstream)) {
    const { tools } = await session.review(alias)
    const shown = tools.filter(each => (tool === undefined ? needsReview(each) : each.name === tool || visible(each.name) === tool))
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
    if (shown.filter(isPlain).length > 1) io.stdout(`all new ones: wicketgate pins approve ${alias} --all${folderWords(policies)}\n`)
  }
  if (isDrift) io.stdout(lookText(session.configuration))
  if (waiting === 0) io.stdout('nothing waits for review\n')
  return waiting === 0 ? undefined : EXIT.review
}
