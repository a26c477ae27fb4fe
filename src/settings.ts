import { readFileSync } from 'node:fs'

/** How this process runs. Flag over environment over default; who may do what is in the policy files, never here. */
export interface Settings {
  readonly policies: string
  readonly host: string
  readonly port: number
  readonly adminHost: string
  /** `undefined`: no operator's listener. */
  readonly adminPort: number | undefined
  /** Host header names the operator's listener answers to, besides addresses and `localhost`. */
  readonly adminHosts: readonly string[]
  /** `memory`, or a URL that store/ can connect to. */
  readonly store: string
  /** `stdout` or `file:PATH`; there is no way to switch the record off. */
  readonly audit: string
  readonly auditRequired: boolean
  readonly auditFsync: 'intent' | 'always' | 'never'
  /** 32 bytes or more that all processes of one deployment share, the first of those given; undefined: made for this process, which only the memory store allows. */
  readonly secret: Buffer | undefined
  /** The others given: what was sealed with them for callers opens too. */
  readonly previousSecrets: readonly Buffer[]
  readonly allowAnonymous: boolean
  readonly drainMs: number
  /** How long the stream of a client in a session is held before it is asked to come back for the rest; 0: until it ends. */
  readonly streamHoldMs: number
  readonly trustCallerTrace: boolean
}

export type Environment = Readonly<Record<string, string | undefined>>
export type Flags = Readonly<Partial<Record<SettingName, string>>>
export type SettingName = keyof typeof DEFAULTS

/** Name → default, as text; `WICKETGATE_<NAME>` in the environment, `--<name>` on the command line. */
export const DEFAULTS = {
  policies: './policies',
  host: '127.0.0.1',
  port: '8080',
  'admin-host': '127.0.0.1',
  'admin-port': '9090',
  'admin-hosts': '',
  store: 'memory',
  audit: 'stdout',
  'audit-required': 'true',
  'audit-fsync': 'intent',
  secret: '',
  'secret-file': '',
  'allow-anonymous': 'false',
  'drain-seconds': '25',
  'stream-hold-seconds': '0',
  'trust-caller-trace': 'false',
} as const

/** What store/ can connect to: one server, Sentinel, Cluster, or a unix socket. */
const STORE_URL = /^(?:rediss?(?:\+sentinel|\+cluster)?:\/\/|unix:)/

export class SettingsFault extends Error {
  override readonly name = 'SettingsFault'
}

export function loadSettings(flags: Flags, environment: Environment): Settings {
  const text = (name: SettingName): string =>
    flags[name] ?? environment[`WICKETGATE_${name.toUpperCase().replaceAll('-', '_')}`] ?? DEFAULTS[name]
  const store = text('store')
  if (store !== 'memory' && !STORE_URL.test(store))
    throw new SettingsFault('store: use memory, or a redis://, rediss://, redis+sentinel://, redis+cluster:// or unix: URL')
  const audit = text('audit')
  if (audit !== 'stdout' && !audit.startsWith('file:')) throw new SettingsFault('audit: use stdout or file:PATH')
  const [secret, ...previousSecrets] = parseSecrets(text('secret'), text('secret-file'))
  if (secret === undefined && store !== 'memory') {
    throw new SettingsFault(
      'secret: processes that share a store must share a secret of 32 bytes or more (WICKETGATE_SECRET or --secret-file)',
    )
  }
  return {
    policies: text('policies'),
    host: text('host'),
    port: parsePort('port', text('port')),
    adminHost: text('admin-host'),
    adminPort: text('admin-port') === 'off' ? undefined : parsePort('admin-port', text('admin-port')),
    adminHosts: text('admin-hosts').toLowerCase().split(',').filter(Boolean),
    store,
    audit,
    auditRequired: parseBoolean('audit-required', text('audit-required')),
    auditFsync: parseChoice('audit-fsync', text('audit-fsync'), ['intent', 'always', 'never']),
    secret,
    previousSecrets,
    allowAnonymous: parseBoolean('allow-anonymous', text('allow-anonymous')),
    drainMs: parseWhole('drain-seconds', text('drain-seconds'), 600) * 1000,
    streamHoldMs: parseWhole('stream-hold-seconds', text('stream-hold-seconds'), 86_400) * 1000,
    trustCallerTrace: parseBoolean('trust-caller-trace', text('trust-caller-trace')),
  }
}

/** No comma is in either alphabet, so several secrets can stand in one text. */
function parseSecrets(text: string, file: string): readonly Buffer[] {
  if (text !== '' && file !== '') throw new SettingsFault('secret: give it as text or as a file, not both')
  const given = (file === '' ? text : readSecret(file)).trim()
  return given === '' ? [] : given.split(',').map(parseSecret)
}

function readSecret(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new SettingsFault(`secret-file: ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
}

function parseSecret(given: string): Buffer {
  const text = given.trim()
  const secret = /^[0-9a-f]{64,}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  if (secret.length < 32) throw new SettingsFault('secret: at least 32 bytes, as hex or base64 (openssl rand -base64 32)')
  return secret
}

function parsePort(name: string, text: string): number {
  return parseWhole(name, text, 65_535)
}

function parseWhole(name: string, text: string, most: number): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value > most) throw new SettingsFault(`${name}: a whole number from 0 to ${most}`)
  return value
}

function parseBoolean(name: string, text: string): boolean {
  return parseChoice(name, text, ['true', 'false']) === 'true'
}

function parseChoice<Choice extends string>(name: string, text: string, choices: readonly Choice[]): Choice {
  const found = choices.find(choice => choice === text)
  if (found === undefined) throw new SettingsFault(`${name}: one of ${choices.join(', ')}`)
  return found
}
