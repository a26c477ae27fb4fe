import { setTimeout as sleep } from 'node:timers/promises'
import { type Admin, createAdmin, type Readiness } from './admin/index.ts'
import { type ArrivalLimits, createApp } from './app.ts'
import { LockFileError } from './catalog/index.ts'
import { isLoopback } from './core/loopback.ts'
import { type Building, createAbsentees, createGuests, createLuggage, type House } from './http/index.ts'
import { createOutlook } from './outlook.ts'
import type { Rooms } from './pipeline/index.ts'
import { type LoadedPolicies, loadPolicies, PolicyFaults } from './policy/index.ts'
import { checkReadiness } from './readiness.ts'
import { furnish, openPremises, type Premises, type PremisesOptions } from './rooms.ts'
import type { Environment, Settings } from './settings.ts'

/**
 * Longest wait for upstreams and key servers before the first request is served; whoever is late joins later. Short, for one upstream
 * that hangs would otherwise keep everybody waiting at each start.
 */
const FIRST_LOOK_MS = 1_000

/** Shorter than the silence after which proxies on the way close a connection. */
const KEEP_ALIVE_MS = 15_000
const STALL_MS = 120_000

/** Most calls are over by then, and cost nothing of this. */
const OPEN_AFTER_MS = 5_000
/** As long as what was said can be asked for again. */
const LINGER_MS = 300_000

/** From the end of the drain until connections are cut. */
const LAST_WORDS_MS = 500

export interface Gateway {
  readonly app: ReturnType<typeof createApp>
  readonly address: string
  readonly adminAddress: string | undefined
  rooms(): Rooms
  /** Reads the policy folder again; on any fault nothing changes and `PolicyFaults` or `ReloadRefused` is thrown. */
  reload(): Promise<void>
  /** Opens the audit file again under its name, for whoever rotates it from outside. */
  reopenAudit(): void
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
  readonly streamKeepAliveMs?: number
  readonly streamOpenAfterMs?: number
  readonly streamLingerMs?: number
  readonly streamHoldMs?: number
  readonly stallMs?: number
  readonly firstLookMs?: number
  readonly arrival?: ArrivalLimits
}

/** Starts a gateway. Unreachable upstreams, issuers or Redis do not stop it: `/readyz` names them, and it recovers by itself. Throws PolicyFaults. */
export async function serve(settings: Settings, environment: Environment, options: ServeOptions = {}): Promise<Gateway> {
  const load = (): Promise<LoadedPolicies> =>
    loadPolicies(settings.policies, {
      environment,
      listenerIsLoopback: isLoopback(settings.host),
      allowAnonymous: settings.allowAnonymous,
      tests: 'skip',
    })
  const loaded = await load()
  const premises = await openPremises(settings, environment, options)
  const { metrics, audit, clock, sink } = premises
  const { firstLookMs = FIRST_LOOK_MS } = options
  let house = await openHouse(premises, loaded).catch(async error => {
    await leavePremises(premises)
    throw error
  })
  const retired = new Set<House>()
  let draining = false
  const building: Building = {
    current: () => house,
    isDraining: () => draining,
    streams: {
      keepAliveMs: options.streamKeepAliveMs ?? KEEP_ALIVE_MS,
      openAfterMs: options.streamOpenAfterMs ?? OPEN_AFTER_MS,
      lingerMs: options.streamLingerMs ?? LINGER_MS,
      holdMs: options.streamHoldMs ?? settings.streamHoldMs,
      absentees: createAbsentees(),
      opened: metrics.streamOpened,
      closed: metrics.streamClosed,
    },
    luggage: createLuggage(loaded.configuration.http.maxBodyBytes),
    stallMs: options.stallMs ?? STALL_MS,
  }
  const app = createApp(building, options.arrival)
  const readiness = (): Promise<Readiness> => checkReadiness(house.rooms, premises.store, draining)
  const admin = options.listen === false ? undefined : openAdmin(settings, premises, readiness)

  /** The rooms of a replaced revision: nothing is looked at any more, and its connections close behind the last who entered under it. */
  async function retire(old: House): Promise<void> {
    retired.add(old)
    old.rooms.auth.close()
    await old.rooms.catalog.close()
    await old.guests.gone()
    await old.rooms.upstream.close()
    retired.delete(old)
  }

  async function close(drainMs = settings.drainMs): Promise<void> {
    draining = true
    premises.subscriptions.end()
    const houses = [house, ...retired]
    // A connection that becomes idle after the listener has closed is nobody's but this loop's to close.
    const idle = setInterval(() => app.server.closeIdleConnections(), 100)
    let force = setTimeout(() => {
      // Calls end before connections do: a stream that is cut without a final response leaves its caller waiting.
      premises.sessions.close()
      for (const { rooms } of houses) void rooms.upstream.abort()
      force = setTimeout(() => app.server.closeAllConnections(), LAST_WORDS_MS)
    }, drainMs)
    await app.close()
    clearInterval(idle)
    // Effects whose callers have left go on until the same moment; then their outcome is recorded, whatever it is.
    await Promise.all(houses.map(({ guests }) => guests.gone()))
    clearTimeout(force)
    await premises.sessions.settled()
    // Nobody is left who could bring an answer: servers are told, while there still is a way to them.
    await premises.held.close()
    for (const { rooms } of houses) rooms.auth.close()
    await Promise.all(houses.flatMap(({ rooms: { catalog, upstream } }) => [catalog.close(), upstream.abort()]))
    await admin?.close()
    await leavePremises(premises)
  }

  metrics.watchUpstreams(
    () => house.rooms.catalog.states(),
    () => house.rooms.upstream.states(),
  )
  await Promise.all([
    house.rooms.catalog.start(firstLookMs),
    Promise.race([house.rooms.auth.settled(), sleep(firstLookMs, undefined, { ref: false })]),
  ])
  announceAnonymous(house.rooms)
  let address = ''
  let adminAt: Awaited<ReturnType<Admin['listen']>> | undefined
  try {
    if (options.listen !== false) address = await app.listen({ host: settings.host, port: settings.port })
    adminAt = await admin?.listen()
  } catch (error) {
    // A port that is taken ends the process, not only this function: nothing may keep it running.
    await close(0)
    throw error
  }

  return {
    app,
    address,
    adminAddress: adminAt && `http://${adminAt.host}:${adminAt.port}`,
    rooms: () => house.rooms,
    readiness,
    reopenAudit: () => sink.reopen(),
    close,
    async reload() {
      const startedMs = clock.monotonicMs()
      try {
        const next = await load()
        if (draining) throw new ReloadRefused('this process is shutting down')
        checkReloadable(house, next)
        const before = house
        house = await openHouse(premises, next, before.rooms)
        retire(before).catch((error: Error) => audit.event('revision.not_closed', { error: error.name }))
        await house.rooms.catalog.start(firstLookMs)
        audit.event('policy.reloaded', { revision: next.configuration.revision, previous: before.rooms.configuration.revision })
        announceAnonymous(house.rooms)
        metrics.reload(true, clock.monotonicMs() - startedMs)
      } catch (error) {
        audit.event('policy.refused', {
          faults: error instanceof PolicyFaults || error instanceof LockFileError ? error.faults.length : 1,
          kept: house.rooms.configuration.revision,
        })
        metrics.reload(false, clock.monotonicMs() - startedMs)
        throw error
      }
    },
  }
}

async function leavePremises({ audit, store, prometheus, telemetry }: Premises): Promise<void> {
  await audit.close()
  await Promise.all([store.close(), prometheus?.close(), telemetry?.shutdown()])
}

async function openHouse(premises: Premises, loaded: LoadedPolicies, previous?: Rooms): Promise<House> {
  const rooms = await furnish(premises, loaded, previous)
  premises.subscriptions.move(createOutlook(rooms))
  const { endpoints, upstreams } = loaded.configuration
  premises.standing.now = loaded.configuration
  return {
    rooms,
    endpoints: new Map(endpoints.map(endpoint => [endpoint.path, endpoint])),
    forwardHeaders: new Set([...upstreams.values()].flatMap(({ forwardHeaders }) => forwardHeaders)),
    guests: createGuests(),
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

function openAdmin(settings: Settings, { prometheus }: Premises, ready: () => Promise<Readiness>): Admin | undefined {
  const { adminHost, adminPort, adminHosts } = settings
  if (adminPort === undefined || prometheus === undefined) return undefined
  return createAdmin({ host: adminHost, port: adminPort, hosts: adminHosts, metricsHandler: prometheus.handle, ready })
}
