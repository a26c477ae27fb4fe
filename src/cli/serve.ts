import type { Command } from 'commander'
import type { EndpointConfig } from '../core/configuration.ts'
import { aliasOfVariant } from '../core/variant.ts'
import { visible } from '../core/visible.ts'
import { isModern } from '../mcp/index.ts'
import { watchPolicies } from '../policy/index.ts'
import type { Gateway } from '../serve.ts'
import { DEFAULTS, type Environment, type Flags, loadSettings, type SettingName, type Settings, SettingsFault } from '../settings.ts'
import { CommandFailed, faultsIn } from './command-failed.ts'
import { type CommandIo, EXIT } from './io.ts'
import { keepRunning, type Running } from './keep-running.ts'
import { createPinsNews, repeatLook } from './pins-news.ts'

type Serve = (settings: Settings, environment: Environment) => Promise<Gateway>

const HELP: Readonly<Record<SettingName, string>> = {
  policies: 'the policy folder',
  host: 'address to listen on',
  port: 'port to listen on',
  'admin-host': "address of the operator's listener (/healthz, /readyz, /metrics)",
  'admin-port': "port of the operator's listener, or off",
  'admin-hosts': 'names it answers to besides addresses and localhost, comma-separated',
  store: 'memory, or the URL of a Redis: docs/settings.md has its forms',
  audit: 'where the audit trail goes: stdout or file:PATH',
  'audit-required': 'whether a side effect that cannot be recorded is refused',
  'audit-fsync': 'when the trail is forced to disk: intent, always or never',
  secret: '32 bytes or more, as hex or base64, that all processes share',
  'secret-file': 'file that holds the secret',
  'allow-anonymous': 'serve anonymous endpoints on a listener that others can reach',
  'drain-seconds': 'how long requests under way may go on after SIGTERM',
  'stream-hold-seconds':
    'how long the stream of a client in a session is held before it is asked to come back for the rest; 0: until it ends',
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
    try {
      await run(io, serve, loadSettings(flags as Flags, io.environment))
    } catch (error) {
      io.stderr(`${messageOf(error)}\n`)
      io.setExitCode(error instanceof CommandFailed ? error.exitCode : error instanceof SettingsFault ? EXIT.faults : EXIT.failed)
    }
  })
}

/** Resolves when the gateway is up; it ends by a signal. */
async function run(io: CommandIo, serve: Serve, settings: Settings): Promise<void> {
  const { policies } = settings
  // From before the first reading: a signal or a change that comes while the gateway starts is a reload once it has, and not its end.
  let isDue = false
  const due = (): void => {
    isDue = true
  }
  let running: Running = { reload: due, hangUp: due, reloadIfRefused: () => {} }
  process.on('SIGHUP', () => running.hangUp())
  const watch = await watchPolicies(policies, { onChange: () => running.reload(), onPins: () => running.reloadIfRefused() })
  const gateway = await serve(settings, io.environment).catch((error: unknown) => {
    const faults = faultsIn(error, policies)
    throw faults === undefined ? explainTaken(error, settings) : new CommandFailed(faults, EXIT.faults)
  })
  // Before anything is said: who hears that we listen may tell us to stop.
  running = keepRunning({ gateway, watch, io, describe: error => faultsIn(error, policies) ?? messageOf(error) })
  await announce(gateway, settings, io)
  if (isDue) running.reload()
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
  const { onFirstUse, signers } = configuration.pins
  if (onFirstUse === 'trust' && signers.length > 0)
    io.stderr('  pins.onFirstUse: trust trusts nothing here: lock files are signed (pins.signers), and a gateway has no key\n')
  else if (onFirstUse === 'trust') io.stderr('  pins.onFirstUse is trust: what a new upstream shows first is taken as approved\n')
  if (settings.store === 'memory') io.stderr('  store: memory; limits and idempotency hold for this process only\n')
  if (settings.secret === undefined && configuration.endpoints.some(servesSessions))
    io.stderr('  no secret: sessions of clients end with this process; see --secret\n')
  const { lines } = await gateway.readiness()
  for (const { part, ok, reason } of lines) if (reason !== undefined) io.stderr(`  ${ok ? 'note' : 'missing'}: ${part}: ${reason}\n`)
  const look = createPinsNews(() => gateway.rooms().catalog.states(), io.stderr)
  look()
  for (const { alias, variant, withheld } of gateway.rooms().catalog.states()) {
    for (const { kind, name, reason } of withheld)
      io.stderr(`  ${aliasOfVariant(alias, variant)}: ${kind} ${JSON.stringify(name)} is withheld: ${visible(reason)}\n`)
  }
  repeatLook(look)
}

function servesSessions({ minProtocolVersion }: EndpointConfig): boolean {
  return !isModern(minProtocolVersion)
}

/** Where another process has the port: which setting chooses a different one. */
function explainTaken(error: unknown, { port, adminHost, adminPort }: Settings): unknown {
  const { code, address, port: taken } = error as { readonly code?: unknown; readonly address?: unknown; readonly port?: unknown }
  if (code !== 'EADDRINUSE') return error
  const isAdmin = taken === adminPort && (taken !== port || address === adminHost)
  const other = isAdmin
    ? "Give the operator's listener another port with --admin-port (WICKETGATE_ADMIN_PORT), or `off`"
    : 'Choose another with --port (WICKETGATE_PORT), and let publicUrl in gateway.yaml name it too'
  return new CommandFailed(`port ${String(taken)} of ${String(address)} is taken. ${other}`)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
