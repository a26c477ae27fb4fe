import { type Admin, createAdmin, type Readiness } from './admin/index.ts'
import { createApp } from './app.ts'
import { LockFileError } from './catalog/index.ts'
import type { Building, House } from './http/index.ts'
import type { Rooms } from './pipeline/index.ts'
import { type LoadedPolicies, loadPolicies, PolicyFaults } from './policy/index.ts'
import { furnish, openPremises, type Premises, type PremisesOptions } from './rooms.ts'
import { type Environment, isLoopback, type Settings } from './settings.ts'

/** Longest wait for upstreams before the first request is served; whoever is late joins later. */
const FIRST_SNAPSHOT_MS = 5_000

/** Longer than a request may take from its first byte to its upstream: until then it still needs the rooms it entered with. */
const RETIRE_MS = 60_000

export interface Gateway {
  readonly app: ReturnType<typeof createApp>
  readonly address: string
  readonly adminAddress: string | undefined
  rooms(): Rooms
  /** Reads the policy folder again; on any fault nothing changes and `PolicyFaults` or `ReloadRefused` is thrown. */
  reload(): Promise<void>
  readiness(): Promise<Readiness>
  /** Stops taking requests, lets those under way end within `drainMs`, then lets go of everything. */
  close(drainMs?: number): Promise<void>
}

/** The folder is fine, but what changed cannot change in a running process. */
export class ReloadRefused extends Error {
  override readonly name = 'ReloadRefused'
}

export interface ServeOptions extends PremisesOptions {
  readonly listen?: boolean
}

/** Starts a gateway. Unreachable upstreams, issuers or Redis do not stop it: `/readyz` names them, and it recovers by itself. Throws PolicyFaults. */
export async function serve(settings: Settings, environment: Environment, options: ServeOptions = {}): Promise<Gateway> {
  const load = (): Promise<LoadedPolicies> =>
    loadPolicies(settings.policies, { environment, listenerIsLoopback: isLoopback(settings.host), allowAnonymous: settings.allowAnonymous })
  const loaded = await load()
  const premises = await openPremises(settings, environment, options)
  let house = await openHouse(premises, loaded)
  let draining = false
  const building: Building = { current: () => house, isDraining: () => draining }
  premises.metrics.watchUpstreams(() => house.rooms.catalog.states())
  await house.rooms.catalog.start(FIRST_SNAPSHOT_MS)
  announceAnonymous(house.rooms)

  const app = createApp(building)
  const address = options.listen === false ? '' : await app.listen({ host: settings.host, port: settings.port })
  const readiness = (): Promise<Readiness> => checkReadiness(house.rooms, premises, draining)
  const admin =
    settings.adminPort === undefined || options.listen === false
      ? undefined
      : openAdmin(settings.adminHost, settings.adminPort, premises, readiness)
  const adminAt = await admin?.listen()

  return {
    app,
    address,
    adminAddress: adminAt && `http://${adminAt.host}:${adminAt.port}`,
    rooms: () => house.rooms,
    readiness,
    async reload() {
      const startedMs = premises.clock.monotonicMs()
      try {
        const next = await load()
        checkReloadable(house, next)
        const before = house.rooms
        house = await openHouse(premises, next, before)
        await house.rooms.catalog.start(FIRST_SNAPSHOT_MS)
        premises.audit.event('policy.reloaded', { revision: next.configuration.revision, previous: before.configuration.revision })
        premises.metrics.reload(true, premises.clock.monotonicMs() - startedMs)
        retire(before)
      } catch (error) {
        premises.audit.event('policy.refused', {
          faults: error instanceof PolicyFaults || error instanceof LockFileError ? error.faults.length : 1,
          kept: house.rooms.configuration.revision,
        })
        premises.metrics.reload(false, premises.clock.monotonicMs() - startedMs)
        throw error
      }
    },
    async close(drainMs = settings.drainMs) {
      draining = true
      const force = setTimeout(() => app.server.closeAllConnections(), drainMs)
      await app.close()
      clearTimeout(force)
      await Promise.all([house.rooms.catalog.close(), house.rooms.upstream.close(), admin?.close()])
      await premises.audit.close()
      await Promise.all([premises.store.close(), premises.prometheus.close(), premises.telemetry?.shutdown()])
    },
  }
}

/** The rooms of a revision that was replaced: nothing is looked at any more, connections close when no request can need them. */
function retire({ catalog, upstream }: Rooms): void {
  void catalog.close()
  setTimeout(() => void upstream.close(), RETIRE_MS).unref()
}

async function openHouse(premises: Premises, loaded: LoadedPolicies, previous?: Rooms): Promise<House> {
  const rooms = await furnish(premises, loaded, previous)
  const { endpoints, upstreams } = loaded.configuration
  premises.upstreams.current = upstreams
  return {
    rooms,
    endpoints: new Map(endpoints.map(endpoint => [endpoint.path, endpoint])),
    forwardHeaders: new Set([...upstreams.values()].flatMap(({ forwardHeaders }) => forwardHeaders)),
  }
}

/** Routes are made once: what they are made of cannot change under them. */
function checkReloadable(house: House, { configuration: next }: LoadedPolicies): void {
  const { configuration: now } = house.rooms
  const paths = next.endpoints.map(({ path }) => path)
  if (paths.length !== house.endpoints.size || !paths.every(path => house.endpoints.has(path))) {
    throw new ReloadRefused('gateway.yaml: the endpoints have changed; this needs a restart')
  }
  if (next.http.maxBodyBytes !== now.http.maxBodyBytes)
    throw new ReloadRefused('gateway.yaml: http.maxBodyBytes has changed; this needs a restart')
}

function announceAnonymous({ configuration, audit }: Rooms): void {
  for (const { path, anonymous } of configuration.endpoints) {
    if (anonymous !== undefined) audit.event('endpoint.anonymous', { path, scopes: anonymous.scopes.join(' ') })
  }
}

async function checkReadiness({ auth, catalog, configuration, audit }: Rooms, { store }: Premises, draining: boolean): Promise<Readiness> {
  const storeFault = await store.check().then(
    () => undefined,
    (error: Error) => error.message,
  )
  const missing = new Set(auth.missing())
  const part = (name: string, reason: string | undefined) =>
    reason === undefined ? { part: name, ok: true } : { part: name, ok: false, reason }
  const lines = [
    part('process', draining ? 'shutting down' : undefined),
    part('store', storeFault),
    part('audit', audit.healthy() ? undefined : 'the sink does not take records'),
    ...configuration.issuers.map(({ issuer }) => part(`keys ${issuer}`, missing.has(issuer) ? 'never fetched' : undefined)),
    ...catalog
      .states()
      .map(({ alias, snapshot }) =>
        part(`upstream ${alias}`, snapshot === 'new' ? 'not seen yet' : snapshot === 'expired' ? 'not seen for too long' : undefined),
      ),
  ]
  // One upstream that is down must not take the others' callers away; a gateway that has seen none of them serves nobody.
  const upstreams = lines.filter(line => line.part.startsWith('upstream '))
  const others = lines.filter(line => !line.part.startsWith('upstream '))
  return { ok: others.every(({ ok }) => ok) && (upstreams.length === 0 || upstreams.some(({ ok }) => ok)), lines }
}

function openAdmin(host: string, port: number, premises: Premises, ready: () => Promise<Readiness>): Admin {
  return createAdmin({ host, port, hosts: [], metricsHandler: premises.prometheus.handle, health: () => true, ready })
}
