import { constants } from 'node:fs'
import { access, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { reviewUpstream } from '../catalog/index.ts'
import type { ItemKind } from '../core/model.ts'
import { CommandFailed, explainUnreachable, reportFailures } from './command-failed.ts'
import type { Connect } from './connect.ts'
import { counted } from './counted.ts'
import { gatewayYaml, type InitChoices, placeYaml } from './init-files.ts'
import { type Offer, toolsYaml } from './init-offers.ts'
import type { CommandIo } from './io.ts'
import { defaultFolder, FOLDER_HELP, FOLDER_OPTION, folderWords, loadFolder } from './policy-folder.ts'

/** What the server offers, and the lists that could not be read while others could. */
interface Offered {
  readonly offers: readonly Offer[]
  readonly unread: readonly ItemKind[]
}

interface InitOptions {
  readonly upstream: string
  readonly policies: string
  readonly anonymous?: boolean
  readonly issuer?: string
  readonly bearer?: string
}

/** `wicketgate init`: a first policy folder from a live server. Nothing in it can be called until somebody says by whom. */
export function registerInit(program: Command, io: CommandIo, connect: Connect): void {
  program
    .command('init')
    .description('write a first policy folder from a live MCP server')
    .argument('[command...]', 'behind --, where the gateway is to run the server: its program and arguments')
    .requiredOption(
      '--upstream <name=url>',
      'alias and URL of the server: tickets=http://127.0.0.1:3000/mcp; of a command, its alias alone',
    )
    .option(FOLDER_OPTION, FOLDER_HELP, defaultFolder(io))
    .option('--issuer <url>', 'the authorization server whose access tokens are accepted')
    .option('--anonymous', 'no tokens: for trying it out on this machine')
    .option('--bearer <variable>', "environment variable that holds the gateway's own token for the server")
    .action((command: readonly string[], options: InitOptions) =>
      reportFailures(io, options.policies, () => init(io, connect, command, options)),
    )
}

async function init(io: CommandIo, connect: Connect, command: readonly string[], options: InitOptions): Promise<void> {
  const choices = readChoices(command, options)
  const { alias } = choices
  const gateway = gatewayYaml(choices)
  const gatewayPath = join(options.policies, 'gateway.yaml')
  const toolsPath = join(options.policies, 'tools', `${alias}.yaml`)
  for (const path of [gatewayPath, toolsPath]) {
    if (await exists(path)) throw new CommandFailed(`${path} exists already; nothing was written. ${howToAdd(choices, options)}`)
  }
  const { offers, unread } = await readOffers(io, connect, choices, gateway)
  await writeNew(gatewayPath, gateway)
  await writeNew(toolsPath, toolsYaml(choices, offers))
  io.stdout(nextSteps(options, choices, { gatewayPath, toolsPath, offers, unread }))
}

/** `init` writes a folder and never edits one: what is in it is somebody's. */
function howToAdd({ alias, server }: InitChoices, { policies }: InitOptions): string {
  return `To add a server to a folder that is there:
  1. in ${join(policies, 'gateway.yaml')}, write  ${alias}: { ${placeYaml(server)} }  under \`upstreams\`, and ${alias} into the \`upstreams\` of an endpoint
  2. in ${join(policies, 'tools', `${alias}.yaml`)}, say who may call what; init with --policies and a folder that is not there writes one to copy
  3. wicketgate pins approve ${alias} --all${folderWords(policies)}`
}

function readChoices(command: readonly string[], { upstream, anonymous = false, issuer, bearer }: InitOptions): InitChoices {
  const at = upstream.indexOf('=')
  if (command.length > 0 && at !== -1) throw new CommandFailed('a server is reached at a URL or run by a command, not both')
  if (command.length === 0 && at < 1) {
    throw new CommandFailed('--upstream is NAME=URL, for example tickets=http://127.0.0.1:3000/mcp, or NAME with a command behind --')
  }
  const alias = at === -1 ? upstream : upstream.slice(0, at)
  if (!/^[a-z0-9](?:[a-z0-9-]{0,14}[a-z0-9])?$/.test(alias)) {
    throw new CommandFailed('the name before "=" is 1 to 16 of a-z, 0-9 and "-", beginning and ending with a letter or digit')
  }
  if (anonymous && issuer !== undefined) throw new CommandFailed('choose one of --anonymous and --issuer')
  if (bearer !== undefined && command.length > 0) throw new CommandFailed('a process is sent no token; give it one in `stdio.environment`')
  if (bearer !== undefined && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(bearer)) {
    throw new CommandFailed('--bearer is the name of an environment variable, not the token')
  }
  return { alias, server: command.length > 0 ? command : upstream.slice(at + 1), anonymous, issuer, bearer }
}

/** Reads the file that is about to be written with the loader `serve` uses, and the server as `serve` would reach it. */
async function readOffers(io: CommandIo, connect: Connect, { alias, server }: InitChoices, gateway: string): Promise<Offered> {
  const trial = await mkdtemp(join(tmpdir(), 'wicketgate-init-'))
  try {
    await writeFile(join(trial, 'gateway.yaml'), gateway)
    const { configuration } = await loadFolder(trial, io, 'resolve')
    const upstream = configuration.upstreams.get(alias)
    if (upstream === undefined) throw new CommandFailed(`${alias} is not an upstream`)
    const connection = await connect(configuration)
    try {
      const { items, unread } = await reviewUpstream(upstream, undefined, connection)
      const failed = unread.find(({ kind }) => kind === 'tool')
      if (failed !== undefined) throw failed.error
      return {
        offers: items.flatMap(({ kind, name }) => (kind === 'server' ? [] : [{ kind, name }])),
        unread: unread.map(({ kind }) => kind),
      }
    } catch (error) {
      const name = typeof server === 'string' ? upstream.url : server.join(' ')
      throw new CommandFailed(`${name}: its tools cannot be read: ${explainUnreachable(error)}\nNothing was written.`)
    } finally {
      await connection.close()
    }
  } finally {
    await rm(trial, { recursive: true, force: true })
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path, constants.F_OK).then(
    () => true,
    () => false,
  )
}

async function writeNew(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  // `wx`: also a file that appeared since we looked is left alone.
  await writeFile(path, text, { flag: 'wx' })
}

function nextSteps(
  options: InitOptions,
  { alias, anonymous, issuer }: InitChoices,
  { gatewayPath, toolsPath, offers, unread }: Offered & { readonly gatewayPath: string; readonly toolsPath: string },
): string {
  const folder = folderWords(options.policies)
  const issuerStep = anonymous || issuer !== undefined ? [] : [`put your authorization server into ${gatewayPath}`]
  const steps = [
    ...issuerStep,
    `in ${toolsPath}, give each tool its effect and say who may use what is there`,
    `read what the server says of itself, and approve it:  wicketgate pins approve ${alias} --all${folder}`,
    `wicketgate serve${folder}`,
  ]
  const list = steps.map((step, index) => `  ${index + 1}. ${step}`).join('\n')
  const missing = unread.map(kind => `; its ${NOUNS[kind]}s could not be read`).join('')
  return `Wrote ${gatewayPath} and ${toolsPath} (${countedByKind(offers)}${missing}). Nothing can be called yet:\n${list}\n`
}

const NOUNS: Readonly<Record<ItemKind, string>> = {
  tool: 'tool',
  prompt: 'prompt',
  resource: 'resource',
  resourceTemplate: 'resource template',
}

function countedByKind(offers: readonly Offer[]): string {
  const kinds = ['tool', 'prompt', 'resource', 'resourceTemplate'] as const
  return kinds
    .flatMap(kind => {
      const count = offers.filter(offer => offer.kind === kind).length
      return count === 0 && kind !== 'tool' ? [] : [counted(count, NOUNS[kind])]
    })
    .join(', ')
}
