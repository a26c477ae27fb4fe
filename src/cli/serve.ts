import type { Command } from 'commander'
import { LockFileError } from '../catalog/index.ts'
import { visible } from '../core/visible.ts'
import { PolicyFaults, type PolicyWatch, watchPolicies } from '../policy/index.ts'
import type { Gateway } from '../serve.ts'
import { DEFAULTS, type Environment, type Flags, loadSettings, type SettingName, type Settings, SettingsFault } from '../settings.ts'
import { type CommandIo, EXIT } from './io.ts'

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
      const settings = loadSettings(flags as Flags, io.environment)
      // From before the first reading: what changes while the gateway starts is a change too.
      let isChanged = false
      let reload = (): void => {
        isChanged = true
      }
      const watch = await watchPolicies(settings.policies, () => reload())
      const gateway = await serve(settings, io.environment)
      // Before anything is said: who hears that we listen may tell us to stop.
      reload = keepRunning(gateway, watch, io)
      await announce(gateway, settings, io)
      if (isChanged) reload()
    } catch (error) {
      io.stderr(describe(error))
      io.setExitCode(isFault(error) ? EXIT.faults : EXIT.failed)
    }
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
  for (const { part, ok, reason } of lines) if (reason !== undefined) io.stderr(`  ${ok ? 'note' : 'missing'}: ${part}: ${reason}\n`)
  for (const { alias, pending, drifted, withheld } of gateway.rooms().catalog.states()) {
    if (pending + drifted > 0) io.stderr(`  ${alias}: ${pending} tools pending, ${drifted} changed; see: wicketgate pins diff ${alias}\n`)
    for (const { name, reason } of withheld) io.stderr(`  ${alias}: ${JSON.stringify(name)} is withheld: ${visible(reason)}\n`)
  }
}

/** Returns what loads the policies again. */
function keepRunning(gateway: Gateway, watch: PolicyWatch, io: CommandIo): () => void {
  let reloading = Promise.resolve()
  let isWaiting = false
  let isStopping = false
  async function reloadOnce(): Promise<void> {
    isWaiting = false
    if (isStopping) return
    try {
      await gateway.reload()
      io.stderr(`policies reloaded, revision ${gateway.rooms().configuration.revision}\n`)
    } catch (error) {
      io.stderr(`policies not changed:\n${describe(error)}`)
    }
  }
  const reload = (): void => {
    // One that has not begun sees this change too: a storm of signals is at most two reloads, and none stands before the end.
    if (isWaiting) return
    isWaiting = true
    reloading = reloading.then(reloadOnce)
  }
  const onHangup = (): void => {
    gateway.reopenAudit()
    reload()
  }
  const stop = (): void => {
    // A terminal sends SIGINT to all, and whoever started us may send SIGTERM after it: that is one end, not two.
    if (isStopping) return
    isStopping = true
    watch.close()
    process.off('SIGHUP', onHangup)
    void reloading.then(() => gateway.close()).then(() => io.stderr('wicketgate has stopped\n'))
  }
  process.on('SIGHUP', onHangup)
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  return reload
}

/** Something the operator wrote is wrong, not the machine. */
function isFault(error: unknown): boolean {
  return error instanceof PolicyFaults || error instanceof LockFileError || error instanceof SettingsFault
}

/** Faults of policy and lock files carry their `file:line:column` in the message. */
function describe(error: unknown): string {
  return `${error instanceof Error ? error.message : String(error)}\n`
}
