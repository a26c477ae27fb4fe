import { watch } from 'node:fs'
import type { Command } from 'commander'
import type { Gateway } from '../serve.ts'
import { DEFAULTS, type Environment, type Flags, loadSettings, type SettingName, type Settings } from '../settings.ts'
import { EXIT } from './command-failed.ts'
import type { CommandIo } from './io.ts'

type Serve = (settings: Settings, environment: Environment) => Promise<Gateway>

/** How long a folder must be quiet after a change before it is read: editors and symlink swaps write in several steps. */
const QUIET_MS = 300

const HELP: Readonly<Record<SettingName, string>> = {
  policies: 'the policy folder',
  host: 'address to listen on',
  port: 'port to listen on',
  'admin-host': "address of the operator's listener (/healthz, /readyz, /metrics)",
  'admin-port': "port of the operator's listener, or off",
  store: 'memory, or a redis:// or rediss:// URL',
  audit: 'where the audit trail goes: stdout or file:PATH',
  'audit-required': 'whether a side effect that cannot be recorded is refused',
  'audit-fsync': 'when the trail is forced to disk: intent, always or never',
  secret: '32 bytes or more, as hex or base64, that all processes share',
  'secret-file': 'file that holds the secret',
  'allow-anonymous': 'serve anonymous endpoints on a listener that others can reach',
  'drain-seconds': 'how long requests under way may go on after SIGTERM',
  'trust-caller-trace': "take the caller's trace context as the parent of ours",
}

/** `wicketgate serve`: runs until SIGTERM or SIGINT; SIGHUP and changes in the folder load a new revision. */
export function registerServe(program: Command, io: CommandIo, serve: Serve): void {
  const command = program.command('serve').description('run the gateway')
  for (const name of Object.keys(DEFAULTS) as SettingName[]) {
    command.option(
      `--${name} <${name}>`,
      `${HELP[name]} (WICKETGATE_${name.toUpperCase().replaceAll('-', '_')}; ${DEFAULTS[name] || 'none'})`,
    )
  }
  command.action(async (options: Record<string, string>) => {
    const flags = Object.fromEntries(
      Object.entries(options).map(([key, value]) => [key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`), value]),
    )
    let gateway: Gateway
    let settings: Settings
    try {
      settings = loadSettings(flags as Flags, io.environment)
      gateway = await serve(settings, io.environment)
    } catch (error) {
      io.stderr(describe(error))
      io.setExitCode(EXIT.faults)
      return
    }
    await announce(gateway, settings, io)
    keepRunning(gateway, settings, io)
  })
}

async function announce(gateway: Gateway, settings: Settings, io: CommandIo): Promise<void> {
  const { configuration } = gateway.rooms()
  io.stderr(`wicketgate listens on ${gateway.address}, revision ${configuration.revision}\n`)
  for (const { path, resource, anonymous } of configuration.endpoints) {
    io.stderr(
      `  ${path}  resource ${resource}${anonymous === undefined ? '' : `  ANONYMOUS, scopes: ${anonymous.scopes.join(' ') || 'none'}`}\n`,
    )
  }
  if (gateway.adminAddress !== undefined) io.stderr(`  operator: ${gateway.adminAddress}/readyz and /metrics\n`)
  if (configuration.pins.onFirstUse === 'trust')
    io.stderr('  pins.onFirstUse is trust: the first tools a new upstream shows are taken as approved\n')
  if (settings.store === 'memory') io.stderr('  store: memory; limits and idempotency hold for this process only\n')
  const { lines } = await gateway.readiness()
  for (const { part, reason } of lines) if (reason !== undefined) io.stderr(`  missing: ${part}: ${reason}\n`)
  for (const { alias, pending, drifted, withheld } of gateway.rooms().catalog.states()) {
    if (pending + drifted > 0) io.stderr(`  ${alias}: ${pending} tools pending, ${drifted} changed; see: wicketgate pins diff ${alias}\n`)
    for (const { name, reason } of withheld) io.stderr(`  ${alias}: ${JSON.stringify(name)} is withheld: ${reason}\n`)
  }
}

function keepRunning(gateway: Gateway, settings: Settings, io: CommandIo): void {
  let reloading = Promise.resolve()
  const reload = (): void => {
    reloading = reloading
      .then(() => gateway.reload())
      .then(
        () => io.stderr(`policies reloaded, revision ${gateway.rooms().configuration.revision}\n`),
        (error: unknown) => io.stderr(`policies not changed:\n${describe(error)}`),
      )
  }
  let quiet: NodeJS.Timeout | undefined
  const watcher = watch(settings.policies, { recursive: true }, (_event, file) => {
    // The catalog reads the lock files itself; an approval is not a new revision.
    if (file?.startsWith('pins/')) return
    clearTimeout(quiet)
    quiet = setTimeout(reload, QUIET_MS)
  })
  watcher.on('error', error => io.stderr(`the policy folder is not watched any more (${error.message}); use SIGHUP\n`))
  process.on('SIGHUP', reload)
  const stop = (): void => {
    watcher.close()
    clearTimeout(quiet)
    process.off('SIGHUP', reload)
    void reloading.then(() => gateway.close()).then(() => io.stderr('wicketgate has stopped\n'))
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

/** Faults of policy and lock files carry their `file:line:column` in the message. */
function describe(error: unknown): string {
  return `${error instanceof Error ? error.message : String(error)}\n`
}
