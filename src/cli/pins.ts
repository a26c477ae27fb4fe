import { type Command, Option } from 'commander'
import { PIN_KINDS, type PinKind } from '../catalog/index.ts'
import type { Connect } from './connect.ts'
import type { CommandIo } from './io.ts'
import { type DecideOptions, decideOn } from './pins-decide.ts'
import { addFormOptions, deliver, type FormOptions } from './pins-form.ts'
import { look } from './pins-look.ts'
import { listMarkdown } from './pins-markdown.ts'
import { listReport } from './pins-report.ts'
import { chosen, type PinsSession, withSession } from './pins-session.ts'
import { signLocks, verifyLocks } from './pins-sign.ts'
import { lockText } from './pins-text.ts'
import { defaultFolder, FOLDER_HELP, FOLDER_OPTION } from './policy-folder.ts'

interface Common extends FormOptions {
  readonly policies: string
}

const KEY_HELP = 'sign the lock file with this private key: Ed25519, PEM; required where there are pins.signers'

/** `wicketgate pins …`: the reviewer's words. `connect` reaches the upstreams; nothing is served while a command runs. */
export function registerPins(program: Command, io: CommandIo, connect: Connect): void {
  const pins = program.command('pins').description('review and approve what upstreams say of themselves and of what they offer')
  const command = (name: string, description: string) =>
    pins.command(name).description(description).option(FOLDER_OPTION, FOLDER_HELP, defaultFolder(io))

  addFormOptions(command('fetch [alias...]', 'read the lists of all upstreams; exit code 3 when something waits for review'))
    .addOption(variantOption())
    .action((aliases: string[], options: Common & { readonly variant?: string }) =>
      withSession(io, connect, options.policies, session => look({ io, session, ...options }, { ...options, command: 'fetch', aliases })),
    )
  addFormOptions(command('list [alias...]', 'show what was decided, from the lock files alone')).action(
    (aliases: string[], options: Common) => withSession(io, undefined, options.policies, session => list(io, session, aliases, options)),
  )
  addFormOptions(command('diff [alias] [name]', 'show what waits for review, its risk first, word by word'))
    .addOption(kindOption())
    .addOption(variantOption())
    .action(
      (alias: string | undefined, name: string | undefined, options: Common & { readonly kind?: PinKind; readonly variant?: string }) =>
        withSession(io, connect, options.policies, session => {
          const aliases = alias === undefined ? [] : [alias]
          return look({ io, session, ...options }, { ...options, command: 'diff', aliases, name })
        }),
    )
  for (const verb of ['approve', 'reject'] as const) {
    const decide = command(`${verb} <alias> [name]`, `${verb} the text with this digest; without --digest, show it first`)
      .addOption(kindOption())
      .addOption(variantOption())
      .option('--digest <digest>', 'what was shown: p1:… for one item, s1:… for --all')
      .option('--reason <text>', 'why; required to approve what changed, was rejected, or has serious findings')
      .option('--by <name>', 'who decides; required where USER is not set, or is root')
      .option('--key <file>', KEY_HELP)
    if (verb === 'approve') decide.option('--all', 'everything new without serious findings; exit code 3 when others wait')
    decide.action((alias: string, name: string | undefined, options: DecideOptions) =>
      withSession(io, connect, options.policies, session => decideOn(io, session, { verb, alias, name, options })),
    )
  }
  command('sign [alias...]', 'sign lock files as they are, after you have looked at them')
    .requiredOption('--key <file>', 'the private key: Ed25519, PEM')
    .action((aliases: string[], options: Common & { readonly key: string }) =>
      withSession(io, undefined, options.policies, session => signLocks(io, session, aliases, options.key)),
    )
  command('verify [alias...]', 'check that lock files are whole, and signed by one of pins.signers').action(
    (aliases: string[], options: Common) => withSession(io, undefined, options.policies, session => verifyLocks(io, session, aliases)),
  )
}

/** The name is a tool's or a prompt's, the URI of a resource, the text of a template, or `server`. */
function kindOption(): Option {
  return new Option('--kind <kind>', 'what the name is the name of, where two kinds have it').choices(PIN_KINDS)
}

/** Classes are named in gateway.yaml. */
function variantOption(): Option {
  return new Option('--variant <class>', 'what one class of callers is shown; "shared": those of no class')
}

async function list(io: CommandIo, session: PinsSession, aliases: readonly string[], options: FormOptions): Promise<undefined> {
  const upstreams = chosen(session, aliases)
  const locks = await Promise.all(upstreams.map(async upstream => [upstream, await session.lock(upstream.alias)] as const))
  await deliver(io, options, {
    text: () => locks.map(([upstream, lock]) => lockText(upstream, lock, session.isSigned)).join(''),
    json: () => listReport(locks, session.isSigned),
    markdown: () => listMarkdown(locks, session.isSigned),
  })
}
