import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import {
  type Audit,
  createAudit,
  createFileSink,
  createMetrics,
  createPrometheus,
  createStreamSink,
  createTelemetry,
  type Metrics,
  type Prometheus,
  type Sink,
  startTelemetry,
  type TelemetrySdk,
} from './audit/index.ts'
import { createAuth } from './auth/index.ts'
import { type Catalog, createCatalog } from './catalog/index.ts'
import { type Clock, systemClock } from './core/clock.ts'
import type { Configuration, UpstreamConfig } from './core/configuration.ts'
import { PRODUCT } from './core/product.ts'
import { createIdempotency, type Idempotency } from './idempotency/index.ts'
import { createLimits } from './limits/index.ts'
import type { Rooms } from './pipeline/index.ts'
import type { LoadedPolicies } from './policy/index.ts'
import { createSessions, type Sessions } from './sessions/index.ts'
import type { Environment, Settings } from './settings.ts'
import { createState, type State } from './state/index.ts'
import {
  createMemoryStore,
  createRedisStore,
  createSealer,
  createStoreKeys,
  type Store,
  type StoreKeys,
  watchStore,
} from './store/index.ts'
import { createSubscriptions, type Subscriptions } from './subscriptions/index.ts'
import { createHeldCalls, createUpstream, type HeldCalls } from './upstream/index.ts'
import { createValidation, createValidators, fitsForm, type Validators } from './validation/index.ts'

/** What outlives a policy revision: everything that holds a connection, a queue or a secret of the process. */
export interface Premises {
  readonly clock: Clock
  readonly store: Store
  readonly keys: StoreKeys
  readonly audit: Audit
  readonly sink: Sink
  readonly metrics: Metrics
  /** Only for an operator's listener to show: without one nobody could read it. */
  readonly prometheus: Prometheus | undefined
  readonly telemetry: TelemetrySdk | undefined
  readonly validators: Validators
  readonly state: State
  readonly idempotency: Idempotency
  readonly sessions: Sessions
  /** Calls that wait at legacy servers for an answer, across revisions. */
  readonly held: HeldCalls
  readonly subscriptions: Subscriptions
  readonly tokenKey: Uint8Array
  /** A line for whoever runs this process: what processes of upstreams write to their stderr. */
  readonly log: (line: string) => void
  /** The policy revision that stands now, once there is one. */
  readonly standing: { now: Configuration | undefined }
}

export interface PremisesOptions {
  /** Tests read the trail from memory. */
  readonly sink?: Sink
  readonly log?: (line: string) => void
  readonly clock?: Clock
  /** How long a decision may wait for the store, where that is not what docs/store.md says. */
  readonly storeTimeoutMs?: number
}

export async function openPremises(settings: Settings, environment: Environment, options: PremisesOptions = {}): Promise<Premises> {
  const { clock = systemClock } = options
  const { version } = PRODUCT
  const secret = settings.secret ?? randomBytes(32)
  const telemetry = await startTelemetry({ version, env: environment })
  const prometheus = settings.adminPort === undefined ? undefined : createPrometheus(version)
  const metrics = createMetrics([prometheus?.meter, telemetry?.meter].filter(meter => meter !== undefined))
  const standing: Premises['standing'] = { now: undefined }
  const sink = options.sink ?? createSink(settings)
  const audit = createAudit({
    sink,
    digestKey: secret,
    clock,
    required: settings.auditRequired,
    metrics,
    telemetry:
      telemetry &&
      createTelemetry({
        tracer: telemetry.tracer,
        trustCallerTrace: settings.trustCallerTrace,
        serverOf: alias => serverOf(standing.now?.upstreams.get(alias)),
      }),
    version,
  })
  const store = watchStore(
    settings.store === 'memory'
      ? createMemoryStore({ clock })
      : createRedisStore({ url: settings.store, commandTimeoutMs: options.storeTimeoutMs }),
    {
      onFailure: metrics.storeError,
      onTurn: isLost => audit.event(isLost ? 'store.lost' : 'store.recovered', { kind: settings.store === 'memory' ? 'memory' : 'redis' }),
    },
  )
  metrics.watchStore(store.isLost)
  const keys = createStoreKeys(secret)
  const { previousSecrets } = settings
  const sealer = createSealer(secret, previousSecrets)
  const secrets = [secret, ...previousSecrets]
  const state = createState({ secrets, clock, store, isStanding: revision => revision === standing.now?.revision })
  return {
    clock,
    store,
    keys,
    audit,
    sink,
    metrics,
    prometheus,
    telemetry,
    validators: createValidators({ report: audit.event }),
    state,
    idempotency: createIdempotency({
      store,
      keys,
      sealer,
      spend: state.spend,
      report: audit.event,
    }),
    sessions: createSessions({ secrets, clock, store, keys, sealer }),
    held: createHeldCalls({ store, keys, sealer, fitsForm, report: audit.event }),
    subscriptions: createSubscriptions({ clock }),
    tokenKey: randomBytes(32),
    log: options.log ?? (line => process.stderr.write(`${line}\n`)),
    standing,
  }
}

/** The only list of what exists: each room with everything it depends on, for one policy revision. */
export async function furnish(premises: Premises, { configuration, policy }: LoadedPolicies, previous?: Rooms): Promise<Rooms> {
  const { clock, store, keys, audit, validators, state, idempotency, sessions, held, subscriptions, tokenKey } = premises
  let catalog: Catalog | undefined
  const limits = createLimits({ store, keys, config: configuration.limits, clock })
  const validation = createValidation({ validators, upstreams: configuration.upstreams })
  const upstream = createUpstream({
    upstreams: configuration.upstreams,
    suspect: (alias, variant) => catalog?.suspect(alias, variant),
    held,
    clock,
    log: premises.log,
    report: audit.event,
    previous: previous?.upstream,
  })
  catalog = await createCatalog({
    endpoints: configuration.endpoints,
    upstreams: configuration.upstreams,
    pins: configuration.pins,
    lockDirectory: join(configuration.directory, 'pins'),
    clock,
    fetchList: upstream.fetchList,
    discover: upstream.discover,
    listen: upstream.listen,
    variantOf: policy.variantOf,
    onChange: subscriptions.viewChanged,
    screen: validation.prepare,
    report: audit.event,
    previous: previous?.catalog,
  }).catch(async error => {
    // What it has taken over from the revision before is that one's alone again.
    await upstream.close()
    throw error
  })
  // Last, behind everything that may fail: it fetches at once, and a revision that comes to nothing must leave nobody fetching.
  const auth = createAuth({
    issuers: configuration.issuers,
    resources: configuration.endpoints.map(({ resource }) => resource),
    clock,
    tokenKey,
    report: audit.event,
    previous: previous?.auth,
  })
  return { configuration, auth, catalog, policy, validation, state, sessions, limits, idempotency, upstream, subscriptions, audit }
}

function createSink({ audit, auditFsync }: Settings): Sink {
  return audit === 'stdout'
    ? createStreamSink(process.stdout)
    : createFileSink({ path: audit.slice('file:'.length), fsync: auditFsync, maxBytes: 256 * 1024 * 1024, keep: 8 })
}

function serverOf(upstream: UpstreamConfig | undefined): { readonly host: string; readonly port: number } | 'process' | undefined {
  if (upstream === undefined) return undefined
  if (upstream.transport.kind === 'stdio') return 'process'
  const { hostname, port, protocol } = new URL(upstream.url)
  return { host: hostname, port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) }
}
