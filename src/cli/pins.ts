import type { Command } from 'commander'
import { visible } from '../catalog/index.ts'
import { EXIT } from './command-failed.ts'
import type { Connect } from './connect.ts'
import type { CommandIo } from './io.ts'
import { type DecideOptions, decideOn } from './pins-decide.ts'
import { needsReview, type PinsSession, withSession } from './pins-session.ts'
import { lockText, reviewText, summaryText } from './pins-text.ts'
import { DEFAULT_FOLDER, FOLDER_HELP, FOLDER_OPTION } from './policy-folder.ts'

interface Common {
  readonly policies: string
}

/** `wicketgate pins …`: the reviewer's words. `connect` reaches the upstreams; nothing is served while a command runs. */
export function registerPins(program: Command, io: CommandIo, connect: Connect): void {
  const pins = program.command('pins').description('review and approve what upstreams say of their tools')
  const command = (name: string, description: string) =>
    pins.command(name).description(description).option(FOLDER_OPTION, FOLDER_HELP, DEFAULT_FOLDER)

  command('fetch [alias...]', 'read the lists of all upstreams; exit code 3 when something waits for review').action(
    (aliases: string[], options: Common) => withSession(io, connect, options.policies, session => fetchPins(io, session, aliases)),
  )
  command('list [alias...]', 'show what was decided, from the lock files alone').action((aliases: string[], options: Common) =>
    withSession(io, undefined, options.policies, async session => {
      for (const alias of chosen(session, aliases)) io.stdout(lockText(session.upstream(alias), await session.lock(alias)))
      return undefined
    }),
  )
  command('diff [alias] [tool]', 'show what waits for review, word by word, with findings').action(
    (alias: string | undefined, tool: string | undefined, options: Common) =>
      withSession(io, connect, options.policies, session => diffPins(io, session, { alias, tool })),
  )
  for (const verb of ['approve', 'reject'] as const) {
    const decide = command(`${verb} <alias> [tool]`, `${verb} the text with this digest; without --digest, show it first`)
      .option('--digest <digest>', 'what was shown: p1:… for one tool, s1:… for --all')
      .option('--reason <text>', 'why; required for changed text and for serious findings')
      .option('--by <name>', 'who decides (default: the user name)')
    if (verb === 'approve') decide.option('--all', 'every new tool without serious findings')
    decide.action((alias: string, tool: string | undefined, options: DecideOptions) =>
      withSession(io, connect, options.policies, session => decideOn(io, session, verb, { alias, tool, options })),
    )
  }
}

function chosen({ configuration }: PinsSession, aliases: readonly string[]): readonly string[] {
  return aliases.length > 0 ? aliases : [...configuration.upstreams.keys()]
}

async function fetchPins(io: CommandIo, session: PinsSession, aliases: readonly string[]): Promise<number | undefined> {
  let code: number | undefined
  // All at once, printed in the order of the file; one that cannot be reached does not hide the others.
  const reviews = chosen(session, aliases).map(alias => ({ alias, upstream: session.upstream(alias), review: session.review(alias) }))
  const settled = await Promise.allSettled(reviews.map(({ review }) => review))
  for (const [index, { alias, upstream }] of reviews.entries()) {
    const outcome = settled[index]
    if (outcome?.status === 'fulfilled') {
      io.stdout(summaryText(io, upstream, outcome.value))
      if (!outcome.value.tools.some(needsReview)) continue
      io.stdout(`  to review: wicketgate pins diff ${alias}\n`)
      code ??= EXIT.review
    } else {
      io.stderr(`${outcome?.reason instanceof Error ? outcome.reason.message : alias}\n`)
      code = EXIT.failed
    }
  }
  return code
}

async function diffPins(
  io: CommandIo,
  session: PinsSession,
  only: { alias: string | undefined; tool: string | undefined },
): Promise<number | undefined> {
  let waiting = 0
  for (const alias of chosen(session, only.alias === undefined ? [] : [only.alias])) {
    const { tools } = await session.review(alias)
    const shown = tools.filter(tool =>
      only.tool === undefined ? needsReview(tool) : tool.name === only.tool || visible(tool.name) === only.tool,
    )
    for (const tool of shown) io.stdout(`${reviewText(io, alias, tool)}\n`)
    waiting += shown.filter(needsReview).length
    if (shown.some(needsReview))
      io.stdout(`to decide: wicketgate pins approve ${alias} --all, or approve | reject ${alias} --digest p1:…\n`)
  }
  if (waiting === 0) io.stdout('nothing waits for review\n')
  return waiting === 0 ? undefined : EXIT.review
}
